// Which gates an edit may have changed, and the tiles that are cut anew for them.
#include <algorithm>
#include <iterator>

#include "base/no_memory.h"
#include "mesh/data/plane.h"
#include "mesh/data/stitch.h"
#include "mesh/edit/editor.h"

namespace fairlead::mesh {

namespace {

constexpr Error kTooMuchWork{ErrorCode::size_limit, -1, 0};
constexpr Error kToldToStop{ErrorCode::cancelled};

// total order: walls that are equal in all of these are the same wall
bool wall_before(const WallEnds& p, const WallEnds& q) {
    const double mine[] = {p.a.x, p.a.y, p.b.x, p.b.y, p.za, p.zb};
    const double theirs[] = {q.a.x, q.a.y, q.b.x, q.b.y, q.za, q.zb};
    return std::lexicographical_compare(mine, mine + 6, theirs, theirs + 6);
}

bool list_walls(const Tile& tile, Array<WallEnds>& out) {
    out.clear();
    for (std::uint32_t e = 0; e < tile.count.edges; ++e) {
        if (tile.edges()[e].twin != kNone) continue;
        if (!out.push_back({tile.edges()[e].from, tile.to(e), tile.height(e), tile.height(tile.next(e))}))
            return false;
    }
    std::sort(out.begin(), out.end(), wall_before);  // total order
    return true;
}

}  // namespace

// The box around the walls that only one of them has.
bool EditorData::compare_walls(const Tile& before, const Tile& after) {
    if (!list_walls(before, walls_before) || !list_walls(after, walls_after)) return false;
    Aabb box{{kMeshSpan, kMeshSpan}, {-kMeshSpan, -kMeshSpan}};
    const auto note = [&box](const WallEnds& wall) {
        include(box, wall.a);
        include(box, wall.b);
    };
    const WallEnds *p = walls_before.begin(), *q = walls_after.begin();
    while (p != walls_before.end() || q != walls_after.end()) {
        const bool first = q == walls_after.end() || (p != walls_before.end() && wall_before(*p, *q));
        const bool second = !first && (p == walls_before.end() || wall_before(*q, *p));
        if (first || second) note(first ? *p : *q);
        if (!second) ++p;
        if (!first) ++q;
    }
    return box.empty() || changes.push_back(box);
}

// The boxes of all walls that came or went, from the layer without gates. Gates are a function of the walls, so what
// lies farther away has the gates that it had.
bool EditorData::note_changes() {
    changes.clear();
    const StateData* const after = plain->revisions.draft;
    if (after == nullptr) return true;
    const StateData& before = *plain->revisions.state;
    for (const std::uint32_t slot : plain->touched) {
        if (!compare_walls(*before.tiles[slot].tile, *after->tiles[slot].tile)) return false;
    }
    return true;
}

// The slots where gates may have changed. A gate of a corner depends on the walls within its reach, and lies within it.
bool EditorData::list_regated(std::span<const TilePlace> changed) {
    const StateData& draft = *revisions.draft;
    regated.clear();
    for (const TilePlace place : changed) {
        const std::uint32_t slot = draft.find_tile(place.x, place.y);
        if (slot != kNone && !regated.push_back(2 * slot)) return false;
    }
    const Vec2 reach{2.0 * draft.gap_max, 2.0 * draft.gap_max};
    for (const Aabb& box : changes) {
        const auto add = [this](std::uint32_t slot) { return regated.push_back(2 * slot + 1); };
        if (!draft.each_slot({box.low - reach, box.high + reach}, add)) return false;
    }
    std::sort(regated.begin(), regated.end());  // total order
    const auto same = [](std::uint32_t p, std::uint32_t q) { return p / 2 == q / 2; };
    const auto kept =
        static_cast<std::size_t>(std::unique(regated.begin(), regated.end(), same) - regated.begin());
    while (regated.size() > kept) regated.pop_back();
    return true;
}

// Cuts the tiles anew that changed, and those whose gates did.
Result<void> EditorData::gate_tiles(std::span<const TilePlace> changed) {
    StateData& draft = *revisions.draft;
    if (!list_regated(changed)) return kNoMemory;
    const StateData& walls =
        plain->revisions.draft != nullptr ? *plain->revisions.draft : *plain->revisions.state;
    recut.clear();
    for (const std::uint32_t entry : regated) {
        if (!watch.goes_on()) return kToldToStop;
        const std::uint32_t slot = entry / 2;
        const TilePlace place{draft.tiles[slot].tile->x, draft.tiles[slot].tile->y};
        if (!gate_finder.find(walls, walls.find_tile(place.x, place.y), draft.gap_max, gates))
            return watch.stopped ? kToldToStop : gate_finder.exhausted() ? kTooMuchWork : kNoMemory;
        if (entry % 2 != 0 && key_of(gates.span()) == draft.gate_keys[slot]) continue;
        const TileCounts& count = draft.tiles[slot].tile->count;
        const std::uint64_t polygons = gates.empty() ? 0 : count.polygons;
        // Each gate is compared with each polygon and side, and polygons that are cut with each other.
        if (!gate_finder.spend(gates.size() * (polygons + count.edges) + polygons * polygons))
            return kTooMuchWork;
        const Result<void> done = renew_tile(slot);
        if (!done) return watch.stopped ? Result<void>{kToldToStop} : done;
        if (!recut.push_back(place)) return kNoMemory;
        if (watch.done < watch.all) ++watch.done;
    }
    // A place that has lost its tile has neighbours as well.
    for (const TilePlace place : changed) {
        if (draft.find_tile(place.x, place.y) == kNone && !recut.push_back(place)) return kNoMemory;
    }
    return join_tiles(recut.span());
}

}  // namespace fairlead::mesh
