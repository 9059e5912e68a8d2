// Looking places up: a label of the nearest corner of the raster, the axis as a way in a tree, a route walked in half cells.
#include <fairlead/crowd/narrow_places.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/base/digest.h>

#include "crowd/places/build.h"

namespace fairlead {

namespace {

template <class T>
bool same_list(const Array<T>& a, const Array<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::span<const PlaceMouth> NarrowPlaces::mouths(std::uint32_t place) const {
    return mouths_.span().subspan(places_[place].mouth, places_[place].mouths);
}

std::uint32_t NarrowPlaces::label(std::int32_t x, std::int32_t y) const {
    const auto columns = static_cast<std::size_t>((width_ + 7) / 8);
    const std::uint32_t block =
        blocks_[static_cast<std::size_t>(y / 8) * columns + static_cast<std::size_t>(x / 8)];
    if (block == kNoPlace || block < crowd::kManyPlaces) return block;
    const std::size_t first = std::size_t{block - crowd::kManyPlaces} * 64;
    return labels_[first + static_cast<std::size_t>(8 * (y % 8) + x % 8)];
}

std::uint32_t NarrowPlaces::place_at(Vec2 centre) const {
    const double x = (centre.x - origin_.x) / cell_ + 0.5;
    const double y = (centre.y - origin_.y) / cell_ + 0.5;
    // Also false for what is not a number.
    if (!(x >= 0.0 && y >= 0.0 && x < width_ && y < height_)) return kNoPlace;
    return label(static_cast<std::int32_t>(x), static_cast<std::int32_t>(y));
}

std::uint32_t NarrowPlaces::place_near(Vec2 centre, double reach) const {
    std::uint32_t place = place_at(centre);
    if (!(reach > 0.0)) return place;
    constexpr double kDiagonal = 0.70710678118654752;
    for (const double part : {0.5, 1.0}) {
        const double straight = part * reach;
        const double diagonal = kDiagonal * straight;
        const Vec2 around[8] = {{straight, 0.0},       {-straight, 0.0},      {0.0, straight},
                                {0.0, -straight},      {diagonal, diagonal},  {-diagonal, diagonal},
                                {diagonal, -diagonal}, {-diagonal, -diagonal}};
        for (const Vec2 off : around) {
            if (place != kNoPlace) return place;
            place = place_at(centre + off);
        }
    }
    return place;
}

std::uint32_t NarrowPlaces::mouth_by(std::uint32_t place, Vec2 at, double reach) const {
    if (places_[place].mouths == 0) return kNoMouth;
    std::uint32_t nearest = kNoMouth;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < places_[place].mouths; ++i) {
        const Vec2 off = mouths_[places_[place].mouth + i].middle - at;
        const double square = dot(off, off);
        if (square >= least) continue;
        least = square;
        nearest = i;
    }
    // smaller units may go over a side: where the others find no room
    const double most = mouths_[places_[place].mouth + nearest].half_width + 2.0 * radius_ + reach;
    return least <= most * most ? nearest : kOverSide;
}

bool NarrowPlaces::axis(std::uint32_t place, std::uint32_t from, std::uint32_t to,
                        Array<PlaceNode>& out) const {
    out.clear();
    std::uint32_t up = mouths_[places_[place].mouth + from].node;
    std::uint32_t down = mouths_[places_[place].mouth + to].node;
    // Parents have lower numbers: the higher one of the two is not yet where the ways meet.
    std::size_t rising = 0;
    for (std::uint32_t a = up, b = down; a != b;) {
        if (a > b) {
            a = nodes_[a].parent;
            ++rising;
        } else {
            b = nodes_[b].parent;
        }
    }
    for (; rising > 0; --rising) {
        if (!out.push_back(nodes_[up])) return false;
        up = nodes_[up].parent;
    }
    const std::size_t turn = out.size();
    for (; down != up; down = nodes_[down].parent) {
        if (!out.push_back(nodes_[down])) return false;
    }
    if (!out.push_back(nodes_[up])) return false;
    std::reverse(out.begin() + turn, out.end());
    return true;
}

namespace {

/// The part of a segment that lies in a box: t0 to t1 of it. False: none.
bool part_within(Vec2 a, Vec2 b, Vec2 low, Vec2 high, double& t0, double& t1) {
    const double from[2] = {a.x, a.y};
    const double by[2] = {b.x - a.x, b.y - a.y};
    const double least[2] = {low.x, low.y};
    const double most[2] = {high.x, high.y};
    t0 = 0.0;
    t1 = 1.0;
    for (int axis = 0; axis < 2; ++axis) {
        if (by[axis] == 0.0) {
            if (from[axis] < least[axis] || from[axis] > most[axis]) return false;
            continue;
        }
        const double s = (least[axis] - from[axis]) / by[axis];
        const double e = (most[axis] - from[axis]) / by[axis];
        t0 = std::max(t0, std::min(s, e));
        t1 = std::min(t1, std::max(s, e));
    }
    return t0 <= t1;
}

/// What a walk along a route is in.
struct Visit {
    std::uint32_t place = kNoPlace;
    bool from_start = false;
    Vec2 entered{};
    Vec2 last{};
    double from = 0.0;
    double to = 0.0;
};

}  // namespace

bool NarrowPlaces::crossings(std::span<const Vec2> route, Array<PlaceCrossing>& out, double reach) const {
    out.clear();
    Visit visit;
    const auto close = [&](bool inside) {
        const std::uint32_t place = visit.place;
        visit.place = kNoPlace;
        if (place == kNoPlace) return true;
        PlaceCrossing crossing{.place = place, .from = visit.from, .to = visit.to};
        if (!visit.from_start) crossing.in = mouth_by(place, visit.entered, reach);
        if (!inside) crossing.out = mouth_by(place, visit.last, reach);
        const bool turned_back = crossing.in == crossing.out && crossing.in < places_[place].mouths;
        return turned_back || out.push_back(crossing);
    };
    bool first = true;
    const auto look = [&](Vec2 at, double distance) {
        const std::uint32_t here = place_near(at, reach);
        const bool is_start = first;
        first = false;
        if (here != kNoPlace && here == visit.place) {
            visit.last = at;
            visit.to = distance;
            return true;
        }
        // A gap of less than a radius is a rounded corner, not a way out.
        if (here == kNoPlace && distance - visit.to < radius_) return true;
        if (!close(false)) return false;
        if (here != kNoPlace) visit = {here, is_start, at, at, distance, distance};
        return true;
    };
    const Vec2 high = origin_ + Vec2{cell_ * (width_ - 1), cell_ * (height_ - 1)};
    double done = 0.0;
    if (!route.empty() && !look(route[0], 0.0)) return false;
    for (std::size_t i = 1; i < route.size(); ++i) {
        const double whole = distance(route[i - 1], route[i]);
        if (!std::isfinite(whole)) return close(false);
        double t0 = 0.0;
        double t1 = 0.0;
        if (part_within(route[i - 1], route[i], origin_, high, t0, t1)) {
            const double steps = std::ceil((t1 - t0) * whole / (0.5 * cell_));
            for (double k = 1.0; k <= steps; k += 1.0) {
                const double t = t0 + (t1 - t0) * (k / steps);
                if (!look(route[i - 1] + (route[i] - route[i - 1]) * t, done + whole * t)) return false;
            }
        }
        done += whole;
    }
    return close(visit.place != kNoPlace && place_near(route.back(), reach) == visit.place);
}

std::size_t NarrowPlaces::memory() const {
    return places_.bytes() + mouths_.bytes() + nodes_.bytes() + rooms_.bytes() + blocks_.bytes() +
           labels_.bytes();
}

std::uint64_t NarrowPlaces::digest() const {
    Digest digest;
    const auto add = [&digest](Vec2 v) {
        digest.add(v.x);
        digest.add(v.y);
    };
    for (const NarrowPlace& place : places_) {
        digest.add(static_cast<std::uint32_t>(place.kind));
        add({place.width, place.length});
        digest.add(place.centre_space);
        for (const std::uint32_t n : {place.pockets, place.mouth, place.mouths, place.node, place.nodes})
            digest.add(n);
    }
    for (const PlaceMouth& mouth : mouths_) {
        add(mouth.middle);
        add(mouth.outward);
        digest.add(mouth.half_width);
        for (const std::uint32_t n : {mouth.room, mouth.beyond, mouth.node}) digest.add(n);
    }
    for (const PlaceNode& node : nodes_) {
        add(node.at);
        digest.add(node.clearance);
        digest.add(node.parent);
    }
    for (const PlaceRoom& room : rooms_) {
        digest.add(room.centre_space);
        digest.add(room.capacity);
        digest.add(room.mouths);
    }
    for (const std::uint32_t block : blocks_) digest.add(block);
    for (const std::uint32_t label : labels_) digest.add(label);
    return digest.value();
}

bool operator==(const NarrowPlaces& a, const NarrowPlaces& b) {
    return a.origin_ == b.origin_ && a.cell_ == b.cell_ && a.radius_ == b.radius_ && a.width_ == b.width_ &&
           a.height_ == b.height_ && same_list(a.places_, b.places_) && same_list(a.mouths_, b.mouths_) &&
           same_list(a.nodes_, b.nodes_) && same_list(a.rooms_, b.rooms_) &&
           same_list(a.blocks_, b.blocks_) && same_list(a.labels_, b.labels_);
}

}  // namespace fairlead
