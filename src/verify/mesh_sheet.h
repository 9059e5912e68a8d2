// The surface around one leg: the polygons that its centre comes to over shared sides, and those that hang together with
// them within the body. verify_mesh.h says what that proves.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/mesh/nav_mesh.h>

#include "verify/mesh_body.h"
#include "verify/mesh_track.h"
#include "verify/wall_sweep.h"

namespace fairlead::witness {

/// What a body meets first.
struct SheetHit {
    double begin = kNever;  ///< distance along the track; kNever: nothing
    double worst = 0.0;     ///< of the nearest point
    double nearest = 0.0;   ///< how far the wall is there
    PolygonId polygon{};    ///< whose wall it is

    [[nodiscard]] bool found() const { return begin < kNever; }
};

class MeshSheet {
  public:
    MeshSheet(const NavMeshState& mesh, std::uint64_t closed_areas, std::uint64_t sides_max,
              const Allocator& allocator);

    /// A track; its coordinates are relative to `frame`, a point of the world.
    void begin(Vec2 frame, const MeshTrack& track, double slack);
    /// The walk may start in this polygon, if the track starts within slack of it.
    void put_start(PolygonId polygon);
    /// The same, if z is within `height_slack` of its height there; tells how far it is (kNever: it is elsewhere).
    double put_start_at_height(PolygonId polygon, double z, double height_slack);
    /// There is no polygon where the track starts.
    [[nodiscard]] bool nowhere() const { return parts_.empty(); }
    /// Follows the track as far as it goes.
    void walk();

    /// Does the walk come to the end of the track?
    [[nodiscard]] bool arrived() const { return arrived_; }
    /// The furthest distance that it comes to.
    [[nodiscard]] double reached() const { return reached_; }
    /// How far the track leads away from the surface behind that. No verdict rests on it.
    [[nodiscard]] SheetHit leaving() const;
    /// The polygons that the walk is in at the end of the track. False: out of memory.
    [[nodiscard]] bool ends(Array<PolygonId>& out) const;

    /// The first wall of the walk's surroundings that is nearer than `radius`; they are what hangs together over sides
    /// nearer than `around`.
    [[nodiscard]] SheetHit find_wall(double radius, double around);
    /// The same for a body that is no disc: the first wall that its rectangle is nearer to than `radius` (to `fine`); what hangs
    /// together is what the rectangle comes within `around` of.
    [[nodiscard]] SheetHit find_wall(const BodyMove& move, double radius, double around, double fine);

    /// How far `z` is from the surface at the start of the track, or at its end.
    [[nodiscard]] double height_off_start(double z) const { return height_off(0.0, z); }
    [[nodiscard]] double height_off_end(double z) const { return height_off(track_.track.length, z); }
    /// Where a line that rises from z to z + rise is furthest from the surface, and how far.
    struct HeightGap {
        double at = 0.0;
        double off = 0.0;
    };
    [[nodiscard]] HeightGap height_gap(double z, double rise) const;

    /// Out of memory, or past the limit of sides: nothing is known.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    static constexpr std::uint32_t kNoPatch = UINT32_MAX;

    /// A polygon, relative to the frame.
    struct Patch {
        PolygonId polygon{};
        std::uint32_t first = 0;  ///< of its corners
        std::uint32_t count = 0;
        std::uint32_t first_part = 0;
        std::uint32_t parts = 0;
        std::uint32_t flooded = kNoPatch;  ///< a list of Flooded
        bool parts_known = false;
    };
    /// A part of the track that is within slack of a polygon.
    struct Part {
        double low = 0.0;
        double high = 0.0;
        double arrive = kNever;  ///< when the walk comes in
        std::uint32_t patch = 0;
        bool waits = false;  ///< on the work list
    };
    struct Flooded {
        double low = 0.0;
        double high = 0.0;
        std::uint32_t next = kNoPatch;
    };
    struct Flow {
        std::uint32_t patch = 0;
        double low = 0.0;
        double high = 0.0;
    };

    [[nodiscard]] std::span<const Vec2> corners_of(const Patch& patch) const {
        return corners_.span().subspan(patch.first, patch.count);
    }
    [[nodiscard]] Vec2 corner_of(const Patch& patch, std::uint32_t i) const {
        return corners_[patch.first + (i < patch.count ? i : 0)];
    }
    [[nodiscard]] bool is_open(PolygonId polygon) const;
    [[nodiscard]] bool spend(std::uint64_t sides);
    [[nodiscard]] std::uint32_t load(PolygonId polygon);
    [[nodiscard]] bool grow_table();
    void find_parts(std::uint32_t patch);
    void arrive(PolygonId polygon, double when);
    void leave_part(std::uint32_t part);
    void flood(std::uint32_t patch, double low, double high);
    void begin_flood();
    void flow_on(const Flow& flow, double radius, double around, SheetHit& hit);
    struct BodyReach {
        double wall = 0.0;
        double around = 0.0;
        double fine = 0.0;
    };
    void flow_on(const Flow& flow, const BodyMove& move, const BodyReach& reach, SheetHit& hit);
    void find_nearest(Vec2 a, Vec2 b, double low, double high, SheetHit& hit) const;
    [[nodiscard]] double distance_to_patch(const Patch& patch, Vec2 p) const;
    [[nodiscard]] double height_off(double at, double z) const;
    [[nodiscard]] double height_off_patch(const Patch& patch, Vec2 p, double z) const;
    [[nodiscard]] double height_off_triangles(const Patch& patch, Vec2 p, double z) const;
    [[nodiscard]] double ground_off(const Patch& patch, Vec2 p, double z) const;

    const NavMeshState& mesh_;
    bool has_ground_;  ///< some tile has a height field
    std::uint64_t closed_areas_;
    std::uint64_t sides_left_;
    bool failed_ = false;
    bool arrived_ = false;
    double reached_ = 0.0;

    MeshTrack track_{};
    Vec2 frame_{};
    double slack_ = 0.0;

    Array<Vec2> corners_;
    Array<double> heights_;
    Array<Patch> patches_;
    Array<std::uint32_t>
        table_;  ///< patches by polygon; a hash table with linear probing, a power of 2 in size
    Array<Part> parts_;
    Array<std::uint32_t> work_;
    Array<Flooded> flooded_;
    Array<Flow> flows_;
    Array<Interval> joined_;
    Array<Interval> touched_;
    Array<double> breaks_;
};

}  // namespace fairlead::witness
