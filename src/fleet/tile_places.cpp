// Narrow places of tiles for a fleet: what has changed between two revisions is read from the rows of blocked cells, and only near that the
// distances to walls are measured anew.
#include <bit>

#include "fleet/place_store.h"
#include "grid/state.h"

namespace fairlead::fleet {

namespace {

constexpr double kLanesWidth = 8.2;                         // radii: what is wider than that has no order
constexpr std::int64_t kCellsFine = std::int64_t{1} << 24;  // of the raster: more only at the coarsest
constexpr std::int64_t kCellsKept = std::int64_t{1} << 23;  // 9 bytes each, for repairs
constexpr std::int64_t kTileCellsMost = std::int64_t{1} << 26;

/// The cells of all layers between which two revisions of a map differ in walls.
CellRect difference(const GridState& before, const GridState& after) {
    CellRect all{{INT32_MAX, INT32_MAX}, {0, 0}};
    const grid::StateData& a = before.data();
    const grid::StateData& b = after.data();
    for (std::int32_t layer = 0; layer < after.layers(); ++layer) {
        const grid::Lines rows_a = a.row_lines(a.bodies[0], layer);
        const grid::Lines rows_b = b.row_lines(b.bodies[0], layer);
        for (std::int32_t y = 0; y < after.height(); ++y) {
            const std::uint64_t* line_a = rows_a.line(y);
            const std::uint64_t* line_b = rows_b.line(y);
            if (line_a == line_b) continue;
            for (std::int32_t x = 0; x < after.width(); x += 64) {
                const std::uint64_t off = grid::window(line_a, x) ^ grid::window(line_b, x);
                if (off == 0) continue;
                const std::int32_t low = x + std::countr_zero(off);
                const std::int32_t high = x + 64 - std::countl_zero(off);
                all.low = {low < all.low.x ? low : all.low.x, y < all.low.y ? y : all.low.y};
                all.high = {high > all.high.x ? high : all.high.x, y + 1};
            }
        }
    }
    if (all.high.x > after.width()) all.high.x = after.width();
    return all;
}

WallsOptions options_of(const KnownPlaces& known, double detail) {
    WallsOptions options;
    options.radius = known.radius;
    options.layer = static_cast<std::int32_t>(known.floor);
    options.detail = detail;
    return options;
}

std::int64_t cells_of(const PlacesOptions& options) { return std::int64_t{options.width} * options.height; }

}  // namespace

Result<KnownPlaces*> PlaceStore<Grid>::entry(double radius, std::uint32_t layer) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
        if (known_[i].radius == radius && known_[i].floor == layer) return &known_[i];
    }
    KnownPlaces* added = known_.add(radius, layer, allocator_);
    if (added == nullptr) return Error{ErrorCode::out_of_memory};
    return added;
}

Result<void> PlaceStore<Grid>::find_anew(KnownPlaces& known, const GridState& grid) {
    known.detail = 0.0;
    known.keeps = false;
    // passages are one tile wide at least: four small units pass each other in the narrowest one
    if (!(kLanesWidth * known.radius > grid.cell_size())) return {};
    for (const double detail : {5.0, 3.0, 2.0}) {  // large maps of small tiles need too many cells
        const TileWalls walls(grid, options_of(known, detail));
        const std::int64_t cells = cells_of(walls.options());
        if (cells > (detail > 2.0 ? kCellsFine : kTileCellsMost)) continue;
        PlaceFinder once(allocator_);
        PlaceFinder& finder = cells > kCellsKept ? once : known.finder;
        Result<NarrowPlaces> found = finder.find(walls.options(), walls.rows());
        if (!found && found.error().code == ErrorCode::out_of_memory) return found.error();
        if (!found) continue;
        known.places = std::move(*found);
        known.detail = detail;
        known.keeps = cells <= kCellsKept;
        return {};
    }
    return {};
}

Result<void> PlaceStore<Grid>::refresh(KnownPlaces& known, const GridState& grid, const CellRect& changed) {
    if (!known.keeps) return find_anew(known, grid);
    const TileWalls walls(grid, options_of(known, known.detail));
    Result<NarrowPlaces> found = known.finder.repair(walls.rect(changed), walls.rows());
    if (!found) return found.error();
    known.places = std::move(*found);
    return {};
}

Result<PlaceSheets> PlaceStore<Grid>::find(const GridSnapshot& now, std::span<const double> radii) {
    const GridState& grid = *now;
    const bool had = seen_.held();
    const CellRect changed = had ? difference(*seen_, grid) : CellRect{};
    const bool other = had && !changed.empty();
    seen_ = now;
    ++version_;
    sheets_.clear();
    bool same = true;
    for (const double radius : radii) {
        for (std::int32_t layer = 0; layer < grid.layers(); ++layer) {
            const Result<KnownPlaces*> known = entry(radius, static_cast<std::uint32_t>(layer));
            if (!known) return known.error();
            KnownPlaces& mine = **known;
            const bool fresh = mine.revision == 0;
            if (fresh || other) {
                mine.revision = 0;
                same = false;
                const Result<void> done = fresh ? find_anew(mine, grid) : refresh(mine, grid, changed);
                if (!done) return done.error();
                mine.revision = version_;
            }
            if (mine.detail == 0.0 || mine.places.places().empty()) continue;
            if (!sheets_.push_back({&mine.places, mine.floor})) return Error{ErrorCode::out_of_memory};
        }
    }
    if (same) --version_;
    PlaceSheets sheets;
    sheets.sheets = sheets_.span();
    sheets.version = version_;
    return sheets;
}

}  // namespace fairlead::fleet
