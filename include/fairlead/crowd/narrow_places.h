// Narrow places: where units cannot pass each other, found from the walls alone. A crowd keeps such places in order: through one that is
// one unit wide goes one direction at a time, through one that is two or three wide each direction has its lane.
//
//     PlaceFinder finder;
//     Result<NarrowPlaces> places = finder.find({.cell = 0.1, .width = 600, .height = 180, .radius = 0.5}, walls);
//     const std::uint32_t here = places->place_at({0.1, 0.3});        // kNoPlace in the open
//     places->crossings(polyline, out);                               // which ones a route goes through, by which mouths
//     places = finder.repair({{10, 20}, {14, 22}}, walls);            // a wall came or went: as found anew, to the last byte
//
// Worlds give their walls as a raster; the adapters of bridge/narrow_places_of.h do that for tiles and level meshes.
//
// What is found. D is the exact distance to the walls of a corner of the raster's cells; what is outside the raster is a wall.
// - A centre of a unit may stand where D >= r. It is *wide* within R - r of a point with D >= R: there a disc of radius R passes.
// - With R = 2 r x margin the rest is where two units cannot pass. Connected pieces of it that open to wide in two or more mouths
//   are *token* places. Pieces with one mouth are corners and niches and count as wide.
// - A wide piece between two mouths of such places with less room for centres than pocket x (2 r)^2 holds no one who waits:
//   it is joined to the places around it, which become one.
// - With R = 4 r x margin the rest of the rest are *lanes*. One of their mouths may open to a token place; if less than two open to
//   wide they count only from a length of 4 r on.
// Token places come first, then lanes, each by their first point, row by row from below; mouths of a place likewise.
//
// Exactness. D is exact for the raster's walls, so the width of a straight passage along the axes with an even number of cells is.
// Else widths are up to one cell too small, never too large. Mouths lie within two cells of where the definition has them, on the
// inner side. A raster cell of r / 5 is enough.
//
// Cost: linear. 50 to 105 ns a cell for find(), 4 to 20 for repair() (docs/crowds.md). Memory of the finder: 6 bytes a cell, 16 a run of
// cells of one kind and 16 a cell of the largest place's box; of the places 1/16 byte a cell and 4 a cell of those blocks of 8 x 8 that
// a place's rim crosses. A warm repair allocates what it returns, no more.
//
// Source: section 5 of the project's study of crowds; the opening of free space by a disc is that of mathematical morphology (Serra 1982).
// Distances: Meijster, Roerdink and Hesselink 2000. Errors: find().
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>

namespace fairlead {

inline constexpr std::uint32_t kNoPlace = UINT32_MAX;
inline constexpr std::uint32_t kNoMouth = UINT32_MAX;
inline constexpr std::uint32_t kOverSide = UINT32_MAX - 1;  ///< by no mouth, where only smaller units pass
inline constexpr std::uint32_t kNoRoom = UINT32_MAX;

inline constexpr std::int32_t kPlaceSideMax = 32766;                   ///< cells of the raster along one axis
inline constexpr std::int64_t kPlaceCellsMax = std::int64_t{1} << 28;  ///< in all
inline constexpr double kPlaceCellsPerRadiusMin = 2.0;
inline constexpr double kPlaceCellsPerRadiusMax = 50.0;

struct PlacesOptions {
    Vec2 origin{};           ///< the raster's low corner
    double cell = 1.0;       ///< side of a cell, > 0
    std::int32_t width = 0;  ///< cells, 1 to kPlaceSideMax
    std::int32_t height = 0;
    double radius = 0.5;   ///< of the units, 2 to 50 cells
    double margin = 1.02;  ///< 1 to 1.25: so much more than 2 or 4 radii must be there to pass
    double pocket =
        12.0;  ///< >= 0, in squares of 2 r: wide pieces between places below that are joined to them
    Allocator allocator{};  ///< of the result
};

/// The walls of the raster, row by row: `blocked[i]` becomes 1 where cell (x + i, y) is a wall, else 0.
struct WallRows {
    void (*row)(std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) = nullptr;
    void* user = nullptr;
};

/// Cells low <= (x, y) < high.
struct RasterRect {
    struct Corner {
        std::int32_t x = 0;
        std::int32_t y = 0;
        friend bool operator==(const Corner&, const Corner&) = default;
    };
    Corner low{};
    Corner high{};
    friend bool operator==(const RasterRect&, const RasterRect&) = default;
};

enum class PlaceKind : std::uint8_t {
    token,  ///< two units cannot pass each other
    lanes,  ///< two can, four cannot: one lane each way
};

/// An end of a place, on its axis.
struct PlaceMouth {
    Vec2 middle{};                    ///< just beyond it, units can pass
    Vec2 outward{};                   ///< of length 1, out of the place
    double half_width = 0.0;          ///< from the middle to the walls
    std::uint32_t room = kNoRoom;     ///< what it opens to: an index of rooms()
    std::uint32_t beyond = kNoPlace;  ///< lanes: the token place that it opens to, if not to wide
    std::uint32_t node = 0;           ///< where the axis begins: an index of nodes()

    friend bool operator==(const PlaceMouth&, const PlaceMouth&) = default;
};

/// A corner of the axis, which is a tree: the way between two mouths goes up from both to where they meet.
struct PlaceNode {
    Vec2 at{};
    double clearance = 0.0;    ///< distance to the walls
    std::uint32_t parent = 0;  ///< an index of nodes(), below its own; of the first node of a place: itself

    friend bool operator==(const PlaceNode&, const PlaceNode&) = default;
};

struct NarrowPlace {
    PlaceKind kind = PlaceKind::token;
    double width = 0.0;         ///< between the walls, where it is narrowest on the axis
    double length = 0.0;        ///< of the axis between the two mouths that are farthest apart
    double centre_space = 0.0;  ///< the area that centres can be in
    std::uint32_t pockets = 0;  ///< wide pieces that were joined to it
    std::uint32_t mouth = 0;    ///< the first of mouths()
    std::uint32_t mouths = 0;   ///< at least 2; 1: small rooms joined that have one way out
    std::uint32_t node = 0;     ///< the first of nodes(), at a mouth
    std::uint32_t nodes = 0;

    friend bool operator==(const NarrowPlace&, const NarrowPlace&) = default;
};

/// A wide piece that mouths open to.
struct PlaceRoom {
    double centre_space = 0.0;   ///< the area that centres can be in
    std::uint32_t capacity = 0;  ///< units that can be in it and still move about: one for each 4 (2 r)^2
    std::uint32_t mouths = 0;    ///< of token places that open to it

    friend bool operator==(const PlaceRoom&, const PlaceRoom&) = default;
};

/// A route goes through a place.
struct PlaceCrossing {
    std::uint32_t place = kNoPlace;
    std::uint32_t in =
        kNoMouth;  ///< counted from the place's first; kNoMouth: the route starts inside; kOverSide
    std::uint32_t out = kNoMouth;  ///< kNoMouth: it ends inside; kOverSide: it leaves, but by no mouth
    double from = 0.0;             ///< where on the route, from its start
    double to = 0.0;

    friend bool operator==(const PlaceCrossing&, const PlaceCrossing&) = default;
};

namespace crowd {
class PlaceBuild;   // src/crowd/places/build.h
struct FinderData;  // src/crowd/places/finder.cpp
}  // namespace crowd

/// Immutable. Move only.
class NarrowPlaces {
  public:
    explicit NarrowPlaces(const Allocator& allocator = {})
        : places_(allocator),
          mouths_(allocator),
          nodes_(allocator),
          rooms_(allocator),
          blocks_(allocator),
          labels_(allocator) {}

    [[nodiscard]] std::span<const NarrowPlace> places() const { return places_; }
    [[nodiscard]] std::span<const PlaceMouth> mouths() const { return mouths_; }
    [[nodiscard]] std::span<const PlaceMouth> mouths(std::uint32_t place) const;
    [[nodiscard]] std::span<const PlaceNode> nodes() const { return nodes_; }
    [[nodiscard]] std::span<const PlaceRoom> rooms() const { return rooms_; }
    [[nodiscard]] double radius() const { return radius_; }
    [[nodiscard]] double cell() const { return cell_; }
    [[nodiscard]] Vec2 origin() const { return origin_; }
    /// The raster's size in points, one more than its cells.
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }

    /// The place that a centre is in; kNoPlace: in the open, or not in the raster. O(1), about 5 ns.
    [[nodiscard]] std::uint32_t place_at(Vec2 centre) const;
    /// The same for the centre of a smaller unit, which comes nearer to the walls than those that the places were found for: also the
    /// place that begins within `reach` (its radius less than theirs) of it. O(1), at most 90 ns.
    [[nodiscard]] std::uint32_t place_near(Vec2 centre, double reach) const;

    /// The axis from one mouth of a place to another, counted from its first, into `out`, which is emptied first: places and how far they
    /// are from the walls (`parent` does not count). Both mouths' middles are in it. False: no memory.
    [[nodiscard]] bool axis(std::uint32_t place, std::uint32_t from, std::uint32_t to,
                            Array<PlaceNode>& out) const;

    /// Which places a polyline goes through, in order, into `out`, which is emptied first. One that it enters and leaves by the same
    /// mouth is left out. `reach`: as for place_near. 20 ns for each half cell of its length inside the raster. False: no memory.
    [[nodiscard]] bool crossings(std::span<const Vec2> route, Array<PlaceCrossing>& out,
                                 double reach = 0.0) const;

    [[nodiscard]] std::size_t memory() const;
    [[nodiscard]] std::uint64_t digest() const;

    /// The same in all fields.
    friend bool operator==(const NarrowPlaces& a, const NarrowPlaces& b);

  private:
    friend class crowd::PlaceBuild;

    [[nodiscard]] std::uint32_t label(std::int32_t x, std::int32_t y) const;
    /// The mouth that somebody goes in or out by at a place; kOverSide: none. kNoMouth: it has none.
    [[nodiscard]] std::uint32_t mouth_by(std::uint32_t place, Vec2 at, double reach) const;

    Vec2 origin_{};
    double cell_ = 1.0;
    double radius_ = 0.0;
    std::int32_t width_ = 0;  ///< points
    std::int32_t height_ = 0;
    Array<NarrowPlace> places_;
    Array<PlaceMouth> mouths_;
    Array<PlaceNode> nodes_;
    Array<PlaceRoom> rooms_;
    Array<std::uint32_t>
        blocks_;  ///< of 8 x 8 points: the place of all, kNoPlace, or 2^31 + which of labels_
    Array<std::uint32_t> labels_;  ///< 64 for each block of many
};

/// Finds places and keeps what a repair needs. Move only.
class PlaceFinder {
  public:
    explicit PlaceFinder(const Allocator& allocator = {});
    PlaceFinder(PlaceFinder&& other) noexcept;
    PlaceFinder& operator=(PlaceFinder&& other) noexcept;
    PlaceFinder(const PlaceFinder&) = delete;
    PlaceFinder& operator=(const PlaceFinder&) = delete;
    ~PlaceFinder();

    /// Errors: size_zero, size_limit (width, height: past kPlaceSideMax; cells: past kPlaceCellsMax), not_finite, out_of_range (origin,
    /// cell_size, agent_radius, gap: margin; range: pocket), incompatible (no walls.row), out_of_memory.
    [[nodiscard]] Result<NarrowPlaces> find(const PlacesOptions& options, const WallRows& walls);

    /// The same after the cells of `changed` have changed, equal to what find() would give. Distances are made anew only within
    /// 8 r x margin of them; pieces, mouths and axes everywhere: a tenth to a third of what find() costs. Errors: nothing_to_take (no
    /// find() before, or one that failed), out_of_range (rect: not inside the raster), out_of_memory (then call find()).
    [[nodiscard]] Result<NarrowPlaces> repair(const RasterRect& changed, const WallRows& walls);

    /// What it keeps, in bytes.
    [[nodiscard]] std::size_t memory() const;

  private:
    Allocator allocator_;
    crowd::FinderData* data_ = nullptr;
};

}  // namespace fairlead
