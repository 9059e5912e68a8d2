#include <fairlead/drive/drive_map.h>

#include <algorithm>

#include "drive/ground_distance.h"
#include "drive/lattice_space.h"
#include "drive/pose_set.h"

namespace fairlead {

using drive::Direction;
using drive::LatticePose;
using drive::PoseClosure;

namespace {

// Some pose that is likely to be in the core: one at which a turn in each direction may be driven, nearest to the middle row
// by row. Then any that stands.
bool next_seed(const EdgeMap& edges, std::int32_t& row, LatticePose& seed) {
    for (; row < edges.height(); ++row) {
        // Rows 0, 1, 2... are looked at from the middle outwards.
        const std::int32_t half = (row + 1) / 2;
        const std::int32_t y = edges.height() / 2 + ((row & 1) != 0 ? -half : half);
        if (y < 0 || y >= edges.height()) continue;
        for (std::int32_t x = 0; x < edges.width(); ++x) {
            for (std::int32_t h = 0; h < edges.table().headings(); ++h) {
                const PrimitiveSet& set = edges.table().primitives();
                std::uint32_t open = 0;
                for (std::uint32_t i = set.first(h); i < set.first(h + 1); ++i) open += edges.may_drive(x, y, i);
                if (open * 2 > set.first(h + 1) - set.first(h)) {
                    seed = {x, y, h, Gear::forward};
                    ++row;
                    return true;
                }
            }
        }
    }
    return false;
}

}  // namespace

Result<DriveMap> DriveMap::make(const FreeRows& rows, const DriveTable& table, const DriveMapOptions& options) {
    Result<EdgeMap> edges = EdgeMap::make(rows, table, options.allocator);
    if (!edges) return edges.error();
    DriveMap map(std::move(*edges));
    map.options_ = options;
    map.free_ = Array<std::uint64_t>(options.allocator);
    map.joined_ = Array<std::uint64_t>(options.allocator);
    if (!map.copy_free_cells(rows) || !map.find_core()) return Error{ErrorCode::out_of_memory, -1, 0};
    return map;
}

bool DriveMap::copy_free_cells(const FreeRows& rows) {
    const auto words = static_cast<std::size_t>(rows.words);
    const std::size_t stride = words + 2;
    if (!free_.resize(stride * (static_cast<std::size_t>(rows.height) + 2))) return false;
    for (std::int32_t y = 0; y < rows.height; ++y) {
        rows.read(rows.user, y, free_.span().subspan((static_cast<std::size_t>(y) + 1) * stride + 1, words));
    }
    return true;
}

drive::GroundBits DriveMap::free_cells() const {
    const std::size_t stride = (static_cast<std::size_t>(edges_.width()) + 63) / 64 + 2;
    return {free_.data() + stride + 1, stride, edges_.width(), edges_.height()};
}

// The core: of a few seeds' components the first that holds most of what its seed touches.
bool DriveMap::find_core() {
    const Allocator& allocator = options_.allocator;
    PoseClosure forward(allocator);
    PoseClosure backward(allocator);
    drive::PoseSet best(allocator);
    std::uint64_t best_count = 0;
    LatticePose best_seed;
    LatticePose seed;
    std::int32_t row = 0;
    std::uint64_t stands = 0;
    for (int tries = 0; tries < 4 && next_seed(edges_, row, seed); ++tries) {
        if (best_count > 0 && best.has(seed)) continue;
        if (!forward.begin(edges_, Direction::forward, seed) || !backward.begin(edges_, Direction::backward, seed))
            return false;
        while (forward.step(1U << 20)) {}
        while (backward.step(1U << 20)) {}
        if (forward.failed() || backward.failed()) return false;
        const std::uint64_t reached = forward.set().count();
        stands = std::max(stands, reached);
        if (reached <= best_count) continue;
        const std::size_t half = forward.set().words().size();
        if (!joined_.resize_uninitialized(half * 2)) return false;
        std::copy(backward.set().words().begin(), backward.set().words().end(), joined_.begin());
        std::copy(forward.set().words().begin(), forward.set().words().end(), joined_.begin() + half);
        best_count = reached;
        best_seed = seed;
        if (!best.reset(edges_)) return false;
        std::copy(forward.set().words().begin(), forward.set().words().end(), best.words().begin());
    }
    return true;
}

bool DriveMap::in(std::size_t set, const LatticePose& pose) const {
    const std::size_t across = (static_cast<std::size_t>(edges_.width()) + 63) / 64;
    const auto height = static_cast<std::size_t>(edges_.height());
    const std::size_t half = joined_.size() / 2;
    const std::size_t word = (static_cast<std::size_t>(pose.heading) * height + static_cast<std::size_t>(pose.y)) *
                                 across +
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
