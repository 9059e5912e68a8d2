// The squared distance is a sum over the axes, so that it is measured axis by axis: first along the rows of voxels,
// then across.
#include "oracle/volume_radius.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fairlead::oracle {

namespace {

/// From a place to a voxel on one axis.
std::int32_t gap_on_axis(std::int32_t place, std::int32_t voxel, std::int32_t parts) {
    return std::max({0, voxel * parts - place, place - (voxel + 1) * parts});
}

class Joined {
  public:
    explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
    [[nodiscard]] std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

  private:
    std::vector<std::uint32_t> parent_;
};

/// A list of lists: from[outer][voxel][inner] to to[outer][place][inner], the least sum with the gap on this axis.
struct Layout {
    std::size_t outer, inner;
    std::int32_t voxels, places;
};

std::vector<std::int32_t> spread(const std::vector<std::int32_t>& from, const Layout& layout,
                                 std::int32_t parts, std::int32_t cap) {
    const auto places = static_cast<std::size_t>(layout.places);
    const auto voxels = static_cast<std::size_t>(layout.voxels);
    std::vector<std::int32_t> to(layout.outer * places * layout.inner, cap);
    for (std::size_t o = 0; o < layout.outer; ++o) {
        for (std::int32_t place = 0; place < layout.places; ++place) {
            std::int32_t* const out = &to[(o * places + static_cast<std::size_t>(place)) * layout.inner];
            for (std::int32_t v = 0; v < layout.voxels; ++v) {
                const std::int32_t gap = gap_on_axis(place, v, parts);
                if (gap * gap >= cap) continue;
                const std::int32_t* const in =
                    &from[(o * voxels + static_cast<std::size_t>(v)) * layout.inner];
                for (std::size_t i = 0; i < layout.inner; ++i) out[i] = std::min(out[i], in[i] + gap * gap);
            }
        }
    }
    return to;
}

}  // namespace

VolumeRadius::VolumeRadius(const VolumeDense& world, double radius_max) {
    const auto wide = static_cast<std::int32_t>(std::ceil(radius_max * kParts));
    cap_ = std::min(wide * wide, 0xFFFF);
    const std::int32_t voxels[3] = {world.size.x, world.size.y, world.size.z};
    for (int k = 0; k < 3; ++k) side_[k] = voxels[k] * kParts + 1;
    measure(world);
}

void VolumeRadius::measure(const VolumeDense& world) {
    std::vector<std::int32_t> squared;
    for (const std::uint8_t solid : world.solid) squared.push_back(solid != 0 ? 0 : cap_);
    const auto size = [](std::int32_t v) { return static_cast<std::size_t>(v); };
    const Voxel n = world.size;
    squared = spread(squared, {size(n.z) * size(n.y), 1, n.x, side_[0]}, kParts, cap_);
    squared = spread(squared, {size(n.z), size(side_[0]), n.y, side_[1]}, kParts, cap_);
    squared = spread(squared, {1, size(side_[0]) * size(side_[1]), n.z, side_[2]}, kParts, cap_);
    squared_.reserve(squared.size());
    std::size_t i = 0;
    for (std::int32_t z = 0; z < side_[2]; ++z) {
        for (std::int32_t y = 0; y < side_[1]; ++y) {
            for (std::int32_t x = 0; x < side_[0]; ++x, ++i) {
                const std::int32_t out =
                    std::min({x, side_[0] - 1 - x, y, side_[1] - 1 - y, z, side_[2] - 1 - z});
                const std::int32_t edge = out * out < cap_ ? out * out : cap_;
                squared_.push_back(static_cast<std::uint16_t>(std::min({squared[i], edge, cap_})));
            }
        }
    }
}

std::size_t VolumeRadius::place_at(Vec3 p) const {
    const double coordinates[3] = {p.x, p.y, p.z};
    std::size_t place = 0;
    for (int k = 2; k >= 0; --k) {
        const auto nearest = static_cast<std::int32_t>(std::floor(coordinates[k] * kParts + 0.5));
        place = place * static_cast<std::size_t>(side_[k]) +
                static_cast<std::size_t>(std::clamp(nearest, 0, side_[k] - 1));
    }
    return place;
}

double VolumeRadius::room_at(Vec3 p) const { return std::sqrt(squared_[place_at(p)]) / kParts; }

void VolumeRadius::answer(std::vector<Pair>& pairs) const {
    // Places in falling distance, by counting.
    std::vector<std::uint32_t> first(static_cast<std::size_t>(cap_) + 2);
    for (const std::uint16_t s : squared_) ++first[static_cast<std::size_t>(cap_ - s) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> order(squared_.size());
    std::vector<std::uint32_t> next = first;
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[next[static_cast<std::size_t>(cap_ - squared_[i])]++] = i;

    Joined joined(squared_.size());
    const auto wide = static_cast<std::uint32_t>(side_[0]);
    const auto layer = wide * static_cast<std::uint32_t>(side_[1]);
    const std::uint32_t strides[3] = {1, wide, layer};
    for (Pair& pair : pairs) pair.radius = -1.0;
    for (std::int32_t level = cap_; level > 0; --level) {
        const auto from = first[static_cast<std::size_t>(cap_ - level)];
        const auto to = first[static_cast<std::size_t>(cap_ - level) + 1];
        for (std::uint32_t i = from; i < to; ++i) {
            const std::uint32_t at = order[i];
            const std::uint32_t place[3] = {at % wide, at / wide % static_cast<std::uint32_t>(side_[1]),
                                            at / layer};
            for (int k = 0; k < 3; ++k) {
                if (place[k] > 0 && squared_[at - strides[k]] >= level) joined.join(at, at - strides[k]);
                if (place[k] + 1 < static_cast<std::uint32_t>(side_[k]) && squared_[at + strides[k]] >= level)
                    joined.join(at, at + strides[k]);
            }
        }
        if (from == to) continue;
        for (Pair& pair : pairs) {
            const auto a = static_cast<std::uint32_t>(place_at(pair.from));
            const auto b = static_cast<std::uint32_t>(place_at(pair.to));
            const bool both = squared_[a] >= level && squared_[b] >= level;
            if (pair.radius < 0.0 && both && joined.find(a) == joined.find(b))
                pair.radius = std::sqrt(level) / kParts;
        }
    }
}

}  // namespace fairlead::oracle
