// One query of a turning unit in a volume on its way. find_fly.h says what it does.
#pragma once

#include <optional>

#include <fairlead/base/array.h>
#include <fairlead/fly/query.h>
#include <fairlead/search/engine.h>

#include "fly/fly_poses.h"
#include "fly/fly_smooth.h"
#include "search/run_state.h"
#include "volume/search/masks.h"

namespace fairlead::fly {

/// Tells the user's hook, if there is one.
struct FlyTrace {
    const FlyPoses* poses = nullptr;
    SearchTrace hook{};

    FAIRLEAD_INLINE void expanded(std::uint32_t s, Cost g) const {
        if (FAIRLEAD_UNLIKELY(hook.event != nullptr)) tell(TraceEventKind::expanded, s, g);
    }
    FAIRLEAD_INLINE void generated(std::uint32_t s, Cost g) const {
        if (FAIRLEAD_UNLIKELY(hook.event != nullptr)) tell(TraceEventKind::generated, s, g);
    }
    void tell(TraceEventKind kind, std::uint32_t s, Cost g) const;
};

class FlyRun {
  public:
    explicit FlyRun(const Allocator& allocator)
        : blockers_(allocator),
          masks_(allocator),
          poses_{FlyPoses(allocator), FlyPoses(allocator)},
          opens_{HeapOpen(allocator), HeapOpen(allocator)},
          stores_{HashedNodes(allocator), HashedNodes(allocator)},
          smoother_(allocator),
          legs_(allocator) {}
    FlyRun(const FlyRun&) = delete;
    FlyRun& operator=(const FlyRun&) = delete;

    void begin(const VolumeState& volume, const FlyQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up() { end_spent(); }

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const {
        return !at_.running() && !at_.failed() && (is_whole() || !legs_.empty());
    }
    [[nodiscard]] SearchStats stats() const;
    [[nodiscard]] Result<void> take(Route& route);

  private:
    enum class Stage : std::uint8_t { prepare, search, smooth, done };
    using Engine = BestFirst<FlySpace, WeightedKey, HeapOpen, HashedNodes, FlyTrace>;

    [[nodiscard]] Result<void> check() const;
    /// A route without legs is one too.
    [[nodiscard]] bool is_whole() const {
        return at_.status == PathStatus::complete || at_.status == PathStatus::partial;
    }
    void prepare();
    [[nodiscard]] bool aim_nearby(PathStatus why, Voxel from);
    void turn_goal();
    void begin_level(std::uint32_t level);
    void search(std::uint64_t& budget);
    void leave_search();
    void next_level();
    /// Not in time: as it is, unsmoothed.
    void found(bool in_time);
    void smooth(std::uint64_t& budget);
    void end_spent();
    [[nodiscard]] bool list_found();
    [[nodiscard]] bool list_forward(std::uint32_t node);

    VolumeState state_{};
    FlyQuery query_{};
    SearchTrace trace_{};
    RunState<Stage> at_;
    PathStatus leads_to_ = PathStatus::complete;  ///< the status of a route to the task's goal
    volume::BlockerTree blockers_;
    volume::Body body_;
    Masks masks_;
    CurveProbe probe_;
    FlyTask task_{};
    FlyJoin join_{};
    FlyPoses poses_[2];  ///< from the start, from the goal
    HeapOpen opens_[2];
    HashedNodes stores_[2];
    FlySpace spaces_[2] = {{poses_[0], stores_[0]}, {poses_[1], stores_[1]}};
    std::optional<Engine> engines_[2];
    bool exhausted_[2] = {};
    std::uint32_t level_ = 0;
    std::uint64_t spent_ = 0;  ///< expansions of this level
    std::uint64_t alone_ = 0;  ///< those since one end is exhausted
    SearchStats before_{};
    FlySmoother smoother_;
    Array<Leg> legs_;
    Place end_{};
};

}  // namespace fairlead::fly
