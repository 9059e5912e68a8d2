// Routes of turning units over a grid after edits: as over the DriveMap that the scratch keeps for the unit (drive/repair).
#include <fairlead/bridge/drive_repair.h>

#include "drive/repair/look_at_drive.h"
#include "search/run_search.h"

namespace fairlead {

namespace {

// The map of the unit, up to date. Which of its two lattices does not matter: both have the same walls.
Result<const DriveMap*> map_of_unit(const GridState& grid, const DriveQuery& query, Scratch& scratch,
                                    const GridDriveSetup& setup) {
    if (scratch.in_use()) return kScratchInUse;
    return drive_map_in(scratch, grid, query.agent, setup);
}

TouchedBox box_of(const GridState& grid, const CellRect& changed) {
    const auto corner = [&](std::int32_t x, std::int32_t y) {
        return grid.origin() + Vec2{static_cast<double>(x), static_cast<double>(y)} * grid.cell_size();
    };
    return {.box = {corner(changed.low.x, changed.low.y), corner(changed.high.x, changed.high.y)},
            .layer = changed.layer};
}

}  // namespace

Result<Revalidation> revalidate(const GridState& grid, Route& route, const DriveQuery& query,
                                Scratch& scratch, const CellRect* changed, const GridDriveSetup& setup) {
    const Result<const DriveMap*> map = map_of_unit(grid, query, scratch, setup);
    if (!map) return map.error();
    const TouchedBox box = changed != nullptr ? box_of(grid, *changed) : TouchedBox{};
    return drive::revalidate_drive((*map)->state().data(), route, query.blockers.span(), scratch,
                                   changed != nullptr ? &box : nullptr);
}

Result<void> repair(const GridState& grid, Route& route, const DriveQuery& query, Scratch& scratch,
                    const GridDriveSetup& setup) {
    const Result<const DriveMap*> map = map_of_unit(grid, query, scratch, setup);
    if (!map) return map.error();
    const auto find = [&](const DriveQuery& between, Route& piece) {
        return find_route_into(grid, between, scratch, piece, setup);
    };
    return drive::mend_drive((*map)->state().data(), route, query, scratch, find);
}

}  // namespace fairlead
