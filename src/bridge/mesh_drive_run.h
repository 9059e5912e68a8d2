// MeshDriveRun: one query of a turning unit over a level mesh, kept in the caller's Scratch.
#pragma once

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/search/open_list.h>

#include "bridge/mesh_drive_trace.h"
#include "bridge/mesh_goal_side.h"
#include "bridge/mesh_lattice.h"
#include "drive/lattice/drive_work.h"
#include "drive/lattice/pose_run.h"
#include "mesh/surface/surface.h"
#include "search/run_state.h"

namespace fairlead::bridge {

class MeshDriveRun : public drive::PoseRun<MeshDriveRun> {
  public:
    explicit MeshDriveRun(const Allocator& allocator)
        : lattice_(allocator),
          goal_side_(allocator),
          open_(allocator),
          states_(allocator),
          work_(allocator) {}
    MeshDriveRun(const MeshDriveRun&) = delete;
    MeshDriveRun& operator=(const MeshDriveRun&) = delete;

    void begin(const NavMeshState& mesh, const MeshDriveQuery& query, const RunStart& with);
    /// The lattice was searched for a way to the goal and has none.
    [[nodiscard]] bool is_cut_off() const { return no_way_ && !nearby_; }
    [[nodiscard]] Result<void> take(Route& route);

  private:
    friend class drive::PoseRun<MeshDriveRun>;
    using Engine = BestFirst<MeshSpace, drive::WeightedOnceKey, BucketOpen, PagedNodes, MeshDriveTrace>;

    /// A pose of the query, placed.
    struct End {
        mesh::SurfacePoint at{};
        drive::SheetPose pose{};  ///< cells
    };
    /// A curve all the way.
    struct Direct {
        drive::FreeCurve curve{};
        std::uint32_t from = 0;  ///< of the start's poses
        int which = -1;          ///< of the goal's; -1: there is none
    };

    // What PoseRun asks of a world.
    void look_at_ends(std::uint64_t& budget);
    void begin_search(double weight);
    void search(std::uint64_t& budget);
    void search_beyond(std::uint64_t&) {}
    void begin_chain(std::uint32_t last);
    void write_chain(std::uint64_t&) {}
    [[nodiscard]] bool fill_chain(std::uint32_t last);
    [[nodiscard]] static bool takes_over() { return false; }
    [[nodiscard]] std::uint32_t nearest_so_far() const {
        return no_way_ ? lattice_.near_goal.state() : space_.nearest();
    }
    [[nodiscard]] double bound_of(double weight) const;
    [[nodiscard]] SearchStats search_stats() const;
    [[nodiscard]] const drive::CurveWorld& curves() const { return lattice_.goal.curves; }
    [[nodiscard]] bool failed() const { return lattice_.failed(); }

    void prepare();
    [[nodiscard]] PathStatus place_ends();
    [[nodiscard]] bool place(const Spot& place, End& end) const;
    [[nodiscard]] bool stands(End& end);
    [[nodiscard]] std::int32_t list_poses(const End& end, std::uint32_t headings, drive::SheetPose* poses);
    [[nodiscard]] bool list_targets();
    void look_at_start();
    void find_direct();
    void ask_goal_side(std::uint64_t budget);
    void found_from_goal();
    void watch();
    void end_without_way();
    void go_nearby();
    [[nodiscard]] bool is_good_enough() const;
    [[nodiscard]] std::uint64_t until_goal_side() const;
    // mesh_drive_starts.cpp
    [[nodiscard]] bool list_starts();
    [[nodiscard]] const drive::SheetPose& start_pose() const { return start_poses_[next_start_]; }
    [[nodiscard]] bool list_short_starts(std::size_t before);
    [[nodiscard]] bool list_all_starts();
    [[nodiscard]] bool add_start(const CurveWord& word, std::int32_t x, std::int32_t y, std::uint32_t polygon,
                                 std::int32_t heading, Gear gear, double cost);
    // mesh_drive_route.cpp
    [[nodiscard]] bool write_curves();
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
    drive::LatticeQuery ends_{};  ///< what the query says of start and goal
    SearchTrace trace_{};
    bool prepared_ = false;
    MeshPrices prices_{};
    CostScale scale_{};
    End start_{};
    End goal_{};
    drive::SheetPose start_poses_[kHeadingsMax]{};  ///< that it may start in
    std::uint32_t start_count_ = 0;
    std::uint32_t next_start_ = 0;  ///< the one that is looked at
    bool tries_direct_ = false;
    Direct direct_{};

    MeshLattice lattice_;
    MeshGoalSide goal_side_;
    bool asks_goal_side_ = false;      ///< it may still say that there is no way
    std::uint64_t goal_side_due_ = 0;  ///< so much of it, before the search goes on
    bool from_goal_ = false;           ///< the way was found from there
    bool no_way_ = false;              ///< there is none to the goal: it is that place that is looked for,
    bool nearby_ = false;              ///< from the first pose on
    std::uint64_t next_look_ = 0;      ///< poses opened when it is looked whether there can be a nearer one
    Cost least_ = 0;                   ///< no way costs less
    double weight_ = 1.0;              ///< of the search that runs
    Cost limit_ = kCostMax;            ///< and only cheaper ways are looked for
    BucketOpen open_;
    MeshSpace space_{lattice_, lattice_.nodes};
    Engine engine_{space_, open_, lattice_.nodes};
    Array<std::uint32_t> states_;  ///< of the way found
    drive::PathWork work_;
};

/// Of the lattice that the one call makes.
[[nodiscard]] double mesh_cell_size(const Agent& agent, const MeshLatticeOptions& lattice);

/// Errors as mesh_drive.h says, of a query's own numbers.
[[nodiscard]] Result<void> check_query(const MeshDriveQuery& query);

}  // namespace fairlead::bridge
