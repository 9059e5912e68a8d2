// A level mesh as rasters. A floor takes polygons from neighbour to neighbour as long as none lies above or below one that it has; then the
// next begins with the first polygon left.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fairlead/bridge/narrow_places_of.h>

namespace fairlead {

namespace bridge {

// Of cells: 0 free, 1 a wall, from here on free on a polygon of floor value - kOther.
constexpr std::uint8_t kOther = 2;
constexpr std::uint32_t kOtherFloorsMax = 250;  // of higher ones it is not told

class MeshFloors {
  public:
    MeshFloors(const NavMeshState& mesh, MeshWalls& walls, const Allocator& allocator)
        : mesh_(mesh),
          walls_(walls),
          owner_(allocator),
          stamp_(allocator),
          queue_(allocator),
          beyond_(allocator) {}

    /// `like`: floors to take over; null: none.
    [[nodiscard]] Result<void> make(const MeshWalls* like);

  private:
    struct Reached {
        std::uint32_t polygon = 0;  ///< its place in of_polygon_
        double beyond = 0.0;        ///< how far from the floor's own
    };
    struct Box {
        std::int32_t x0 = INT32_MAX;
        std::int32_t y0 = INT32_MAX;
        std::int32_t x1 = 0;
        std::int32_t y1 = 0;
    };

    [[nodiscard]] Result<void> place_raster();
    [[nodiscard]] bool list_polygons();
    [[nodiscard]] bool fill_floor(std::uint32_t seed);
    [[nodiscard]] bool spread_beyond();
    [[nodiscard]] bool add_polygon(std::uint32_t polygon);
    [[nodiscard]] bool fill_like(const MeshWalls& like, std::uint32_t floor);
    [[nodiscard]] bool keep_floor();
    void mark_others(std::uint8_t* cells, const MeshWalls::Floor& floor) const;
    void widen(std::uint8_t* cells, std::int32_t width, std::int32_t height) const;
    [[nodiscard]] std::uint32_t index_of(PolygonId polygon) const;
    [[nodiscard]] PolygonId id(std::uint32_t polygon) const {
        return PolygonId{walls_.of_polygon_[polygon].polygon};
    }
    [[nodiscard]] Vec2 middle(std::uint32_t polygon) const;
    /// The cells of a row whose middles lie in a polygon: from x0 up to before x1.
    [[nodiscard]] bool row_of(std::uint32_t polygon, std::int32_t y, std::int32_t& x0,
                              std::int32_t& x1) const;
    [[nodiscard]] Box box_of(std::uint32_t polygon) const;

    const NavMeshState& mesh_;
    MeshWalls& walls_;
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::uint32_t floor_ = 0;
    Box box_{};
    Array<std::uint32_t> owner_;  ///< by cell: the polygon of the floor at hand, and one more
    Array<std::uint32_t> stamp_;  ///< by polygon: the last floor that looked at it, and one more
    Array<Reached> queue_;
    Array<Reached> beyond_;  ///< neighbours of the floor that belong to others
};

std::uint32_t MeshFloors::index_of(PolygonId polygon) const {
    const auto* begin = walls_.of_polygon_.begin();
    const auto* end = walls_.of_polygon_.end();
    const auto* at = std::lower_bound(begin, end, polygon.value, [](const auto& entry, std::uint32_t value) {
        return entry.polygon < value;
    });
    return at != end && at->polygon == polygon.value ? static_cast<std::uint32_t>(at - begin) : kNoFloor;
}

Vec2 MeshFloors::middle(std::uint32_t polygon) const {
    Vec2 sum{};
    const std::uint32_t corners = mesh_.corners(id(polygon));
    for (std::uint32_t i = 0; i < corners; ++i) sum += ground(mesh_.corner(id(polygon), i));
    return sum / static_cast<double>(corners);
}

Result<void> MeshFloors::place_raster() {
    const Aabb bounds = mesh_.bounds();
    if (mesh_.polygons() == 0 || bounds.empty()) return Error(ErrorCode::size_zero);
    // One cell of wall around all.
    walls_.origin_ = bounds.low - Vec2{walls_.cell_, walls_.cell_};
    const double x = std::ceil((bounds.high.x - bounds.low.x) / walls_.cell_ * (1.0 - 1e-9)) + 2.0;
    const double y = std::ceil((bounds.high.y - bounds.low.y) / walls_.cell_ * (1.0 - 1e-9)) + 2.0;
    if (!(x <= kPlaceSideMax && y <= kPlaceSideMax && x * y <= static_cast<double>(kPlaceCellsMax))) {
        return Error(ErrorCode::size_limit, Field::cells, kPlaceCellsMax);
    }
    width_ = static_cast<std::int32_t>(x);
    height_ = static_cast<std::int32_t>(y);
    if (!owner_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_))) {
        return Error(ErrorCode::out_of_memory);
    }
    return {};
}

bool MeshFloors::list_polygons() {
    auto& list = walls_.of_polygon_;
    for (std::uint32_t i = 0; i < mesh_.polygons(); ++i) {
        if (!list.push_back({mesh_.polygon(i).value, kNoFloor})) return false;
    }
    const auto before = [](const auto& a, const auto& b) { return a.polygon < b.polygon; };
    std::sort(list.begin(), list.end(), before);  // total order
    return stamp_.resize(list.size());
}

MeshFloors::Box MeshFloors::box_of(std::uint32_t polygon) const {
    Vec2 low = ground(mesh_.corner(id(polygon), 0));
    Vec2 high = low;
    for (std::uint32_t i = 1; i < mesh_.corners(id(polygon)); ++i) {
        const Vec2 at = ground(mesh_.corner(id(polygon), i));
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    const auto cell = [this](double v, double origin, std::int32_t most) {
        return std::clamp(static_cast<std::int32_t>((v - origin) / walls_.cell_), 0, most - 1);
    };
    return {cell(low.x, walls_.origin_.x, width_), cell(low.y, walls_.origin_.y, height_),
            cell(high.x, walls_.origin_.x, width_) + 1, cell(high.y, walls_.origin_.y, height_) + 1};
}

bool MeshFloors::row_of(std::uint32_t polygon, std::int32_t y, std::int32_t& x0, std::int32_t& x1) const {
    const double at = walls_.origin_.y + walls_.cell_ * (y + 0.5);
    double low = 1e300;
    double high = -1e300;
    const std::uint32_t corners = mesh_.corners(id(polygon));
    for (std::uint32_t i = 0; i < corners; ++i) {
        Vec2 a = ground(mesh_.corner(id(polygon), i));
        Vec2 b = ground(mesh_.corner(id(polygon), i + 1 == corners ? 0 : i + 1));
        // The same sum from both sides of an edge, so that no cell between two polygons is left out.
        if (a.y > b.y) std::swap(a, b);
        if (!(a.y <= at && at < b.y)) continue;
        const double x = a.x + (b.x - a.x) * ((at - a.y) / (b.y - a.y));
        low = std::min(low, x);
        high = std::max(high, x);
    }
    if (low > high) return false;
    const auto first = [this](double x) {
        const double cells = std::ceil((x - walls_.origin_.x) / walls_.cell_ - 0.5);
        return std::clamp(static_cast<std::int32_t>(cells), 0, width_);
    };
    x0 = first(low);
    x1 = first(high);
    return x0 < x1;
}

/// False: it lies above or below what the floor has; nothing is changed then.
bool MeshFloors::add_polygon(std::uint32_t polygon) {
    const Box box = box_of(polygon);
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    for (std::int32_t y = box.y0; y < box.y1; ++y) {
        if (!row_of(polygon, y, x0, x1)) continue;
        const std::uint32_t* row =
            owner_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        for (std::int32_t x = x0; x < x1; ++x) {
            if (row[x] == 0) continue;
            const Vec2 at = walls_.origin_ + Vec2{x + 0.5, y + 0.5} * walls_.cell_;
            const double off = mesh_.ground_height(id(polygon), at) - mesh_.ground_height(id(row[x] - 1), at);
            if (!(std::fabs(off) <= walls_.options_.radius)) return false;
        }
    }
    for (std::int32_t y = box.y0; y < box.y1; ++y) {
        if (!row_of(polygon, y, x0, x1)) continue;
        std::uint32_t* row = owner_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        for (std::int32_t x = x0; x < x1; ++x) row[x] = polygon + 1;
    }
    box_ = {std::min(box_.x0, box.x0), std::min(box_.y0, box.y0), std::max(box_.x1, box.x1),
            std::max(box_.y1, box.y1)};
    return true;
}

/// The floor's own polygons; their neighbours of other floors go to beyond_.
bool MeshFloors::fill_floor(std::uint32_t seed) {
    queue_.clear();
    beyond_.clear();
    box_ = {};
    if (!queue_.push_back({seed, 0.0})) return false;
    stamp_[seed] = floor_ + 1;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
        const std::uint32_t polygon = queue_[next].polygon;
        if (!add_polygon(polygon)) continue;
        walls_.of_polygon_[polygon].floor = floor_;
        for (std::uint32_t i = 0; i < mesh_.corners(id(polygon)); ++i) {
            const PolygonId across = mesh_.neighbour(id(polygon), i);
            if (!across.valid()) continue;
            const std::uint32_t other = index_of(across);
            if (stamp_[other] == floor_ + 1) continue;
            stamp_[other] = floor_ + 1;
            const bool taken = walls_.of_polygon_[other].floor != kNoFloor;
            if (!(taken ? beyond_ : queue_).push_back({other, 0.0})) return false;
        }
    }
    return true;
}

/// What the floor has of others: what does not lie above or below its own.
bool MeshFloors::spread_beyond() {
    for (std::size_t next = 0; next < beyond_.size(); ++next) {
        const Reached here = beyond_[next];
        if (!add_polygon(here.polygon)) continue;
        for (std::uint32_t i = 0; i < mesh_.corners(id(here.polygon)); ++i) {
            const PolygonId across = mesh_.neighbour(id(here.polygon), i);
            if (!across.valid()) continue;
            const std::uint32_t other = index_of(across);
            const double beyond = here.beyond + distance(middle(here.polygon), middle(other));
            if (stamp_[other] == floor_ + 1 || beyond > MeshWalls::beyond() * walls_.options_.radius)
                continue;
            stamp_[other] = floor_ + 1;
            if (!beyond_.push_back({other, beyond})) return false;
        }
    }
    return true;
}

/// The surface keeps some way from walls: cells as near to it are free too.
void MeshFloors::widen(std::uint8_t* cells, std::int32_t width, std::int32_t height) const {
    constexpr std::uint8_t kFree = 0;
    constexpr std::uint8_t kWall = 1;
    constexpr std::uint8_t kWidened = 2;
    const double reach = mesh_.agent_radius() / walls_.cell_;
    const auto steps = static_cast<std::int32_t>(reach);
    const auto at = [&](std::int32_t x, std::int32_t y) -> std::uint8_t& {
        return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    };
    for (std::int32_t y = 1; y + 1 < height; ++y) {
        for (std::int32_t x = 1; x + 1 < width; ++x) {
            if (at(x, y) != kFree) continue;
            if (at(x - 1, y) == kFree && at(x + 1, y) == kFree && at(x, y - 1) == kFree &&
                at(x, y + 1) == kFree)
                continue;
            for (std::int32_t dy = -steps; dy <= steps; ++dy) {
                for (std::int32_t dx = -steps; dx <= steps; ++dx) {
                    const std::int32_t nx = x + dx;
                    const std::int32_t ny = y + dy;
                    if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
                    const double off = static_cast<double>(dx * dx + dy * dy);
                    if (at(nx, ny) == kWall && off <= reach * reach) at(nx, ny) = kWidened;
                }
            }
        }
    }
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    for (std::size_t i = 0; i < count; ++i) cells[i] = cells[i] == kWall ? kWall : kFree;
}

bool MeshFloors::keep_floor() {
    const auto margin = static_cast<std::int32_t>(mesh_.agent_radius() / walls_.cell_) + 1;
    MeshWalls::Floor floor;
    floor.x = box_.x0 - margin;
    floor.y = box_.y0 - margin;
    floor.width = box_.x1 + margin - floor.x;
    floor.height = box_.y1 + margin - floor.y;
    const std::size_t first = walls_.blocked_.size();
    const std::size_t count = static_cast<std::size_t>(floor.width) * static_cast<std::size_t>(floor.height);
    if (!walls_.blocked_.resize(first + count) || !walls_.floors_.push_back(floor)) return false;
    std::uint8_t* cells = walls_.blocked_.data() + first;
    std::memset(cells, 1, count);
    for (std::int32_t y = box_.y0; y < box_.y1; ++y) {
        const std::uint32_t* from =
            owner_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        std::uint8_t* to =
            cells + static_cast<std::size_t>(y - floor.y) * static_cast<std::size_t>(floor.width);
        for (std::int32_t x = box_.x0; x < box_.x1; ++x) to[x - floor.x] = from[x] != 0 ? 0 : 1;
    }
    widen(cells, floor.width, floor.height);
    mark_others(cells, floor);
    for (std::int32_t y = box_.y0; y < box_.y1; ++y) {
        std::uint32_t* row = owner_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        for (std::int32_t x = box_.x0; x < box_.x1; ++x) row[x] = 0;
    }
    return true;
}

/// Marks the cells of polygons of other floors.
void MeshFloors::mark_others(std::uint8_t* cells, const MeshWalls::Floor& floor) const {
    for (const Reached& other : beyond_) {
        const std::uint32_t home = walls_.of_polygon_[other.polygon].floor;
        if (home >= kOtherFloorsMax) continue;
        const Box box = box_of(other.polygon);
        std::int32_t x0 = 0;
        std::int32_t x1 = 0;
        for (std::int32_t y = box.y0; y < box.y1; ++y) {
            if (!row_of(other.polygon, y, x0, x1)) continue;
            const std::uint32_t* from =
                owner_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
            for (std::int32_t x = x0; x < x1; ++x) {
                if (from[x] != other.polygon + 1) continue;
                cells[static_cast<std::size_t>(y - floor.y) * static_cast<std::size_t>(floor.width) +
                      static_cast<std::size_t>(x - floor.x)] = static_cast<std::uint8_t>(kOther + home);
            }
        }
    }
}

/// The polygons of a floor of another raster; their neighbours of other floors go to beyond_.
bool MeshFloors::fill_like(const MeshWalls& like, std::uint32_t floor) {
    beyond_.clear();
    box_ = {};
    const auto other_floor = [&](std::uint32_t polygon) { return like.of_polygon_[polygon].floor; };
    for (std::uint32_t polygon = 0; polygon < walls_.of_polygon_.size(); ++polygon) {
        if (other_floor(polygon) != floor) continue;
        walls_.of_polygon_[polygon].floor = floor;
        stamp_[polygon] = floor + 1;
        (void)add_polygon(polygon);  // false: in the coarser raster it lies above another one
    }
    for (std::uint32_t polygon = 0; polygon < walls_.of_polygon_.size(); ++polygon) {
        if (other_floor(polygon) != floor) continue;
        for (std::uint32_t i = 0; i < mesh_.corners(id(polygon)); ++i) {
            const PolygonId across = mesh_.neighbour(id(polygon), i);
            if (!across.valid()) continue;
            const std::uint32_t other = index_of(across);
            if (stamp_[other] == floor + 1) continue;
            stamp_[other] = floor + 1;
            if (!beyond_.push_back({other, 0.0})) return false;
        }
    }
    return true;
}

Result<void> MeshFloors::make(const MeshWalls* like) {
    Result<void> placed = place_raster();
    if (!placed) return placed.error();
    if (!list_polygons()) return Error(ErrorCode::out_of_memory);
    if (like != nullptr && like->of_polygon_.size() != walls_.of_polygon_.size())
        return Error(ErrorCode::incompatible);
    for (; like != nullptr && floor_ < like->floors(); ++floor_) {
        if (!fill_like(*like, floor_) || !spread_beyond() || !keep_floor()) {
            return Error(ErrorCode::out_of_memory);
        }
    }
    for (std::uint32_t seed = 0; seed < walls_.of_polygon_.size(); ++seed) {
        if (walls_.of_polygon_[seed].floor != kNoFloor) continue;
        if (!fill_floor(seed) || !spread_beyond() || !keep_floor()) return Error(ErrorCode::out_of_memory);
        ++floor_;
    }
    const std::uint8_t* cells = walls_.blocked_.data();
    for (MeshWalls::Floor& floor : walls_.floors_) {
        floor.cells = cells;
        cells += static_cast<std::size_t>(floor.width) * static_cast<std::size_t>(floor.height);
    }
    return {};
}

}  // namespace bridge

Result<MeshWalls> MeshWalls::make(const NavMeshState& mesh, const WallsOptions& options,
                                  const MeshWalls* floors) {
    if (!std::isfinite(options.radius)) return Error(ErrorCode::not_finite, Field::agent_radius);
    if (!std::isfinite(options.detail)) return Error(ErrorCode::not_finite, Field::distance);
    if (!(options.radius > 0.0)) return Error(ErrorCode::out_of_range, Field::agent_radius);
    if (!(options.detail >= kPlaceCellsPerRadiusMin && options.detail <= kPlaceCellsPerRadiusMax)) {
        return Error(ErrorCode::out_of_range, Field::distance);
    }
    MeshWalls walls(options.allocator);
    walls.options_ = options;
    walls.cell_ = options.radius / options.detail;
    bridge::MeshFloors work(mesh, walls, options.allocator);
    Result<void> made = work.make(floors);
    if (!made) return made.error();
    return walls;
}

PlacesOptions MeshWalls::options(std::uint32_t floor) const {
    const Floor& of = floors_[floor];
    return {.origin = origin_ + Vec2{cell_ * of.x, cell_ * of.y},
            .cell = cell_,
            .width = of.width,
            .height = of.height,
            .radius = options_.radius,
            .margin = options_.margin,
            .pocket = options_.pocket,
            .allocator = options_.allocator};
}

WallRows MeshWalls::rows(std::uint32_t floor) const {
    const auto row = [](std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) {
        const Floor& of = *static_cast<const Floor*>(user);
        const std::size_t first =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(of.width) + static_cast<std::size_t>(x);
        for (std::size_t i = 0; i < blocked.size(); ++i) blocked[i] = of.cells[first + i] == 1 ? 1 : 0;
    };
    return {row, const_cast<Floor*>(floors_.data() + floor)};
}

std::uint32_t MeshWalls::home_of(std::uint32_t floor, Vec2 at) const {
    const Floor& of = floors_[floor];
    const double x = (at.x - origin_.x) / cell_ - of.x;
    const double y = (at.y - origin_.y) / cell_ - of.y;
    if (!(x >= 0.0 && y >= 0.0 && x < of.width && y < of.height)) return kNoFloor;
    const std::uint8_t cell = of.cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(of.width) +
                                       static_cast<std::size_t>(x)];
    return cell == 1 ? kNoFloor : cell >= bridge::kOther ? std::uint32_t{cell} - bridge::kOther : floor;
}

std::uint32_t MeshWalls::floor_of(PolygonId polygon) const {
    const auto before = [](const OfPolygon& entry, std::uint32_t value) { return entry.polygon < value; };
    const OfPolygon* at = std::lower_bound(of_polygon_.begin(), of_polygon_.end(), polygon.value, before);
    return at != of_polygon_.end() && at->polygon == polygon.value ? at->floor : kNoFloor;
}

}  // namespace fairlead
