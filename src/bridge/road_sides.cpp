// The sides of the union of convex pieces of ground. Each side of a piece is cut by all others that reach it; what lies in none is a wall.
// Of sides that two pieces share, facing the same way, the first one's stays.
#include <algorithm>

#include <fairlead/math/trig.h>

#include "bridge/road_ground.h"

namespace fairlead::bridge {

namespace {

constexpr std::size_t kCorners = 32;
constexpr double kRound = 1e-9;  // of half a width
constexpr double kPi = 3.14159265358979323846;

/// A convex polygon, counter-clockwise, at the height of a line above it.
struct Patch {
    std::uint32_t first = 0;  ///< of its corners
    std::uint32_t count = 0;
    Vec3 a{};
    Vec3 b{};  ///< a: it is level
    double half = 0.0;

    [[nodiscard]] double z(Vec2 p) const {
        const Vec2 along = ground(b) - ground(a);
        const double size = dot(along, along);
        return size > 0.0 ? a.z + (b.z - a.z) * (dot(p - ground(a), along) / size) : a.z;
    }
};

struct Corner {
    Vec2 p{};
    double angle = 0.0;  ///< grows with the direction from the middle
};

/// 0 to 4, as the direction turns once round.
double turn_of(Vec2 d) {
    const double sum = (d.x < 0.0 ? -d.x : d.x) + (d.y < 0.0 ? -d.y : d.y);
    const double part = sum > 0.0 ? d.y / sum : 0.0;
    if (d.x < 0.0) return 2.0 - part;
    return d.y < 0.0 ? 4.0 + part : part;
}

struct EndOfRoad {
    Vec3 at{};
    Vec2 along{};  ///< out of the waypoint
    double half = 0.0;
    std::uint32_t road = 0;

    [[nodiscard]] static bool before(const EndOfRoad& a, const EndOfRoad& b) {
        if (a.at.x != b.at.x) return a.at.x < b.at.x;
        if (a.at.y != b.at.y) return a.at.y < b.at.y;
        return a.at.z != b.at.z ? a.at.z < b.at.z : a.road < b.road;
    }
};

class Union {
  public:
    Union(const RoadGround& ground_of, Array<WallPiece>& sides)
        : ground_(ground_of),
          sides_(sides),
          patches_(ground_of.allocator),
          corners_(ground_of.allocator),
          ends_(ground_of.allocator),
          round_(ground_of.allocator),
          free_(ground_of.allocator),
          left_(ground_of.allocator),
          order_(ground_of.allocator),
          boxes_(ground_of.allocator) {}

    [[nodiscard]] bool run() {
        if (!add_roads() || !add_waypoints() || !order_patches()) return false;
        for (std::uint32_t i = 0; i < patches_.size(); ++i) {
            const bool road = i < ground_.roads.size();
            for (std::uint32_t k = 0; k < patches_[i].count; ++k) {
                if (road && k % 2 == 1) continue;  // its ends lie within waypoints
                if (!cut_side(i, k)) return false;
            }
        }
        return true;
    }

  private:
    bool add_roads() {
        for (std::uint32_t i = 0; i < ground_.roads.size(); ++i) {
            const Road& road = ground_.roads[i];
            const Vec2 a = ground(road.a);
            const Vec2 b = ground(road.b);
            const Vec2 along = normalized(b - a);
            const Vec2 left = Vec2{-along.y, along.x} * road.half;
            Patch patch{static_cast<std::uint32_t>(corners_.size()), 4, road.a, road.b, road.half};
            if (along == Vec2{}) patch.count = 0;  // straight up
            for (const Vec2 p : {a - left, b - left, b + left, a + left}) {
                if (!corners_.push_back(p)) return false;
            }
            if (!patches_.push_back(patch)) return false;
            if (!ends_.push_back({road.a, along, road.half, i}) ||
                !ends_.push_back({road.b, -along, road.half, i}))
                return false;
        }
        std::sort(ends_.begin(), ends_.end(), EndOfRoad::before);  // total order
        return true;
    }

    bool add_waypoints() {
        for (std::size_t from = 0; from < ends_.size();) {
            std::size_t to = from + 1;
            while (to < ends_.size() && ends_[to].at == ends_[from].at) ++to;
            if (!add_waypoint(ends_.span().subspan(from, to - from))) return false;
            from = to;
        }
        return true;
    }

    /// The circle of the widest road there, the corners of its roads on it.
    bool add_waypoint(std::span<const EndOfRoad> ends) {
        const Vec3 at = ends[0].at;
        double half = 0.0;
        for (const EndOfRoad& end : ends) half = end.half > half ? end.half : half;
        round_.clear();
        const auto add = [&](Vec2 out) { return round_.push_back({ground(at) + out * half, turn_of(out)}); };
        for (std::size_t i = 0; i < kCorners; ++i) {
            const math::SinCos turn = math::sin_cos(static_cast<double>(i) * (2.0 * kPi / kCorners));
            if (!add({turn.cos, turn.sin})) return false;
        }
        for (const EndOfRoad& end : ends) {
            if (end.half < half || end.along == Vec2{}) continue;
            const Vec2 left{-end.along.y, end.along.x};
            if (!add(left) || !add(-left)) return false;
        }
        const auto before = [](const Corner& a, const Corner& b) {
            if (a.angle != b.angle) return a.angle < b.angle;
            return a.p.x != b.p.x ? a.p.x < b.p.x : a.p.y < b.p.y;
        };
        std::sort(round_.begin(), round_.end(), before);  // total order: equal corners are equal
        Patch patch{static_cast<std::uint32_t>(corners_.size()), 0, at, at, half};
        constexpr double kSame = 1e-7;  // of a turn
        for (std::size_t i = 0; i < round_.size(); ++i) {
            const double next = i + 1 < round_.size() ? round_[i + 1].angle : round_[0].angle + 4.0;
            if (next - round_[i].angle < kSame) continue;
            if (!corners_.push_back(round_[i].p)) return false;
            ++patch.count;
        }
        return patches_.push_back(patch);
    }

    bool order_patches() {
        Array<Aabb> boxes(ground_.allocator);
        for (const Patch& patch : patches_) {
            if (!boxes.push_back(box_around(ground(patch.a), ground(patch.b), patch.half))) return false;
        }
        if (!order_boxes(boxes.span(), order_)) return false;
        boxes_.tree = roadmap::BoxTree::over(static_cast<std::uint32_t>(boxes.size()));
        if (!boxes_.boxes.resize(boxes_.tree.size)) return false;
        for (std::size_t i = 0; i < order_.size(); ++i) boxes_.boxes[i] = boxes[order_[i]];
        boxes_.tree.build(boxes_.boxes.data());
        return true;
    }

    [[nodiscard]] Vec2 corner(const Patch& patch, std::uint32_t k) const {
        return corners_[patch.first + (k == patch.count ? 0 : k)];
    }

    /// The stretch of a side that lies in another patch.
    [[nodiscard]] Stretch within(const Patch& side_of, Vec2 a, Vec2 b, const Patch& other, bool first,
                                 double round) const {
        Stretch in{0.0, 1.0};
        // where a value that changes evenly from one to the other is not below 0
        const auto cut = [&](double at_a, double at_b) {
            if (at_a >= 0.0 && at_b >= 0.0) return;
            if (at_a < 0.0 && at_b < 0.0) {
                in = {};
                return;
            }
            const double at = at_a / (at_a - at_b);
            if (at_a < 0.0) {
                if (at > in.from) in.from = at;
            } else if (at < in.to) {
                in.to = at;
            }
        };
        for (std::uint32_t k = 0; k < other.count && !in.empty(); ++k) {
            const Vec2 from = corner(other, k);
            const Vec2 along = normalized(corner(other, k + 1) - from);
            const double at_a = cross(along, a - from);
            const double at_b = cross(along, b - from);
            const bool shared = at_a >= -round && at_a <= round && at_b >= -round && at_b <= round;
            if (shared && dot(along, b - a) > 0.0 && !first) return {};
            cut(at_a + round, at_b + round);
        }
        if (!ground_.flat && !in.empty()) {
            const double dz_a = side_of.z(a) - other.z(a);
            const double dz_b = side_of.z(b) - other.z(b);
            cut(ground_.height - dz_a, ground_.height - dz_b);
            cut(ground_.height + dz_a, ground_.height + dz_b);
        }
        return in;
    }

    bool take_off(Stretch in) {
        left_.clear();
        for (const Stretch& part : free_) {
            if (in.to <= part.from || in.from >= part.to) {
                if (!left_.push_back(part)) return false;
                continue;
            }
            if (in.from > part.from && !left_.push_back({part.from, in.from})) return false;
            if (in.to < part.to && !left_.push_back({in.to, part.to})) return false;
        }
        return free_.assign(left_.span());
    }

    bool cut_side(std::uint32_t i, std::uint32_t k) {
        const Patch& patch = patches_[i];
        const Vec2 a = corner(patch, k);
        const Vec2 b = corner(patch, k + 1);
        const double most = patch.half + length(a) + length(b);
        const double round = kRound * patch.half + most * 0x1p-48;
        free_.clear();
        if (!free_.push_back({0.0, 1.0})) return false;
        const Aabb box = box_around(a, b, round);
        bool memory = true;
        boxes_.visit([&](const Aabb& other) { return overlaps(box, other); },
                     [&](std::uint32_t item) {
                         const std::uint32_t j = order_[item];
                         if (j == i || patches_[j].count == 0) return true;
                         const Stretch in = within(patch, a, b, patches_[j], j < i, round);
                         memory = in.empty() || take_off(in);
                         return memory && !free_.empty();
                     });
        if (!memory) return false;
        const double least = 4.0 * round / distance(a, b);
        for (const Stretch& part : free_) {
            if (!(part.to - part.from > least)) continue;
            const Vec2 from = part.from > 0.0 ? a + (b - a) * part.from : a;
            const Vec2 to = part.to < 1.0 ? a + (b - a) * part.to : b;
            WallPiece piece;
            piece.a = {from.x, from.y, patch.z(from)};
            piece.b = {to.x, to.y, patch.z(to)};
            if (!sides_.push_back(piece)) return false;
        }
        return true;
    }

    const RoadGround& ground_;
    Array<WallPiece>& sides_;
    Array<Patch> patches_;  ///< the roads, then the waypoints
    Array<Vec2> corners_;
    Array<EndOfRoad> ends_;
    Array<Corner> round_;
    Array<Stretch> free_;
    Array<Stretch> left_;
    Array<std::uint32_t> order_;
    BoxRow boxes_;
};

}  // namespace

bool find_sides(const RoadGround& ground, Array<WallPiece>& sides) { return Union(ground, sides).run(); }

}  // namespace fairlead::bridge
