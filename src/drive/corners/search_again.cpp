// Technique L2: test the curve while following it, ban the stretch that clips, search again. Lazy validation of edges.

#include <fairlead/math/trig.h>

#include "drive/corners/corner_work.h"

namespace fairlead::drive {

namespace {

// One way's stretches, up to the first that clips.
enum class Driven : std::uint8_t { all, clipped, no_memory };

Driven drive_way(CornerPen& pen, std::span<const Vec2> way, std::size_t& stretch) {
    pen.restart();
    for (stretch = 0; stretch < way.size(); ++stretch) {
        CurveWord words[kStretchWords];
        (void)stretch_words(pen.at(), pen.goal(way, stretch), pen.radius(), words);
        if (!pen.check().word_is_free(pen.at(), pen.radius(), words[0])) return Driven::clipped;
        if (!pen.write_free(words[0], pen.radius(), way[stretch])) return Driven::no_memory;
    }
    return Driven::all;
}

// Ways over the map's free cells, pulled straight as far as the body passes.
class CellWays {
  public:
    CellWays(const CornerPen& pen, const CornerQuery& query, CornerWork& work)
        : check_(pen.check()), query_(query), work_(work) {}

    [[nodiscard]] TileWay::Found find() {
        const TileCell start = cell_at(check_.free(), cells(query_.start.position));
        const TileCell goal = cell_at(check_.free(), cells(query_.waypoints.back()));
        const TileWay::Found found = work_.tiles.find(check_, 8, start, goal, work_.banned_steps.span());
        if (found != TileWay::Found::yes) return found;
        return pull_straight() ? TileWay::Found::yes : TileWay::Found::no_memory;
    }
    /// The stretch may not begin with this step again.
    [[nodiscard]] bool ban(std::size_t stretch) { return work_.banned_steps.push_back(work_.steps[stretch]); }

  private:
    [[nodiscard]] Vec2 cells(Vec2 world) const { return check_.frame().in_cells({world, 0.0}).position; }
    [[nodiscard]] Vec2 place(std::span<const TileCell> tiles, std::size_t i) const {
        if (i == 0) return query_.start.position;
        if (i + 1 == tiles.size()) return query_.waypoints.back();
        return check_.frame().to_world({{tiles[i].x + 0.5, tiles[i].y + 0.5}, 0.0}).position;
    }
    [[nodiscard]] bool passes(Vec2 a, Vec2 b) const {
        const Vec2 way = b - a;
        const double heading = math::atan2(way.y, way.x);
        return check_.line_is_free({a, heading}, length(way), Gear::forward);
    }

    [[nodiscard]] bool pull_straight() {
        const std::span<const TileCell> tiles = work_.tiles.cells();
        work_.way.clear();
        work_.steps.clear();
        if (tiles.size() == 1) {
            return work_.way.push_back(query_.waypoints.back()) &&
                   work_.steps.push_back({tiles[0], tiles[0]});
        }
        for (std::size_t from = 0; from + 1 < tiles.size();) {
            std::size_t to = from + 1;
            while (to + 1 < tiles.size() && passes(place(tiles, from), place(tiles, to + 1))) ++to;
            if (!work_.way.push_back(place(tiles, to))) return false;
            if (!work_.steps.push_back({tiles[from], tiles[from + 1]})) return false;
            from = to;
        }
        return true;
    }

    const LegCheck& check_;
    const CornerQuery& query_;
    CornerWork& work_;
};

// The caller's ways. The first is the query's own.
class CallersWays {
  public:
    CallersWays(const CornerPen& pen, const CornerQuery& query, CornerWork& work)
        : check_(pen.check()), query_(query), work_(work) {}

    [[nodiscard]] TileWay::Found find() {
        if (first_) {
            first_ = false;
            return work_.way.assign(query_.waypoints) ? TileWay::Found::yes : TileWay::Found::no_memory;
        }
        if (!query_.search.find(query_.search.user, work_.banned.span(), work_.way))
            return TileWay::Found::no;
        for (const Vec2 at : work_.way) bad_ = bad_ || !is_finite(at) || !check_.on_map(at);
        bad_ = bad_ || work_.way.empty();
        return bad_ ? TileWay::Found::no : TileWay::Found::yes;
    }
    [[nodiscard]] bool ban(std::size_t stretch) {
        const Vec2 from = stretch == 0 ? query_.start.position : work_.way[stretch - 1];
        return work_.banned.push_back({from, work_.way[stretch]});
    }
    [[nodiscard]] bool bad() const { return bad_; }

  private:
    const LegCheck& check_;
    const CornerQuery& query_;
    CornerWork& work_;
    bool first_ = true;
    bool bad_ = false;
};

template <class Ways>
CornerDone search(CornerPen& pen, const CornerQuery& query, CornerWork& work, RoundedCorners& out,
                  Ways& ways) {
    std::size_t stretch = 0;
    while (out.searches < query.searches_max) {
        ++out.searches;
        const TileWay::Found found = ways.find();
        if (found == TileWay::Found::no_memory) return CornerDone::no_memory;
        if (found == TileWay::Found::no) {
            pen.restart();
            pen.fail(stretch);
            return CornerDone::yes;
        }
        const Driven driven = drive_way(pen, work.way.span(), stretch);
        if (driven == Driven::no_memory) return CornerDone::no_memory;
        if (driven == Driven::all) {
            pen.finish();
            return CornerDone::yes;
        }
        if (!ways.ban(stretch)) return CornerDone::no_memory;
    }
    pen.restart();
    pen.fail(stretch);
    out.route.status = PathStatus::budget_spent;
    return CornerDone::yes;
}

}  // namespace

CornerDone search_again(CornerPen& pen, const CornerQuery& query, CornerWork& work, RoundedCorners& out) {
    work.way.clear();
    work.banned.clear();
    work.banned_steps.clear();
    if (query.search.find == nullptr) {
        CellWays ways(pen, query, work);
        return search(pen, query, work, out, ways);
    }
    CallersWays ways(pen, query, work);
    const CornerDone done = search(pen, query, work, out, ways);
    return ways.bad() ? CornerDone::bad_way : done;
}

}  // namespace fairlead::drive
