// Exact shortest paths over off-mesh links.
//
// A link is taken from a polygon that has its entry to one that has its exit (links.h). Where both are points, the exit is
// a new root that sees all of its polygon, as the start does. Where they are segments, E and E' = E + d, a shortest way
// enters at an end of E, and then the exit is a root, or between the ends. Then the way before it is a straight line from its root r
// to a point p of E, and the way after it begins with one from p + d; as |r - p| = |(r + d) - (p + d)|, its length is that of a
// way from r + d through E', which must be straight where it goes on beyond E', and is reflected there where it comes back. So
// what r sees of E goes on as two cones through the same part of E': one from r + d, and one from its mirror image on the
// other side of E'. All that is asked of them later is as for any other root.
//
// Where the exit side of one link crosses the entry side of another, the way between them has no length and so no direction: that
// point is a root of its own.
//
// Which cone is worth while: only that of the part of E to which no shorter way is known (side_claims.h), and of the part of E' to
// which none is; E' is the entry of the way back. It is asked when the cone is made and when it is opened. So there is an end to it where
// links lead round and round. The same is asked of points, whose exits are entries of the way back too. A cone that has passed
// kLinksInRow wide links in a straight line goes no further; the ends of the links after it are taken.
//
// Bounds. Let T be the links that cost less than their straight line. A way to the goal t from p without any of them is no shorter
// than |p - t|: the others only add to a sum of straight lines. A way that uses some begins with one to the entry of a link c of T
// and is at least |p - c| + R(c) long, where R(c) = cost(c) + min(|exit - t|, |exit - c'| + R(c') over the c' of T). The least
// of all these bounds what is left. If T is large, R alone is used: the least cost(c) + |exit - t| over the last one of them.
// Landmarks measure ways through links in both directions, with all kinds open; so they bound whatever the query closes. Links
// that they do not know, or not that cheap: a way that uses some has a last one, c, and from its exit on the landmarks are right:
// it is at least cost(c) + L(exit, t) long. Landmarks are not believed beyond the least of these (rest_cap_).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mesh/search/any_angle.h"

namespace fairlead::mesh {

namespace {

constexpr std::uint8_t kLinksInRow = 32;
/// In units of cost, 2^-40 to 2^-41 of the mesh's size: a root this near to an entry stands on it.
constexpr double kStandsOn = 4.0;
constexpr double kEndless = std::numeric_limits<double>::infinity();
/// What rounding may take off a straight line.
constexpr double kShorter = 1.0 - 1e-11;

Vec2 on_side(const Vec2* side, double share) {
    return share <= 0.0 ? side[0] : share >= 1.0 ? side[1] : side[0] + (side[1] - side[0]) * share;
}

/// Where a function that is linear along a side is not negative.
void clip_range(double at_0, double at_1, double& low, double& high) {
    if (at_0 < 0.0 && at_1 < 0.0) high = low - 1.0;
    if (at_0 < 0.0 && at_1 >= 0.0) low = std::max(low, at_0 / (at_0 - at_1));
    if (at_1 < 0.0 && at_0 >= 0.0) high = std::min(high, at_0 / (at_0 - at_1));
}

}  // namespace

bool AnyAngleSpace::use_links(const LinkUse& use, bool both_ways) {
    link_use_ = use;
    both_ways_ = both_ways;
    const LinkTable& table = state_->links;
    const auto is_open = [&](const LinkPiece& piece) { return both_ways || use.open(table, piece); };
    if (std::none_of(table.pieces.begin(), table.pieces.end(), is_open)) return true;
    links_ = &table;
    if (!claims_.begin(table.pieces.size())) return false;
    if (use.room > 0.0 && ranges_.size() < table.pieces.size() && !ranges_.resize(table.pieces.size()))
        return false;
    if (!goals_.empty() && goals_.size() <= kGoalsAimedAt) bound_links();
    return true;
}

void AnyAngleSpace::bound_links() {
    const LinkTable& table = *links_;
    const bool dearer = link_use_.factor_least() >= 1.0;
    const auto each_of = [&](const Array<std::uint32_t>& listed, auto visit) {
        const std::size_t count = dearer ? listed.size() : table.pieces.size();
        for (std::size_t k = 0; k < count; ++k) {
            const LinkPiece& piece = table.pieces[dearer ? listed[k] : k];
            if (link_use_.open(table, piece)) visit(piece);
        }
    };
    const auto to_goals = [&](Vec2 p) {
        double least = kEndless;
        for (const PathEnd& goal : goals_) least = std::min(least, distance(p, goal.at));
        return least;
    };
    struct Exit {
        Vec2 at{};
        double cost = 0.0;
    } exits[kCheapMax];
    std::uint32_t count = 0;
    double cap = kEndless;
    each_of(table.cheap, [&](const LinkPiece& piece) {
        const double cost = link_use_.cost(piece);
        const double straight =
            std::max(distance(piece.in[0], piece.out[0]), distance(piece.in[1], piece.out[1]));
        if (cost >= straight * kShorter) return;
        const double half = distance(piece.in[0], piece.in[1]) / 2.0;
        const Vec2 in = (piece.in[0] + piece.in[1]) * 0.5, out = (piece.out[0] + piece.out[1]) * 0.5;
        const double rest = cost + std::max(0.0, to_goals(out) - half);
        cap = std::min(cap, rest);
        if (count < kCheapMax) {
            cheap_[count] = {in, half, rest};
            exits[count] = {out, cost};
        }
        ++count;
    });
    cheap_cap_ = cap;
    cheap_count_ = count;
    const std::uint32_t known = std::min(count, kCheapMax);
    for (std::uint32_t round = 0; round < known && count <= kCheapMax; ++round) {
        for (std::uint32_t i = 0; i < known; ++i) {
            for (std::uint32_t k = 0; k < known; ++k) {
                const double between = distance(exits[i].at, cheap_[k].at) - cheap_[i].half - cheap_[k].half;
                cheap_[i].rest =
                    std::min(cheap_[i].rest, exits[i].cost + std::max(0.0, between) + cheap_[k].rest);
            }
        }
    }
    if (goals_.size() != 1 || state_->landmarks == 0) return;
    double unknown = kEndless;
    each_of(table.fresh, [&](const LinkPiece& piece) {
        const double cost = link_use_.cost(piece);
        if (cost >= unknown) return;
        unknown = std::min(unknown, cost + rest_from(piece.polygon_out, piece.out[0], piece.out[1]));
    });
    rest_cap_ = unknown;
}

// As estimate, with links that are shorter than the straight line.
double AnyAngleSpace::past_links(const Interval& at, Vec2 u, Vec2 v) const {
    double least = estimate(at, u, v);
    if (cheap_count_ > kCheapMax) return std::min(least, cheap_cap_);
    for (std::uint32_t i = 0; i < cheap_count_; ++i) {
        const CheapWay& way = cheap_[i];
        least = std::min(least, std::max(0.0, through(at, u, v, way.at) - way.half) + way.rest);
    }
    return least;
}

// What is left from a point, at least.
double AnyAngleSpace::bound_from(Vec2 p) const {
    if (goals_.empty() || goals_.size() > kGoalsAimedAt) return 0.0;
    double least = kEndless;
    for (std::size_t i = 0; i < goals_.size(); ++i) {
        if (reached_[i] == 0) least = std::min(least, distance(p, goals_[i].at));
    }
    if (cheap_count_ > kCheapMax) return std::min(least, cheap_cap_);
    for (std::uint32_t i = 0; i < cheap_count_; ++i) {
        least = std::min(least, std::max(0.0, distance(p, cheap_[i].at) - cheap_[i].half) + cheap_[i].rest);
    }
    return least;
}

EdgeRef AnyAngleSpace::first_side(std::uint32_t polygon) const {
    return (polygon & ~state_->mask) | state_->tile_of(polygon).polygons[state_->local(polygon)].first;
}

// What is left from each place between two of a polygon, at least, by the landmarks: from the corner that is nearest.
double AnyAngleSpace::rest_from(std::uint32_t polygon, Vec2 p, Vec2 q) const {
    const TileView& view = state_->tile_of(polygon);
    if (view.far == nullptr || goals_.size() != 1) return 0.0;
    const std::uint32_t at = state_->local(polygon);
    std::uint32_t best = view.polygons[at].first;
    double off = kEndless;
    for (std::uint32_t e = best; e < view.polygons[at + 1].first; ++e) {
        const Vec2 a = view.edges[e].from - p, b = view.edges[e].from - q;
        const double square = std::max(dot(a, a), dot(b, b));
        if (square < off) {
            off = square;
            best = e;
        }
    }
    return std::max(0.0, rest_at((polygon & ~state_->mask) | best) - std::sqrt(off));
}

// As add, where there are links.
bool AnyAngleSpace::add_linked(const Interval& at, Vec2 u, Vec2 v, double past) {
    const Root& root = roots_[at.root];
    // Nor is anything in sight of a link's exit through its own polygon again.
    if (root.kind != RootKind::corner && state_->polygon_ref(at.edge) == own_polygon(root)) return true;
    const double ahead = cheap_count_ != 0 ? past_links(at, u, v) : estimate(at, u, v);
    return found_.push_back({at, fixed(root.g + std::max({ahead, root.rest, past}))});
}

// Is a dead end one only for who takes no links?
bool AnyAngleSpace::leads_to_link(const TileView& at, const MeshEdge& side) const {
    const auto slot = static_cast<std::uint32_t>(&at - state_->tiles.data());
    return links_->holds_block(state_->ref(slot, side.block & kBlockMask));
}

// All links that are entered in the polygon, as far as they are in sight or round the ends of the interval.
bool AnyAngleSpace::take_links(const Interval& at, std::uint32_t polygon) {
    const LinkTable& table = *links_;
    const bool from_exit = at.left_limit >= Limit::cone && at.root != 0;
    for (std::uint32_t i = table.first_at(polygon); i != kNone; i = table.pieces[i].next) {
        const LinkPiece& piece = table.pieces[i];
        if (!both_ways_ && (!link_use_.open(table, piece) || is_closed(piece.polygon_out))) continue;
        if (from_exit && (roots_[at.root].edge ^ 1U) == i) continue;  // back at once leads nowhere
        double low = 0.0, high = 1.0;
        if (link_use_.room > 0.0 && !clear_range(i, low, high)) return false;
        if (low > high) continue;
        const auto first = static_cast<std::uint32_t>(state_->corners + 2 * i);
        for (std::uint32_t k = 0; k < (piece.point ? 1U : 2U); ++k) {
            const Vec2 entry = on_side(piece.in, k == 0 ? low : high);
            const std::uint32_t root = root_towards(at, entry);
            if (failed_) return false;
            if (root == kNone) continue;
            bool sooner = false;
            if (!arrive(root, i, entry, on_side(piece.out, k == 0 ? low : high), first + k, sooner))
                return false;
            if (piece.point || !sooner) continue;
            // From its end the rest of the side is had along it.
            const double g = roots_[root].g + distance(roots_[root].at, entry);
            if (!claims_.claim(i, piece.in[0], piece.in[1], {entry, g, low, high})) return false;
        }
        if (!piece.point && low < high && !cross_side(at, i, low, high)) return false;
    }
    return true;
}

// How soon one has come to the place of an exit on foot or by other links, as far as is known: the way back through the same link
// is entered there.
double AnyAngleSpace::had_before(std::uint32_t number, std::uint32_t turn_number) const {
    const LinkPiece& piece = state_->links.pieces[number];
    const auto end = turn_number - static_cast<std::uint32_t>(state_->corners + 2 * number);
    const auto back =
        static_cast<std::uint32_t>(state_->corners + 2 * (number ^ 1U) + (piece.point ? 0U : 1U - end));
    const Turn& known = turns_[back];
    // Where units need room, the ends of both ways need not be the same.
    if (known.stamp != stamp_ || link_use_.room > 0.0) return kEndless;
    return known.g[0] - link_use_.cost(piece);
}

// Through a link by one point of it: its exit is a root that sees all of its polygon. `sooner`: than ever before.
bool AnyAngleSpace::arrive(std::uint32_t from, std::uint32_t number, Vec2 entry, Vec2 exit,
                           std::uint32_t turn_number, bool& sooner) {
    const LinkPiece& piece = state_->links.pieces[number];
    double g = roots_[from].g + distance(roots_[from].at, entry) + link_use_.cost(piece);
    g = std::min(g, 0x1p60 / units_);
    if (turn_number != kNone) {
        Turn& known = turn(turn_number);
        if (g >= known.g[0]) return true;
        known.g[0] = g;
        if (had_before(number, turn_number) <= g) return true;
    }
    sooner = true;
    const EdgeRef edge = first_side(piece.polygon_out);
    const double rest = rest_from(piece.polygon_out, exit, exit);
    const Root root{exit, g, rest, from, turn_number, number, 0, RootKind::exit, 0};
    const Interval out{.edge = edge,
                       .root = static_cast<std::uint32_t>(roots_.size()),
                       .left = exit,
                       .right = exit,
                       .left_limit = Limit::all,
                       .right_limit = Limit::all};
    return roots_.push_back(root) && found_.push_back({out, fixed(g + std::max(rest, bound_from(exit)))});
}

// Through a wide link between its ends: what is in sight of it from the root, and what is round the ends of the interval.
bool AnyAngleSpace::cross_side(const Interval& at, std::uint32_t number, double low, double high) {
    const LinkPiece& piece = state_->links.pieces[number];
    const Vec2 r = roots_[at.root].at, a = piece.in[0], b = piece.in[1];
    if (at.left_limit == Limit::all) return cross_from(at.root, number, low, high);
    const double right[2] = {right_of(at, r, a), right_of(at, r, b)};
    const double left[2] = {left_of(at, r, a), left_of(at, r, b)};
    double from = low, to = high;
    clip_range(right[0], right[1], from, to);
    clip_range(-left[0], -left[1], from, to);
    if (at.left_limit == Limit::cone)
        clip_range(side_of(at.left, at.right, a), side_of(at.left, at.right, b), from, to);
    if (!cross_from(at.root, number, from, to)) return false;
    for (const Bend side : {kRight, kLeft}) {
        if ((side == kRight ? at.right_limit : at.left_limit) != Limit::at_end) continue;
        from = low;
        to = high;
        clip_range(side == kRight ? -right[0] : left[0], side == kRight ? -right[1] : left[1], from, to);
        if (!(from < to)) continue;
        const std::uint32_t root = bend(at, side == kRight ? state_->next(at.edge) : at.edge, side);
        if (failed_ || (root != kNone && !cross_from(root, number, from, to))) return false;
    }
    return true;
}

// A root in sight of a stretch of the entry.
bool AnyAngleSpace::cross_from(std::uint32_t from, std::uint32_t number, double low, double high) {
    const LinkPiece& piece = state_->links.pieces[number];
    const Root& root = roots_[from];
    if (!(low < high) || root.links >= kLinksInRow) return true;
    const Vec2 right = piece.in[0], left = piece.in[1];
    if (root.kind < RootKind::moved && segment_distance(right, left, root.at) <= kStandsOn / units_) {
        // It stands on the entry: straight through.
        const double share = distance(right, root.at) / distance(right, left);
        return share <= low || share >= high || pass_point(from, number, share);
    }
    if (!claims_.claim(number, right, left, {root.at, root.g, low, high})) return false;
    std::swap(entered_, claims_.won);
    for (const SideClaims::Stretch& won : entered_) {
        if (!cross_stretch(from, number, won)) return false;
    }
    return true;
}

// Through a place of a wide link that is not its end.
bool AnyAngleSpace::pass_point(std::uint32_t from, std::uint32_t number, double share) {
    const LinkPiece& piece = state_->links.pieces[number];
    const Vec2 entry = on_side(piece.in, share);
    bool better = false;
    if (!claims_.claim_point(number, share, roots_[from].g + distance(roots_[from].at, entry), better))
        return false;
    return !better || arrive(from, number, entry, on_side(piece.out, share), kNone, better);
}

// Where the exit side of a link crosses the entry side of another, a way may go through both at that point and need not be
// straight there: no length lies between them.
bool AnyAngleSpace::pass_crossings(std::uint32_t from, std::uint32_t number, double low, double high) {
    const LinkPiece& piece = state_->links.pieces[number];
    const LinkTable& table = *links_;
    const Vec2 d = piece.out[1] - piece.out[0];
    for (std::uint32_t i = table.first_at(piece.polygon_out); i != kNone; i = table.pieces[i].next) {
        const LinkPiece& other = table.pieces[i];
        if (other.point || (!both_ways_ && !link_use_.open(table, other))) continue;
        const double at_0 = cross(d, other.in[0] - piece.out[0]), at_1 = cross(d, other.in[1] - piece.out[0]);
        if ((at_0 > 0.0) == (at_1 > 0.0) || at_0 == at_1) continue;
        const Vec2 p = other.in[0] + (other.in[1] - other.in[0]) * (at_0 / (at_0 - at_1));
        const double share = dot(p - piece.out[0], d) / dot(d, d);
        if (share > low && share < high && !pass_point(from, number, share)) return false;
    }
    return true;
}

// Of what comes out of the exit side counts what comes there sooner than all else: that side is the entry of the way back.
bool AnyAngleSpace::cross_stretch(std::uint32_t from, std::uint32_t number, const SideClaims::Stretch& won) {
    const LinkPiece& piece = state_->links.pieces[number];
    const Root root = roots_[from];  // a copy: there will be more
    if (!pass_crossings(from, number, won.low, won.high)) return false;
    const Vec2 moved = root.at + (piece.out[0] - piece.in[0] + piece.out[1] - piece.in[1]) * 0.5;
    const double g = std::min(root.g + link_use_.cost(piece), 0x1p60 / units_);
    const SideClaims::Way way{moved, g, 1.0 - won.high, 1.0 - won.low, won.number};
    if (!claims_.claim(number ^ 1U, piece.out[1], piece.out[0], way)) return false;
    for (const SideClaims::Stretch& left : claims_.won) {
        if (!leave_stretch(from, number, way, left)) return false;
    }
    return true;
}

// Two cones through a stretch of an exit side: on, and back.
bool AnyAngleSpace::leave_stretch(std::uint32_t from, std::uint32_t number, const SideClaims::Way& way,
                                  const SideClaims::Stretch& won) {
    const LinkPiece& piece = state_->links.pieces[number];
    const Vec2 p = on_side(piece.out, 1.0 - won.high), q = on_side(piece.out, 1.0 - won.low);
    const double turned = side_of(way.root, p, q);
    if (turned == 0.0) return true;  // seen edge-on: its ends are enough
    const Vec2 left = turned > 0.0 ? q : p, right = turned > 0.0 ? p : q;
    const double beyond = rest_from(piece.polygon_out, p, q);
    const Root& root = roots_[from];
    Root seen{way.root,
              way.g,
              std::max(beyond + (beyond > 0.0 ? segment_distance(p, q, way.root) : 0.0),
                       root.rest - link_use_.cost(piece)),
              from,
              won.number,
              number,
              0,
              RootKind::moved,
              static_cast<std::uint8_t>(root.links + 1)};
    if (!add_cone(seen, left, right)) return false;
    const Vec2 side = piece.out[1] - piece.out[0];
    const Vec2 normal{-side.y, side.x};
    seen.at = way.root - normal * (2.0 * dot(way.root - piece.out[0], normal) / dot(normal, normal));
    seen.kind = RootKind::mirrored;
    return add_cone(seen, right, left);
}

bool AnyAngleSpace::add_cone(Root root, Vec2 left, Vec2 right) {
    if (!(side_of(root.at, right, left) > 0.0)) return true;  // rounded flat
    const LinkPiece& piece = state_->links.pieces[root.edge];
    Interval out{.edge = first_side(piece.polygon_out),
                 .root = static_cast<std::uint32_t>(roots_.size()),
                 .left = left,
                 .right = right};
    if (!roots_.push_back(root)) return false;
    const double ahead = cheap_count_ != 0 ? past_links(out, left, right) : estimate(out, left, right);
    out.left_limit = out.right_limit = Limit::cone;
    return found_.push_back({out, fixed(root.g + std::max(ahead, root.rest))});
}

// The polygon that a link leads to: all of it, or what the cone holds behind the exit side.
bool AnyAngleSpace::open_exit(const Interval& at) {
    const Root root = roots_[at.root];
    const std::uint32_t slot = at.edge >> state_->bits;
    const TileView& view = state_->tiles[slot];
    const std::uint32_t polygon = view.edges[state_->local(at.edge)].polygon;
    const std::uint32_t first = view.polygons[polygon].first, end = view.polygons[polygon + 1].first;
    const std::uint32_t ref = state_->ref(slot, polygon);
    const bool cone = at.left_limit == Limit::cone;
    enter_tile(slot);
    bent_[kLeft] = bent_[kRight] = kNone;
    if (!distances_.empty()) {
        float* const out = distances_[slot];
        for (std::uint32_t e = first; e < end; ++e) {
            if (root_towards(at, view.edges[e].from) == kNone) continue;
            const auto far = static_cast<float>(root.g + distance(root.at, view.edges[e].from));
            float& known = out[view.tile->vertices()[e]];
            if (far < known) known = far;
        }
    }
    if (within_.met != nullptr) {
        const double off = cone ? segment_distance(at.left, at.right, root.at) : 0.0;
        within_.met(ref, root.g + off, within_.user);
    }
    if (!goals_.empty() && !find_goals(at, ref)) return false;
    if (!take_links(at, ref)) return false;
    for (std::uint32_t e = first; e < end; ++e) {
        const MeshEdge& side = view.edges[e];
        if (!may_cross(view, side)) continue;
        const Vec2 x = side.from, y = view.tile->to(e);
        Interval out{.edge = side.twin, .root = at.root, .left = y, .right = x};
        if (cone) {
            // Crossed outward, and somewhere in the cone. (The root may be in the polygon: then a side may begin or end behind
            // it, and what is asked is which of the two limiting rays cross it.)
            if (!(side_of(x, y, root.at) > 0.0)) continue;
            const double x_right = right_of(at, root.at, x), y_right = right_of(at, root.at, y);
            const double x_left = left_of(at, root.at, x), y_left = left_of(at, root.at, y);
            const bool over_right = x_right <= 0.0 && y_right > 0.0,
                       over_left = x_left < 0.0 && y_left >= 0.0;
            if (!over_right && !over_left && (x_right < 0.0 || x_left >= 0.0)) continue;
            if (over_left && y_left > 0.0) {
                out.left = at.left;
                out.left_limit = Limit::behind;
            }
            if (over_right && x_right < 0.0) {
                out.right = at.right;
                out.right_limit = Limit::behind;
            }
        }
        if (!add(out, y, x)) return false;
    }
    return !failed_;
}

}  // namespace fairlead::mesh
