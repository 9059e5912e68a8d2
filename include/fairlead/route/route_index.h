// RouteIndex: which routes does an edit touch? For worlds with many units on their way, where asking each of their routes after every
// building would cost more than the building.
//
//     Result<RouteIndex> index = RouteIndex::make({.bucket = 8.0});
//     index->insert(unit.route, unit.id, unit.agent.radius);      // found or mended
//     ...
//     index->touched({.box = {{10, 10}, {26, 26}}}, ids);         // what was built on
//     for (const std::uint64_t id : ids) again(id);               // revalidate, repair
//
// Any route of any world: straight legs, arcs, links, turns on the spot, on all floors. A route is touched where its line passes
// within its radius of the box, exactly (up to 1e-9 of the numbers given): of arcs the arcs count, not their chords. Of a link its
// two ends count. The radius is that of the disc about the position that holds the body: circumscribed_radius, or 0.71 x the side of
// a footprint, in world units. So every route that an edit inside the box makes illegal is among those touched.
//
// In space (RouteIndexOptions::space; volumes) the radius is that of the sphere that holds the body (circumscribed_sphere), so it counts
// in height as well, exactly for straight legs of spheres; of a helix more may be named, by the heights of its pieces. volume/repair.h
// makes the box of an edit.
//
// How. Legs are cut into pieces no longer than a bucket's side, and each lies in the bucket of its middle. A question looks at the
// buckets within reach of the box, tests boxes, then distances.
//
// Cost: insert and erase 0.1 us a piece, up to 3 us among 290,000 of them; touched 0.3 to 2 us for a building of 4 x 3 among 200 to
// 20,000 routes as dense as each other: it grows with the pieces in the buckets near the box, however many there are elsewhere.
// Buckets as long as a typical leg, or twice the widest unit, serve well. Memory: 120 bytes a piece, 32 a route. Warm, nothing is
// allocated. Deterministic; a question may be asked from several threads at once while nobody inserts or erases.
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/math/aabb.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct RouteIndexOptions {
    double bucket = 8.0;  ///< side of a bucket, world units, > 0
    /// Of axes that wrap (tile worlds): how long a lap is, world units. 0: the axis does not wrap.
    Vec2 lap{};
    bool space = false;  ///< routes through a volume: legs are cut, kept and asked for by height as well
    Allocator allocator{};
};

inline constexpr std::int32_t kAnyLayer = -1;

/// Where something has changed. The box is finite, no longer than a lap, and closed: touching it counts.
struct TouchedBox {
    Aabb box{};
    double low = -std::numeric_limits<double>::infinity();  ///< heights: legs that lie below do not count,
    double high = std::numeric_limits<double>::infinity();  ///< nor do those above
    std::int32_t layer = kAnyLayer;                         ///< floor of a layered tile map
};

class RouteIndex {
  public:
    /// Errors: not_finite, out_of_range (bucket, lap).
    [[nodiscard]] static Result<RouteIndex> make(const RouteIndexOptions& options = {});

    /// Puts a route in, in place of the one with that id if there is one. The route is not needed any more afterwards. Errors, after
    /// which that id has no route: not_finite (index: the leg, or the number of legs for the route's end), out_of_range (index -1:
    /// a radius below 0; else a leg farther out than 2^30 buckets), size_limit (a route of more than 2^20 pieces: its buckets are
    /// too small), out_of_memory.
    Result<void> insert(const Route& route, std::uint64_t id, double radius);
    /// False: there is none with that id.
    bool erase(std::uint64_t id);
    void clear();

    /// The ids of all routes that the box touches, ascending, in place of what `ids` held. `looked_at`, where given, is how many pieces
    /// were looked at. Errors: not_finite (the box), out_of_memory.
    Result<void> touched(const TouchedBox& where, Array<std::uint64_t>& ids,
                         std::uint64_t* looked_at = nullptr) const;

    [[nodiscard]] std::size_t routes() const { return route_count_; }
    [[nodiscard]] std::size_t pieces() const { return piece_count_; }

  private:
    explicit RouteIndex(const RouteIndexOptions& options);

    static constexpr std::uint32_t kNone = UINT32_MAX;

    struct Bucket {
        std::int32_t x = 0;
        std::int32_t y = 0;
        std::int32_t z = 0;  ///< 0 but in space
        friend bool operator==(const Bucket&, const Bucket&) = default;
    };
    /// A straight or bent stretch of a leg, in the first lap.
    struct Piece {
        Vec2 a{};
        Vec2 b{};
        double curvature = 0.0;
        double from = 0.0;  ///< heights of a and b
        double to = 0.0;
        std::int32_t layer = 0;
        Bucket bucket{};
        std::uint32_t route = kNone;
        std::uint32_t before = kNone;  ///< in its chain; kNone: the first one
        std::uint32_t after = kNone;
        std::uint32_t next = kNone;  ///< of its route, or free

        /// How far the box is above it, or below.
        [[nodiscard]] double above(const TouchedBox& where) const {
            const double low = from < to ? from : to, high = from < to ? to : from;
            return where.low > high ? where.low - high : low > where.high ? low - where.high : 0.0;
        }
    };
    struct Entry {
        std::uint64_t id = 0;
        double radius = 0.0;
        std::uint32_t first = kNone;  ///< piece
        std::uint32_t after = kNone;  ///< of its chain, or free
    };
    struct Cutter;

    [[nodiscard]] std::uint32_t find(std::uint64_t id) const;
    [[nodiscard]] Result<void> add_pieces(const Route& route, std::uint32_t entry);
    [[nodiscard]] Result<void> add_piece(Piece piece, std::uint32_t entry);
    [[nodiscard]] bool grow_chains();
    void hang_in(std::uint32_t piece);
    void take_out(std::uint32_t piece);
    [[nodiscard]] std::uint32_t chain_of(Bucket bucket) const;
    [[nodiscard]] double gap_between(const Piece& piece, const TouchedBox& where) const;
    [[nodiscard]] bool look_at(std::uint32_t piece, const TouchedBox& where, Array<std::uint64_t>& ids) const;
    [[nodiscard]] bool look_in_lap(const TouchedBox& where, Array<std::uint64_t>& ids,
                                   std::uint64_t& looked) const;
    [[nodiscard]] bool look_in_bucket(Bucket bucket, const TouchedBox& where, Array<std::uint64_t>& ids,
                                      std::uint64_t& looked) const;
    [[nodiscard]] Vec2 first_lap(Vec2 p) const;

    RouteIndexOptions options_{};
    double radius_max_ = 0.0;  ///< of all routes since the index was last empty
    std::size_t route_count_ = 0;
    std::size_t piece_count_ = 0;
    std::uint32_t free_piece_ = kNone;
    std::uint32_t free_entry_ = kNone;
    Array<Piece> pieces_;
    Array<Entry> entries_;
    Array<std::uint32_t> bucket_heads_;  ///< a power of two of chains
    Array<std::uint32_t> id_heads_;
};

}  // namespace fairlead
