#include "drive/corners/tile_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/curve/dubins.h>

#include "drive/curves/free_curve.h"

namespace fairlead::drive {

namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();
constexpr double kTurnMax = kPi + 1e-9;  // radians that a curve to or from an exact pose may turn in all

}  // namespace

Pose TileLine::pose(const LineSpot& spot) const {
    const TileCell tile = tiles_[static_cast<std::size_t>(spot.tile)];
    const double size = map_->table().lattice_size();
    return {map_->options().origin + Vec2{tile.x + 0.5, tile.y + 0.5} * size,
            heading_rad(headings_, spot.heading)};
}

bool TileLine::free_curve(const LegCheck& check, const Pose& from, const Pose& to, CurveWord& word) const {
    const double radius = map_->table().options().agent.turning_radius;
    word = shortest_dubins(from, to, radius);
    return turning_of(word) <= kTurnMax && check.word_is_free(from, radius, word);
}

// From the start to a tile's poses; backward: from them to the goal.
void TileLine::join_exact(const LegCheck& check, std::int32_t tile) {
    const TileCell at = tiles_[static_cast<std::size_t>(tile)];
    for (std::int32_t h = 0; h < headings_; ++h) {
        if (!map_->edges().stands(at.x, at.y, h)) continue;
        CurveWord word;
        const Pose here = pose({tile, h});
        const bool free =
            backward_ ? free_curve(check, here, goal_, word) : free_curve(check, start_, here, word);
        if (free) node(tile, h) = {word.length * map_->table().turning_radius(), -1, -1};
    }
}

void TileLine::show_ahead(std::int32_t tile, bool shown) {
    const std::int32_t reach = map_->table().primitives().reach();
    const TileCell at = tiles_[static_cast<std::size_t>(tile)];
    for (std::int32_t k = std::min(tile + ahead_, last()); k > tile; --k) {
        const TileCell to = tiles_[static_cast<std::size_t>(k)];
        const std::int32_t dx = to.x - at.x;
        const std::int32_t dy = to.y - at.y;
        if (std::abs(dx) > reach || std::abs(dy) > reach) continue;
        window_[static_cast<std::size_t>((dy + reach) * (2 * reach + 1) + dx + reach)] = shown ? k : -1;
    }
}

// Calls visit(to's tile, primitive's number) for the moves forward from a pose to the tiles ahead.
template <class Visit>
void TileLine::each_move(std::int32_t tile, std::int32_t heading, const Visit& visit) {
    const PrimitiveSet& set = map_->table().primitives();
    const std::int32_t reach = set.reach();
    const TileCell at = tiles_[static_cast<std::size_t>(tile)];
    for (std::uint32_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        const Primitive& move = set.all()[i];
        const std::int32_t to =
            window_[static_cast<std::size_t>((move.dy + reach) * (2 * reach + 1) + move.dx + reach)];
        if (to < 0 || move.gear == Gear::reverse || !map_->edges().may_drive(at.x, at.y, i)) continue;
        visit(to, static_cast<std::int32_t>(i));
    }
}

void TileLine::spread_from(std::int32_t tile) {
    const std::span<const Primitive> all = map_->table().primitives().all();
    for (std::int32_t h = 0; h < headings_; ++h) {
        const double length = node(tile, h).length;
        if (!(length < kNoWay)) continue;
        ++expanded_;
        furthest_ = tile;
        each_move(tile, h, [&](std::int32_t to, std::int32_t i) {
            const Primitive& move = all[static_cast<std::size_t>(i)];
            Node& next = node(to, move.to);
            if (length + move.length < next.length) next = {length + move.length, tile * headings_ + h, i};
        });
    }
}

void TileLine::gather_at(std::int32_t tile) {
    const std::span<const Primitive> all = map_->table().primitives().all();
    for (std::int32_t h = 0; h < headings_; ++h) {
        Node& own = node(tile, h);
        each_move(tile, h, [&](std::int32_t to, std::int32_t i) {
            const Primitive& move = all[static_cast<std::size_t>(i)];
            const double length = move.length + node(to, move.to).length;
            if (length < own.length) own = {length, to * headings_ + move.to, i};
        });
        if (!(own.length < kNoWay)) continue;
        ++expanded_;
        furthest_ = tile;
    }
}

// The pose from which the exact goal is reached by the shortest way in all; -1: none.
std::int32_t TileLine::find_exit(const LegCheck& check) {
    const double radius = map_->table().turning_radius();
    double least = kNoWay;
    std::int32_t best = -1;
    for (std::int32_t tile = std::max(0, last() - ahead_); tile <= last(); ++tile) {
        for (std::int32_t h = 0; h < headings_; ++h) {
            const double length = node(tile, h).length;
            CurveWord word;
            if (length >= least || !free_curve(check, pose({tile, h}), goal_, word)) continue;
            if (length + word.length * radius >= least) continue;
            least = length + word.length * radius;
            best = tile * headings_ + h;
        }
    }
    return best;
}

std::int32_t TileLine::best_at(std::int32_t tile) {
    std::int32_t best = 0;
    for (std::int32_t h = 1; h < headings_; ++h) {
        if (node(tile, h).length < node(tile, best).length) best = h;
    }
    return tile * headings_ + best;
}

bool TileLine::list_chain(std::int32_t from) {
    for (std::int32_t at = from; at >= 0; at = nodes_[static_cast<std::size_t>(at)].link) {
        if (!chain_.push_back({at / headings_, at % headings_})) return false;
    }
    if (!backward_) std::reverse(chain_.begin(), chain_.end());
    return true;
}

bool TileLine::run(const MapData& map, const Pose& start, const Pose& goal, std::span<const TileCell> tiles,
                   std::int32_t ahead, bool backward) {
    map_ = &map;
    start_ = start;
    goal_ = goal;
    tiles_ = tiles;
    headings_ = map.table().headings();
    const std::int32_t reach = map.table().primitives().reach();
    ahead_ = ahead > 0 ? ahead : 2 * reach;
    backward_ = backward;
    arrives_ = false;
    furthest_ = -1;
    expanded_ = 0;
    chain_.clear();
    const auto side = static_cast<std::size_t>(2 * reach + 1);
    if (!nodes_.resize_uninitialized(tiles.size() * static_cast<std::size_t>(headings_))) return false;
    if (!window_.resize_uninitialized(side * side)) return false;
    for (Node& each : nodes_) each = {kNoWay, -1, -1};
    for (std::int32_t& each : window_) each = -1;
    const LegCheck check(map);
    for (std::int32_t i = 0; i <= std::min(ahead_, last()); ++i) join_exact(check, backward ? last() - i : i);
    for (std::int32_t i = 0; i <= last(); ++i) {
        const std::int32_t tile = backward ? last() - i : i;
        show_ahead(tile, true);
        if (backward) {
            gather_at(tile);
        } else {
            spread_from(tile);
        }
        show_ahead(tile, false);
    }
    const std::int32_t exit = backward ? -1 : find_exit(check);
    arrives_ = exit >= 0;
    if (arrives_) return list_chain(exit);
    return furthest_ < 0 || list_chain(best_at(furthest_));
}

bool TileLine::append(std::size_t i, std::size_t k, Array<Leg>& legs) const {
    const double radius = map_->table().options().agent.turning_radius;
    const std::span<const Primitive> all = map_->table().primitives().all();
    for (; i < k; ++i) {
        const Node& move = backward_ ? node(chain_[i]) : node(chain_[i + 1]);
        const CurveWord& word = all[static_cast<std::size_t>(move.primitive)].word;
        Pose end;
        if (!append_legs(word, pose(chain_[i]), radius, map_->options().layer, legs, end)) return false;
    }
    return true;
}

bool TileLine::append_entry(Array<Leg>& legs) const {
    const double radius = map_->table().options().agent.turning_radius;
    Pose end;
    return append_legs(shortest_dubins(start_, pose(chain_[0]), radius), start_, radius,
                       map_->options().layer, legs, end);
}

bool TileLine::append_exit(Array<Leg>& legs) const {
    const double radius = map_->table().options().agent.turning_radius;
    const Pose from = pose(chain_.back());
    Pose end;
    return append_legs(shortest_dubins(from, goal_, radius), from, radius, map_->options().layer, legs, end);
}

}  // namespace fairlead::drive
