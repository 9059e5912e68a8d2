#include "bridge/tile_blocker.h"

namespace fairlead::bridge {

namespace {

Aabb box_of(const TileBlocker::Run& run, const TileBlocker::Run& rows, const GridState& grid) {
    const Vec2 low{1.0 * run.first, 1.0 * rows.first};
    const Vec2 high{1.0 * run.end, 1.0 * rows.end};
    return {low * grid.cell_size() + grid.origin(), high * grid.cell_size() + grid.origin()};
}

bool append_boxes(const Blocker& blocker, const GridState& grid, Array<Blocker>& out) {
    const TileBlocker tiles(blocker, grid.origin(), grid.cell_size());
    const TileBlocker::Run rows = tiles.rows(grid.height());
    TileBlocker::Run open{};  // rows so far with the same run of tiles
    TileBlocker::Run last{};
    for (std::int32_t y = rows.first; y <= rows.end; ++y) {
        const TileBlocker::Run run = y < rows.end ? tiles.run(y, grid.width()) : TileBlocker::Run{};
        const bool empty = run.first == run.end;
        if (open.first < open.end && !empty && run == last) {
            open.end = y + 1;
            continue;
        }
        if (open.first < open.end &&
            !out.push_back({.box = box_of(last, open, grid), .layer = blocker.layer}))
            return false;
        open = empty ? TileBlocker::Run{} : TileBlocker::Run{y, y + 1};
        last = run;
    }
    return true;
}

}  // namespace

bool list_closed_tiles(std::span<const Blocker> blockers, const GridState& grid, Array<Blocker>& out) {
    out.clear();
    for (const Blocker& blocker : blockers) {
        if (!append_boxes(blocker, grid, out)) return false;
    }
    return true;
}

}  // namespace fairlead::bridge
