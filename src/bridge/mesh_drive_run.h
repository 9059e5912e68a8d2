// MeshDriveRun: one query of a turning unit over a level mesh, kept in the caller's Scratch.
#pragma once

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/search/open_list.h>

#include "bridge/mesh_drive_trace.h"
#include "bridge/mesh_goal_side.h"
#include "bridge/mesh_lattice.h"
#include "drive/curves/smooth_curves.h"
#include "drive/lattice/drive_work.h"
#include "mesh/surface/surface.h"
#include "search/run_state.h"

namespace fairlead::bridge {

class MeshDriveRun {
  public:
    explicit MeshDriveRun(const Allocator& allocator)
        : lattice_(allocator),
          goal_side_(allocator),
          open_(allocator),
          path_(allocator),
          chain_(allocator),
          smoother_(allocator) {}
    MeshDriveRun(const MeshDriveRun&) = delete;
    MeshDriveRun& operator=(const MeshDriveRun&) = delete;

    void begin(const NavMeshState& mesh, const MeshDriveQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up() { end_spent(false); }

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const;
    [[nodiscard]] SearchStats stats() const;
    /// The lattice was searched for a way to the goal and has none.
    [[nodiscard]] bool is_cut_off() const { return no_way_ && !nearby_; }
    [[nodiscard]] Result<void> take(Route& route);

  private:
    enum class Stage : std::uint8_t { prepare, search, smooth, done };
    using Engine = BestFirst<MeshLattice, drive::WeightedOnceKey, BucketOpen, PagedNodes, MeshDriveTrace>;

    /// A pose of the query, placed.
    struct End {
        mesh::SurfacePoint at{};
        drive::SheetPose pose{};  ///< cells
    };
    struct Direct {
        drive::FreeCurve curve{};
        int which = -1;
    };

    void prepare();
    [[nodiscard]] PathStatus place_ends();
    [[nodiscard]] bool place(const Spot& place, End& end) const;
    [[nodiscard]] bool stands(End& end);
    [[nodiscard]] bool list_targets();
    void find_direct();
    void begin_search();
    void search(std::uint64_t& budget);
    void ask_goal_side(std::uint64_t budget);
    void found(bool from_goal);
    void watch();
    void end_without_way();
    void go_nearby();
    void begin_leading(std::uint32_t state, PathStatus status, bool smooths);
    [[nodiscard]] bool is_good_enough() const;
    [[nodiscard]] std::uint64_t until_goal_side() const;
    void begin_smoothing();
    void smooth(std::uint64_t& budget);
    // mesh_drive_starts.cpp
    [[nodiscard]] bool list_starts();
    [[nodiscard]] bool list_short_starts();
    [[nodiscard]] bool list_all_starts();
    [[nodiscard]] bool add_start(const CurveWord& word, std::int32_t x, std::int32_t y, std::uint32_t polygon,
                                 std::int32_t heading, Gear gear, double cost);
    // mesh_drive_route.cpp
    void end_spent(bool smooths);
    [[nodiscard]] bool fill_chain();
    [[nodiscard]] bool add_bridge(std::uint32_t from, std::uint32_t to);
    [[nodiscard]] bool add_lattice_curve(std::uint32_t from, std::uint32_t to);
    [[nodiscard]] bool write_route(Route& route);
    [[nodiscard]] bool write_heights(std::size_t first, std::uint32_t& polygon, Array<Leg>& legs);

    [[nodiscard]] static bool is_free(const drive::SheetPose& from, double radius, const CurveWord& word,
                                      std::uint32_t& sheet, void* user);
    [[nodiscard]] static double cost_along(const drive::SheetPose& from, double radius, const CurveWord& word,
                                           double reverse_penalty, void* user);
    [[nodiscard]] Pose to_world(const Pose& cells) const;
    [[nodiscard]] Vec3 on_surface(std::uint32_t polygon, Vec2 mesh) const;

    const mesh::StateData* state_ = nullptr;
    const DriveTable* table_ = nullptr;
    MeshDriveQuery query_{};
    std::uint32_t goal_headings_ = 0;  ///< as drive::LatticeQuery has them
    SearchTrace trace_{};
    RunState<Stage> at_;
    bool searched_ = false;  ///< the searches are of this query, not of the one before
    MeshPrices prices_{};
    CostScale scale_{};
    End start_{};
    End goal_{};
    Direct direct_{};

    MeshLattice lattice_;
    MeshGoalSide goal_side_;
    bool asks_goal_side_ = false;      ///< it may still say that there is no way
    std::uint64_t goal_side_due_ = 0;  ///< so much of it, before the search goes on
    bool from_goal_ = false;           ///< the way was found from there
    bool so_far_ = false;  ///< the way leads to the best pose so far, or to the place nearest the goal
    bool no_way_ = false;  ///< there is none to the goal: it is that place that is looked for,
    bool nearby_ = false;  ///< from the first pose on
    std::uint64_t next_look_ = 0;  ///< poses opened when it is looked whether there can be a nearer one
    Cost least_ = 0;               ///< no way costs less
    BucketOpen open_;
    Engine engine_{lattice_, open_, lattice_.nodes};
    Array<std::uint32_t> path_;
    Array<drive::ChainPose> chain_;
    drive::CurveSmoother smoother_;
};

/// Of the lattice that the one call makes.
[[nodiscard]] double mesh_cell_size(const Agent& agent, const MeshLatticeOptions& lattice);

/// Errors as mesh_drive.h says, of a query's own numbers.
[[nodiscard]] Result<void> check_query(const MeshDriveQuery& query);

}  // namespace fairlead::bridge
