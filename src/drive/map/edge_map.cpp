#include "drive/map/edge_map.h"

#include <algorithm>
#include <cstring>

#include "drive/cost/road_pieces.h"
#include "drive/cost/road_planes.h"

namespace fairlead {

namespace {

constexpr std::int32_t kSideMax = 16384;

// Rows of the map with `margin` blocked rows and a blocked word around them; plane n: are this cell and the n after it
// free?
class RunPlanes {
  public:
    RunPlanes(const DriveGround& rows, std::int32_t margin, std::int32_t longest, const Allocator& allocator)
        : rows_(rows),
          margin_(margin),
          longest_(longest),
          stride_(static_cast<std::size_t>(rows.words()) + 2),
          bits_(allocator) {}

    /// Room for so many rows. False: out of memory.
    [[nodiscard]] bool reserve(std::int32_t count) {
        lines_ = count + 2 * margin_;
        return bits_.resize(static_cast<std::size_t>(lines_ * longest_) * stride_);
    }

    /// Rows low to high - 1, no more than reserved.
    void load(std::int32_t low, std::int32_t high) {
        low_ = low - margin_;
        for (std::int32_t y = low_; y < high + margin_; ++y) {
            if (y < 0 || y >= rows_.height) {
                for (std::int32_t n = 1; n <= longest_; ++n)
                    std::fill_n(line(n, y) - 1, stride_, std::uint64_t{0});
                continue;
            }
            rows_.read_free(rows_.user, y, {line(1, y), static_cast<std::size_t>(rows_.words())});
            for (std::int32_t n = 2; n <= longest_; ++n)
                extend(line(n - 1, y), line(1, y), n - 1, line(n, y));
        }
    }

    /// Word 0 of row y; words -1 and `words` are there and blocked.
    [[nodiscard]] std::uint64_t* line(std::int32_t count, std::int32_t y) {
        return bits_.data() + static_cast<std::size_t>((count - 1) * lines_ + (y - low_)) * stride_ + 1;
    }

  private:
    // to[x] = shorter[x] and free[x + by].
    void extend(const std::uint64_t* shorter, const std::uint64_t* free, std::int32_t by,
                std::uint64_t* to) const {
        const std::int32_t word = by >> 6;
        const std::int32_t shift = by & 63;
        for (std::int32_t w = 0; w < rows_.words(); ++w) {
            const std::uint64_t low = w + word < rows_.words() ? free[w + word] : 0;
            const std::uint64_t high = w + word + 1 < rows_.words() ? free[w + word + 1] : 0;
            to[w] = shorter[w] & ((low >> shift) | ((high << 1) << (63 - shift)));
        }
    }

    const DriveGround& rows_;
    std::int32_t margin_;
    std::int32_t longest_;
    std::int32_t low_ = 0;
    std::int32_t lines_ = 0;
    std::size_t stride_;
    Array<std::uint64_t> bits_;
};

// The 64 bits from 64 w + by on of `line`. -64 < by < 64.
std::uint64_t shifted(const std::uint64_t* line, std::int32_t by, std::size_t w) {
    const std::uint64_t* low = line + (by < 0 ? -1 : 0);
    const auto shift = static_cast<std::uint32_t>(by) & 63U;
    return shift == 0 ? low[w] : (low[w] >> shift) | (low[w + 1] << (64U - shift));
}

// sum[w] &= shifted(line, by, w).
void and_shifted(const std::uint64_t* line, std::int32_t by, std::uint64_t* sum, std::int32_t words) {
    const std::uint64_t* low = line + (by < 0 ? -1 : 0);
    const auto shift = static_cast<std::uint32_t>(by) & 63U;
    if (shift == 0) {
        for (std::int32_t w = 0; w < words; ++w) sum[w] &= low[w];
        return;
    }
    for (std::int32_t w = 0; w < words; ++w) sum[w] &= (low[w] >> shift) | (low[w + 1] << (64U - shift));
}

// Takes out the starts in row y from which a step of dx, dy would lead off the map.
void keep_ends_inside(const DriveGround& rows, std::int32_t y, std::int32_t dx, std::int32_t dy,
                      std::span<std::uint64_t> sum) {
    const bool off = y + dy < 0 || y + dy >= rows.height;
    for (std::int32_t x = 0; x < rows.width; ++x) {
        if (off || x + dx < 0 || x + dx >= rows.width)
            sum[static_cast<std::size_t>(x >> 6)] &= ~(std::uint64_t{1} << (x & 63));
    }
}

}  // namespace

Result<EdgeMap> EdgeMap::make(const DriveGround& rows, const DriveTable& table, const Allocator& allocator,
                              const RoadRules& roads) {
    if (rows.width <= 0 || rows.height <= 0) return Error{ErrorCode::size_zero, Field::width};
    if (rows.width > kSideMax || rows.height > kSideMax)
        return Error{ErrorCode::size_limit, Field::height, kSideMax};
    if (!drive::RoadGround::good(roads)) return Error{ErrorCode::out_of_range, Field::road_rules};
    EdgeMap map(allocator);
    map.rules_ = roads;
    map.table_ = UsePointer<DriveTable>(table);
    map.width_ = rows.width;
    map.height_ = rows.height;
    map.across_ = static_cast<std::size_t>(rows.words());
    map.planes_ = table.primitives().all().size() + static_cast<std::size_t>(table.headings());
    const std::size_t size = map.across_ * map.planes_ * static_cast<std::size_t>(rows.height);
    if (rows.read_roads != nullptr && !map.list_road_visits()) return Error{ErrorCode::out_of_memory, -1, 0};
    if (!map.words_.resize_uninitialized(size) || !map.fill(rows, 0, rows.height))
        return Error{ErrorCode::out_of_memory, -1, static_cast<std::int64_t>(size * 8)};
    return map;
}

bool EdgeMap::copy_from(const EdgeMap& other) {
    table_ = UsePointer<DriveTable>(*other.table_);
    width_ = other.width_;
    height_ = other.height_;
    across_ = other.across_;
    planes_ = other.planes_;
    rules_ = other.rules_;
    road_margin_ = other.road_margin_;
    return words_.assign(other.words_.span()) && road_visits_.assign(other.road_visits_.span()) &&
           first_road_visit_.assign(other.first_road_visit_.span());
}

bool EdgeMap::update(const DriveGround& rows, std::int32_t low, std::int32_t high) {
    return fill(rows, std::max(0, low - margin()), std::min(height_, high + margin()));
}

bool EdgeMap::list_road_visits() {
    for (const Primitive& primitive : table_->primitives().all()) {
        if (!first_road_visit_.push_back(static_cast<std::uint32_t>(road_visits_.size()))) return false;
        const Pose start = table_->node(0, 0, primitive.from);
        const drive::SweptPieces pieces =
            drive::place_pieces(start, table_->turning_radius(), primitive.word);
        bool good = true;
        for (int i = 0; i < pieces.count; ++i) {
            drive::for_road_pieces(pieces.piece[i], [&](const drive::RoadPiece& piece) {
                const RoadVisit visit{.length = piece.length,
                                      .dx = static_cast<std::int16_t>(piece.x),
                                      .dy = static_cast<std::int16_t>(piece.y),
                                      .over_x = static_cast<std::int8_t>(piece.over_x),
                                      .over_y = static_cast<std::int8_t>(piece.over_y),
                                      .facing = static_cast<std::uint8_t>(piece.facing)};
                good = good && road_visits_.push_back(visit);
                const std::int32_t far = std::max(std::abs(piece.x), std::abs(piece.y)) + 1;
                road_margin_ = std::max(road_margin_, far);
            });
        }
        if (!good) return false;
    }
    return first_road_visit_.push_back(static_cast<std::uint32_t>(road_visits_.size()));
}

bool EdgeMap::fill(const DriveGround& rows, std::int32_t low, std::int32_t high) {
    constexpr std::int32_t kBlock = 64;  // rows at a time: their planes stay in the cache
    std::int32_t longest = 1;
    for (std::size_t i = 0; i < planes_; ++i) {
        for (const CellRun& run : table_->swept(i)) longest = std::max<std::int32_t>(longest, run.count);
    }
    Array<std::uint64_t> sum(words_.allocator());
    RunPlanes planes(rows, table_->margin(), longest, words_.allocator());
    if (!sum.resize(across_) || !planes.reserve(std::min(kBlock, high - low))) return false;
    drive::RoadPlanes roads(rows, drive::RoadGround::with(rules_, nullptr), road_margin_, words_.allocator());
    drive::RoadPlanes* const rules = road_forbids() ? &roads : nullptr;
    if (rules != nullptr && !roads.reserve(std::min(kBlock, high - low))) return false;
    for (std::int32_t first = low; first < high; first += kBlock) {
        const std::int32_t last = std::min(high, first + kBlock);
        planes.load(first, last);
        if (rules != nullptr) roads.load(first, last);
        for (std::int32_t y = first; y < last; ++y) fill_row(rows, y, planes, rules, sum.span());
    }
    return true;
}

// Takes out the starts in row y from which the primitive would do what the road rules forbid.
template <class Roads>
void EdgeMap::keep_to_roads(std::int32_t y, std::size_t primitive, Roads& roads,
                            std::span<std::uint64_t> sum) {
    for (const RoadVisit& visit : road_visits(primitive)) {
        const std::uint64_t* here = roads.line(visit.facing, y + visit.dy);
        const std::uint64_t* there = roads.line(visit.facing, y + visit.dy + visit.over_y);
        const std::int32_t by = visit.dx + visit.over_x;
        for (std::size_t w = 0; w < sum.size(); ++w)
            sum[w] &= shifted(here, visit.dx, w) | shifted(there, by, w);
    }
}

template <class Planes, class Roads>
void EdgeMap::fill_row(const DriveGround& rows, std::int32_t y, Planes& planes, Roads* roads,
                       std::span<std::uint64_t> sum) {
    const std::span<const Primitive> all = table_->primitives().all();
    const bool axle_outside = table_->ground_factor() == 0.0;  // then an end may lie off the map
    std::uint64_t* out = words_.data() + static_cast<std::size_t>(y) * across_ * planes_;
    for (std::size_t i = 0; i < planes_; ++i) {
        std::fill(sum.begin(), sum.end(), ~std::uint64_t{0});
        for (const CellRun& run : table_->swept(i)) {
            and_shifted(planes.line(run.count, y + run.dy), run.dx, sum.data(), rows.words());
        }
        if (roads != nullptr && i < all.size()) keep_to_roads(y, i, *roads, sum);
        if (axle_outside) {
            const bool move = i < all.size();
            keep_ends_inside(rows, y, move ? all[i].dx : 0, move ? all[i].dy : 0, sum);
        }
        for (std::size_t w = 0; w < across_; ++w) out[w * planes_ + i] = sum[w];
    }
}

}  // namespace fairlead
