#include "grid/hierarchy/hierarchy.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/run_jobs.h"
#include "grid/connectivity.h"
#include "grid/hierarchy/stored_clusters.h"
#include "grid/portals.h"

namespace fairlead::grid {

namespace {

constexpr std::int32_t kTwoLevelsFrom = 512;
constexpr std::int32_t kThreeLevelsFrom = 2048;

bool build_any(const StateData& state, const Body& body, std::int32_t level, std::int32_t layer,
               std::int32_t x, std::int32_t y, ClusterScratch& scratch, StoredClusters* stored = nullptr) {
    return level == 0 ? build_cluster(state, body, layer, x, y, scratch, stored)
                      : build_upper_cluster(state, body, level, layer, x, y, scratch, stored);
}

// Do two chunks of a cluster look the same to the level above: the same entrances with the same costs?
bool same_to_above(std::int32_t level, const std::uint64_t* a, const std::uint64_t* b) {
    if (level == 0) {
        const Cluster one = Cluster::at(a), two = Cluster::at(b);
        const std::int32_t count = one.count();
        if (count != two.count() || std::memcmp(one.header->first, two.header->first, 5) != 0) return false;
        if (std::memcmp(one.nodes, two.nodes, static_cast<std::size_t>(count) * sizeof(ClusterNode)) != 0)
            return false;
        for (std::int32_t i = 0; i < count; ++i) {
            const auto row = static_cast<std::size_t>(i);
            if (std::memcmp(one.costs + row * one.header->points, two.costs + row * two.header->points,
                            static_cast<std::size_t>(count) * 2) != 0)
                return false;
        }
        return true;
    }
    const UpperCluster one = UpperCluster::at(a), two = UpperCluster::at(b);
    const auto count = static_cast<std::size_t>(one.count());
    return count == static_cast<std::size_t>(two.count()) && one.absent() == two.absent() &&
           std::memcmp(one.header->first, two.header->first, sizeof one.header->first) == 0 &&
           std::memcmp(one.nodes, two.nodes, count * sizeof(ClusterNode)) == 0 &&
           std::memcmp(one.costs, two.costs, count * count * 4) == 0;
}

// One level's part of an update: which clusters are to be made, and which differ.
class Level {
  public:
    Level(EditorData& editor, const Body& body, std::int32_t level, std::int32_t layer)
        : editor_(&editor),
          body_(&body),
          level_(level),
          layer_(layer),
          grid_(ClusterGrid::of(*editor.state, body, level, layer)) {}

    [[nodiscard]] const ClusterGrid& grid() const { return grid_; }

    // Makes a cluster anew. `differs`: the level above can see it.
    [[nodiscard]] bool make(std::uint32_t index, bool& differs) {
        const auto across = static_cast<std::uint32_t>(grid_.across);
        const auto x = static_cast<std::int32_t>(index % across);
        const auto y = static_cast<std::int32_t>(index / across);
        if (!build_any(*editor_->state, *body_, level_, layer_, x, y, editor_->clusters)) return false;
        const StateData& state = *editor_->state;
        const std::uint64_t* old = state.chunks[grid_.chunk(x, y)];
        const Array<std::uint64_t>& made = editor_->clusters.words;
        differs = old == nullptr || !same_to_above(level_, old, made.data());
        return editor_->put(grid_.chunk(x, y), made.span());
    }

    // Does a cluster that was not to be made have other entrances now on this side?
    [[nodiscard]] bool side_holds(std::int32_t x, std::int32_t y, std::int32_t side) {
        const StateData& state = *editor_->state;
        if (level_ > 0) return upper_side_holds(state, *body_, level_, layer_, x, y, side, editor_->clusters);
        const Cluster cluster = Cluster::at(state.chunks[grid_.chunk(x, y)]);
        const bool mine = side == kEastSide || side == kNorthSide;
        std::int32_t owner_x = x, owner_y = y;
        if (!mine && !cluster_beyond(state, grid_, side, owner_x, owner_y)) return true;
        const BorderNodes nodes =
            border_nodes(state, *body_, layer_, owner_x, owner_y, mine ? side : opposite_side(side));
        const std::int32_t first = cluster.first(side);
        if (nodes.count != cluster.first(side + 1) - first) return false;
        for (std::int32_t k = 0; k < nodes.count; ++k) {
            const Cluster::Point p = cluster.points[first + k];
            if (nodes.at[k] != (side == kEastSide || side == kWestSide ? p.y : p.x)) return false;
        }
        return true;
    }

  private:
    EditorData* editor_;
    const Body* body_;
    std::int32_t level_;
    std::int32_t layer_;
    ClusterGrid grid_;
};

bool add_once(Array<std::uint32_t>& list, std::uint32_t value) {
    for (const std::uint32_t v : list) {
        if (v == value) return true;
    }
    return list.push_back(value);
}

// Makes those of `todo`, then those beside them that have other entrances now; `todo` becomes those of the level above.
bool update_level(EditorData& editor, const Body& body, std::int32_t level, std::int32_t layer,
                  Array<std::uint32_t>& todo, Array<std::uint32_t>& above) {
    Level work(editor, body, level, layer);
    const StateData& state = *editor.state;
    const ClusterGrid& grid = work.grid();
    const auto across = static_cast<std::uint32_t>(grid.across);
    const auto parent_across = static_cast<std::uint32_t>((grid.across + kClusterFan - 1) / kClusterFan);
    above.clear();
    const auto make = [&](std::uint32_t index) {
        bool differs = false;
        if (!work.make(index, differs)) return false;
        const std::uint32_t parent =
            index / across / kClusterFan * parent_across + index % across / kClusterFan;
        return !differs || add_once(above, parent);
    };
    const std::size_t given = todo.size();
    for (std::size_t i = 0; i < given; ++i) {
        if (!make(todo[i])) return false;
    }
    for (std::size_t i = 0; i < given; ++i) {
        for (std::int32_t side = 0; side < 4; ++side) {
            auto x = static_cast<std::int32_t>(todo[i] % across);
            auto y = static_cast<std::int32_t>(todo[i] / across);
            if (!cluster_beyond(state, grid, side, x, y)) continue;
            const std::uint32_t beside = grid.index(x, y);
            if (std::find(todo.begin(), todo.end(), beside) != todo.end()) continue;
            if (work.side_holds(x, y, opposite_side(side))) continue;
            if (!todo.push_back(beside) || !make(beside)) return false;
        }
    }
    return true;
}

// One level of one layer of a new grid, row by row of clusters. Rows do not look at each other, so they may run at once; each has
// buffers of its own then.
class LevelBuilder {
  public:
    LevelBuilder(EditorData& editor, const Body& body, std::int32_t level, std::int32_t layer,
                 StoredClusters* stored = nullptr)
        : editor_(&editor),
          body_(&body),
          level_(level),
          layer_(layer),
          grid_(ClusterGrid::of(*editor.state, body, level, layer)),
          stored_(stored) {}

    /// False: out of memory, or what is stored is wrong.
    [[nodiscard]] bool run(const Jobs& jobs) {
        threads_ = jobs.run != nullptr;
        run_jobs(
            jobs, static_cast<std::size_t>(grid_.down),
            [](void* self, std::size_t y) {
                static_cast<LevelBuilder*>(self)->run_row(static_cast<std::int32_t>(y));
            },
            this);
        return !failed_.load(std::memory_order_relaxed);
    }

  private:
    void run_row(std::int32_t y) {
        if (failed_.load(std::memory_order_relaxed)) return;
        if (threads_) {
            ClusterScratch own(editor_->allocator);
            make_row(y, own);
        } else {
            make_row(y, editor_->clusters);
        }
    }
    void make_row(std::int32_t y, ClusterScratch& scratch) {
        for (std::int32_t x = 0; x < grid_.across; ++x) {
            const bool made = build_any(*editor_->state, *body_, level_, layer_, x, y, scratch, stored_);
            if (made && keep(x, y, scratch.words)) continue;
            failed_.store(true, std::memory_order_relaxed);
            return;
        }
    }
    bool keep(std::int32_t x, std::int32_t y, const Array<std::uint64_t>& words) {
        std::uint64_t* const chunk = editor_->make_raw_chunk(words.size());
        if (chunk == nullptr) return false;
        std::memcpy(chunk, words.data(), words.span().size_bytes());
        editor_->state->chunks[grid_.chunk(x, y)] = chunk;
        return true;
    }

    EditorData* editor_;
    const Body* body_;
    std::int32_t level_;
    std::int32_t layer_;
    ClusterGrid grid_;
    StoredClusters* stored_;
    bool threads_ = false;
    std::atomic<bool> failed_{false};
};

}  // namespace

std::int32_t hierarchy_levels(const StateData& state) {
    const std::int32_t side = std::max(state.width, state.height);
    return side > kThreeLevelsFrom ? 3 : side > kTwoLevelsFrom ? 2 : 1;
}

bool keeps_hierarchy(const StateData& state, const Body& body) {
    // Round an axis of one cluster a cluster would be beside itself.
    constexpr std::int32_t kLapMin = 2 * kClusterSide;
    const bool narrow = (state.wrap_x && state.width < kLapMin) || (state.wrap_y && state.height < kLapMin);
    const bool crowd = state.portal_count != 0 && state.portal_tables->crowd > kClusterPlacesMax;
    return !narrow && !crowd && !joins_diagonally(state, body);
}

bool build_hierarchy(EditorData& editor, const Body& body, const Jobs& jobs) {
    for (std::int32_t level = 0; level < body.cluster_levels; ++level) {
        for (std::int32_t layer = 0; layer < editor.state->layers; ++layer) {
            if (!LevelBuilder(editor, body, level, layer).run(jobs)) return false;
        }
    }
    return true;
}

bool load_hierarchy(EditorData& editor, const Body& body, StoredClusters& stored) {
    for (std::int32_t level = 0; level < body.cluster_levels; ++level) {
        for (std::int32_t layer = 0; layer < editor.state->layers; ++layer) {
            if (!LevelBuilder(editor, body, level, layer, &stored).run({})) return false;
        }
    }
    return true;
}

bool update_hierarchy(EditorData& editor, const Body& body, std::int32_t layer,
                      std::span<const CellRect> cells) {
    Array<std::uint32_t>& todo = editor.clusters.todo;
    Array<std::uint32_t>& above = editor.clusters.above;
    todo.clear();
    const ClusterGrid grid = ClusterGrid::of(*editor.state, body, 0, layer);
    for (const CellRect& rect : cells) {
        if (rect.empty()) continue;
        for (std::int32_t y = rect.low.y >> kClusterShift; y <= (rect.high.y - 1) >> kClusterShift; ++y) {
            for (std::int32_t x = rect.low.x >> kClusterShift; x <= (rect.high.x - 1) >> kClusterShift; ++x) {
                if (!add_once(todo, grid.index(x, y))) return false;
            }
        }
    }
    for (std::int32_t level = 0; level < body.cluster_levels && !todo.empty(); ++level) {
        if (!update_level(editor, body, level, layer, todo, above)) return false;
        if (!todo.assign(above.span())) return false;
    }
    return true;
}

}  // namespace fairlead::grid
