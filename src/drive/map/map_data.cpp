// The contents of a DriveMap: made, and brought up to date by comparing with the ground.
#include "drive/map/map_data.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drive/cost/terrain.h"
#include "drive/ground/fine_ground.h"
#include "drive/ground/ground_distance.h"
#include "drive/ground/ground_parts.h"

namespace fairlead::drive {

namespace {

std::size_t cells_with_costs(const DriveGround& ground) {
    if (ground.read_costs == nullptr) return 0;
    return static_cast<std::size_t>(ground.width) * static_cast<std::size_t>(ground.height);
}

}  // namespace

MapData::MapData(EdgeMap&& edges, const Allocator& allocator)
    : edges_(std::move(edges)),
      free_(allocator),
      costs_(allocator),
      row_(allocator),
      fresh_(allocator),
      facings_(allocator),
      road_row_(allocator),
      joined_(allocator),
      planes_(allocator),
      ground_runs_(allocator),
      ground_rows_(allocator),
      links_(allocator),
      links_back_(allocator) {}

bool MapData::copy_from(const MapData& other) {
    options_ = other.options_;
    cheapest_ = other.cheapest_;
    dearest_ = other.dearest_;
    cores_ = other.cores_;
    indexed_ = other.indexed_;
    sets_a_core_ = other.sets_a_core_;
    std::copy(std::begin(other.core_size_), std::end(other.core_size_), std::begin(core_size_));
    return edges_.copy_from(other.edges_) && free_.assign(other.free_.span()) &&
           costs_.assign(other.costs_.span()) && facings_.assign(other.facings_.span()) &&
           joined_.assign(other.joined_.span()) && ground_runs_.assign(other.ground_runs_.span()) &&
           ground_rows_.assign(other.ground_rows_.span()) && links_.assign(other.links_.span()) &&
           links_back_.assign(other.links_back_.span()) && planes_.copy_from(other.planes_);
}

Result<MapData> MapData::make(const DriveGround& ground, const DriveTable& table,
                              const DriveMapOptions& options) {
    if (ground.width <= 0 || ground.height <= 0) return Error{ErrorCode::size_zero, Field::width};
    const FineGround fine(ground, table.pitch());
    const DriveGround rows = fine.rows();
    Result<EdgeMap> edges = EdgeMap::make(rows, table, options.allocator, options.roads);
    if (!edges) return edges.error();
    MapData map(std::move(*edges), options.allocator);
    map.options_ = options;
    map.sets_a_core_ = table.options().agent.can_reverse && !map.edges_.road_forbids() ? 1 : 2;
    if (const Result<void> good = map.set_links(options.floors.links); !good) return good.error();
    if (!map.reserve(rows) || !map.copy_free_cells(rows) || !map.find_cores())
        return Error{ErrorCode::out_of_memory, -1, 0};
    if (!map.find_ground()) return Error{ErrorCode::out_of_memory, -1, 0};
    map.copy_costs(rows);
    map.copy_roads(rows);
    if (!map.find_planes()) return Error{ErrorCode::out_of_memory, -1, 0};
    return map;
}

bool MapData::reserve(const DriveGround& rows) {
    if (!fresh_.resize_uninitialized(cells_with_costs(rows))) return false;
    if (!has_roads()) return true;
    const auto width = static_cast<std::size_t>(rows.width);
    return facings_.resize(width * static_cast<std::size_t>(rows.height)) && road_row_.resize(width);
}

bool MapData::copy_free_cells(const DriveGround& rows) {
    const auto words = static_cast<std::size_t>(rows.words());
    const std::size_t stride = words + 2;
    if (!free_.resize(stride * (static_cast<std::size_t>(rows.height) + 2))) return false;
    for (std::int32_t y = 0; y < rows.height; ++y) {
        rows.read_free(rows.user, y,
                       free_.span().subspan((static_cast<std::size_t>(y) + 1) * stride + 1, words));
    }
    return true;
}

// The smallest box of cells that are not as they were; empty (left >= right) if all are.
Result<MapData::Box> MapData::find_changes(const DriveGround& rows) {
    const auto words = static_cast<std::size_t>(rows.words());
    Array<std::uint64_t>& row = row_;
    if (!row.resize_uninitialized(words)) return Error{ErrorCode::out_of_memory, -1, 0};
    Box box{rows.width, rows.height, 0, 0};
    for (std::int32_t y = 0; y < rows.height; ++y) {
        rows.read_free(rows.user, y, row.span());
        const std::uint64_t* old = free_.data() + (static_cast<std::size_t>(y) + 1) * (words + 2) + 1;
        for (std::size_t w = 0; w < words; ++w) {
            const std::uint64_t differ = row[w] ^ old[w];
            if (differ == 0) continue;
            const auto x = static_cast<std::int32_t>(w * 64);
            box.left = std::min(box.left, x + std::countr_zero(differ));
            box.right = std::max(box.right, x + 64 - std::countl_zero(differ));
            box.low = std::min(box.low, y);
            box.top = y + 1;
            box.blocks = box.blocks || (old[w] & differ) != 0;
        }
    }
    return box;
}

Result<void> MapData::update(const DriveGround& coarse, std::uint64_t revision) {
    const FineGround fine(coarse, edges_.table().pitch());
    const DriveGround ground = fine.rows();
    if (ground.width != edges_.width() || ground.height != edges_.height())
        return Error{ErrorCode::size_mismatch, Field::width, edges_.width()};
    if (has_roads() != (ground.read_roads != nullptr)) return Error{ErrorCode::incompatible, Field::roads};
    if (!reserve(ground)) return Error{ErrorCode::out_of_memory, -1, 0};
    Result<Box> changed = find_changes(ground);
    if (!changed) return changed.error();
    if (edges_.road_forbids()) add_road_changes(ground, *changed);
    const bool edited = changed->left < changed->right;
    if (edited) {
        if (!edges_.update(ground, changed->low, changed->top)) return Error{ErrorCode::out_of_memory, -1, 0};
        (void)copy_free_cells(ground);  // has its room
    }
    if (edited || !indexed_) {
        // Without memory nothing is known of the cores or the ground's parts: searches find out for themselves, until the
        // next update.
        const bool cored = (indexed_ && repair_cores(*changed)) || find_cores();
        if (!cored) cores_ = 0;
        const bool parted = find_ground();
        indexed_ = cored && parted;
    }
    copy_costs(ground);
    copy_roads(ground);
    if (edited || !indexed_) indexed_ = find_planes() && indexed_;
    options_.revision = revision;
    return {};
}

// False without memory: nothing is known of the ground's parts then.
bool MapData::find_ground() {
    const bool used = table().ground_factor() > 0.0;
    const bool found =
        used && find_ground_parts(free_cells(), table().ground_corner(), ground_runs_, ground_rows_);
    if (!found) ground_rows_.clear();
    return found || !used;
}

// Only for maps whose searches use them. False without memory: there are none, and searches look at all of the ground.
bool MapData::find_planes() {
    const bool used = table().ground_factor() > 0.0 && table().ground_corner() == GroundCorner::closed &&
                      !has_links() && !has_roads() && cores_ > 0;
    if (!used) planes_.clear();
    return !used || planes_.update(*this);
}

bool MapData::divided(Vec2 a, Vec2 b) const {
    if (ground_rows_.empty()) return false;
    const auto part = [&](Vec2 p) {
        return ground_part(ground_runs_, ground_rows_, static_cast<std::int32_t>(std::floor(p.x)),
                           static_cast<std::int32_t>(std::floor(p.y)));
    };
    const std::uint32_t from = part(a);
    const std::uint32_t to = part(b);
    return from != to && from != kNoPart && to != kNoPart;
}

Terrain MapData::terrain() const {
    if (uniform()) return {};
    const std::uint16_t* costs = costs_.empty() ? nullptr : costs_.data();
    const std::uint16_t* facings = has_roads() ? facings_.data() : nullptr;
    return {costs, edges_.width(), edges_.height(), cheapest_, RoadGround::with(options_.roads, facings)};
}

std::int32_t MapData::dearest() const {
    double most = 1.0;
    for (const double factor : {options_.roads.off_road, options_.roads.against}) {
        if (has_roads() && factor != kRoadForbidden) most = std::max(most, factor);
    }
    return dearest_ * static_cast<std::int32_t>(std::ceil(most));
}

// The facings that the roads allow, cell by cell.
void MapData::copy_roads(const DriveGround& rows) {
    std::uint16_t* facings = facings_.data();
    for (std::int32_t y = 0; y < rows.height && has_roads(); ++y) {
        rows.read_roads(rows.user, y, road_row_.span());
        for (const std::uint8_t allowed : road_row_) {
            *facings++ = kFacingsTable.of[allowed];
        }
    }
}

// Grows the box by the cells whose roads are not as they were.
void MapData::add_road_changes(const DriveGround& rows, Box& box) {
    const std::uint16_t* facings = facings_.data();
    for (std::int32_t y = 0; y < rows.height; ++y) {
        rows.read_roads(rows.user, y, road_row_.span());
        for (std::int32_t x = 0; x < rows.width; ++x) {
            const std::uint8_t allowed = road_row_[static_cast<std::size_t>(x)];
            if (kFacingsTable.of[allowed] == *facings++) continue;
            box.left = std::min(box.left, x);
            box.right = std::max(box.right, x + 1);
            box.low = std::min(box.low, y);
            box.top = std::max(box.top, y + 1);
            box.blocks = true;
        }
    }
}

// Reads the costs into fresh_, which has room for them, and changes over to it. What is written
// for blocked cells must not matter: they count as the cheapest.
void MapData::copy_costs(const DriveGround& rows) {
    const GroundBits free = free_cells();
    const auto width = static_cast<std::size_t>(rows.width);
    Array<std::uint16_t>& fresh = fresh_;
    std::int32_t low = UINT16_MAX;
    std::int32_t high = 1;
    for (std::int32_t y = 0; y < rows.height && !fresh.empty(); ++y) {
        const std::span<std::uint16_t> row = fresh.span().subspan(static_cast<std::size_t>(y) * width, width);
        rows.read_costs(rows.user, y, row);
        for (std::int32_t x = 0; x < rows.width; ++x) {
            std::uint16_t& cost = row[static_cast<std::size_t>(x)];
            if (!free.free(x, y)) cost = 0;
            if (cost == 0) continue;
            low = std::min<std::int32_t>(low, cost);
            high = std::max<std::int32_t>(high, cost);
        }
    }
    cheapest_ = low > high ? 1 : low;
    dearest_ = high;
    for (std::uint16_t& cost : fresh) cost = cost == 0 ? static_cast<std::uint16_t>(cheapest_) : cost;
    std::swap(costs_, fresh);
}

GroundBits MapData::free_cells() const {
    const std::size_t stride = (static_cast<std::size_t>(edges_.width()) + 63) / 64 + 2;
    return {free_.data() + stride + 1, stride, edges_.width(), edges_.height()};
}

}  // namespace fairlead::drive
