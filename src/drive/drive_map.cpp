#include <fairlead/drive/drive_map.h>

#include <algorithm>
#include <bit>

#include "drive/ground_distance.h"
#include "drive/lattice_space.h"
#include "drive/pose_set.h"

namespace fairlead {

using drive::Direction;
using drive::LatticePose;
using drive::PoseClosure;

namespace {

constexpr int kSeedsMax = 16;

// May most of the moves that leave this pose be driven, and most of those that arrive at it?
bool is_open(const EdgeMap& edges, std::int32_t x, std::int32_t y, std::int32_t heading) {
    const PrimitiveSet& set = edges.table().primitives();
    const std::uint32_t count = set.first(heading + 1) - set.first(heading);
    std::uint32_t leaving = 0;
    for (std::uint32_t i = set.first(heading); i < set.first(heading + 1); ++i)
        leaving += edges.may_drive(x, y, i);
    if (leaving * 2 <= count) return false;
    std::uint32_t arriving = 0;
    for (std::uint32_t i = 0; i < set.all().size(); ++i) {
        const Primitive& p = set.all()[i];
        if (p.to != heading) continue;
        const std::int32_t fx = x - p.dx;
        const std::int32_t fy = y - p.dy;
        const bool inside = fx >= 0 && fy >= 0 && fx < edges.width() && fy < edges.height();
        arriving += inside && edges.may_drive(fx, fy, i) ? 1U : 0U;
    }
    return arriving * 2 > count;
}

// The next row that has an open pose, from the middle outwards, and the first of them.
bool next_seed(const EdgeMap& edges, std::int32_t& row, LatticePose& seed) {
    while (row < 2 * edges.height()) {
        const std::int32_t half = (row + 1) / 2;
        const std::int32_t y = edges.height() / 2 + ((row & 1) != 0 ? -half : half);
        ++row;
        if (y < 0 || y >= edges.height()) continue;
        for (std::int32_t x = 0; x < edges.width(); ++x) {
            for (std::int32_t h = 0; h < edges.table().headings(); ++h) {
                if (!edges.stands(x, y, h) || !is_open(edges, x, y, h)) continue;
                seed = {x, y, h, Gear::forward};
                return true;
            }
        }
    }
    return false;
}

}  // namespace

Result<DriveMap> DriveMap::make(const DriveGround& rows, const DriveTable& table,
                                const DriveMapOptions& options) {
    Result<EdgeMap> edges = EdgeMap::make(rows, table, options.allocator);
    if (!edges) return edges.error();
    DriveMap map(std::move(*edges));
    map.options_ = options;
    map.free_ = Array<std::uint64_t>(options.allocator);
    map.joined_ = Array<std::uint64_t>(options.allocator);
    if (!map.copy_free_cells(rows) || !map.find_core()) return Error{ErrorCode::out_of_memory, -1, 0};
    return map;
}

bool DriveMap::copy_free_cells(const DriveGround& rows) {
    const auto words = static_cast<std::size_t>(rows.words());
    const std::size_t stride = words + 2;
    if (!free_.resize(stride * (static_cast<std::size_t>(rows.height) + 2))) return false;
    for (std::int32_t y = 0; y < rows.height; ++y) {
        rows.read_free(rows.user, y,
                       free_.span().subspan((static_cast<std::size_t>(y) + 1) * stride + 1, words));
    }
    return true;
}

Result<void> DriveMap::update(const DriveGround& ground, std::uint64_t revision) {
    if (ground.width != edges_.width() || ground.height != edges_.height())
        return Error{ErrorCode::size_mismatch, 0, edges_.width()};
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    const auto words = static_cast<std::size_t>(ground.words());
    const std::size_t stride = words + 2;
    Array<std::uint64_t> row(options_.allocator);
    if (!row.resize_uninitialized(words)) return no_memory;
    std::int32_t low = ground.height;
    std::int32_t high = 0;
    for (std::int32_t y = 0; y < ground.height; ++y) {
        ground.read_free(ground.user, y, row.span());
        if (std::equal(row.begin(), row.end(), free_.data() + (static_cast<std::size_t>(y) + 1) * stride + 1))
            continue;
        low = std::min(low, y);
        high = y + 1;
    }
    if (low < high) {
        if (!edges_.update(ground, low, high) || !copy_free_cells(ground) || !find_core()) return no_memory;
    }
    options_.revision = revision;
    return {};
}

drive::GroundBits DriveMap::free_cells() const {
    const std::size_t stride = (static_cast<std::size_t>(edges_.width()) + 63) / 64 + 2;
    return {free_.data() + stride + 1, stride, edges_.width(), edges_.height()};
}

// The core: of a few seeds' strong components the largest, or the first that is most of what its seed reaches.
bool DriveMap::find_core() {
    const Allocator& allocator = options_.allocator;
    PoseClosure forward(allocator);
    PoseClosure backward(allocator);
    const auto close = [&](PoseClosure& closure, Direction direction, const LatticePose& from) {
        if (!closure.begin(edges_, direction)) return false;
        closure.add(from);
        while (closure.step(1U << 20)) {
        }
        return true;
    };
    std::uint64_t best = 0;
    LatticePose seed;
    std::int32_t row = 0;
    for (int tries = 0; tries < kSeedsMax && next_seed(edges_, row, seed); ++tries) {
        if (in(0, seed) && in(1, seed)) continue;
        if (!close(forward, Direction::forward, seed) || !close(backward, Direction::backward, seed))
            return false;
        const std::span<const std::uint64_t> reached = forward.set().words();
        const std::span<const std::uint64_t> reaching = backward.set().words();
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            size += static_cast<std::uint64_t>(std::popcount(reached[i] & reaching[i]));
        }
        if (size <= best) continue;
        best = size;
        if (!joined_.resize_uninitialized(reached.size() * 2)) return false;
        std::copy(reaching.begin(), reaching.end(), joined_.begin());
        std::copy(reached.begin(), reached.end(), joined_.begin() + reached.size());
        if (size * 2 > forward.set().count()) break;
    }
    return true;
}

bool DriveMap::in(std::size_t set, const LatticePose& pose) const {
    const std::size_t across = (static_cast<std::size_t>(edges_.width()) + 63) / 64;
    const auto height = static_cast<std::size_t>(edges_.height());
    const std::size_t half = joined_.size() / 2;
    const std::size_t word =
        (static_cast<std::size_t>(pose.heading) * height + static_cast<std::size_t>(pose.y)) * across +
        static_cast<std::size_t>(pose.x >> 6);
    return half > 0 && ((joined_[set * half + word] >> (pose.x & 63)) & 1U) != 0;
}

DriveMap::Joined DriveMap::joined(const LatticePose& from, const LatticePose& to) const {
    const bool reaches_core = in(0, from);
    const bool core_reaches = in(1, to);
    if (reaches_core && core_reaches) return Joined::yes;
    // From the core on everything that it reaches is reached: what it does not reach, nor does this.
    if (in(1, from) && !core_reaches) return Joined::no;
    if (in(0, to) && !reaches_core) return Joined::no;
    return Joined::unknown;
}

}  // namespace fairlead
