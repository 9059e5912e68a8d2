// StateData: everything that a revision of a roadmap consists of. Immutable once it is the current one.
//
// The adjacency is compressed rows (CSR) cut into chunks of 64 waypoints, so that an edit copies one chunk
// and a table of pointers. Everything hangs on blocks: pieces of memory that know the revision that made them
// and are shared by all later ones until an edit replaces them (base/revisions.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/math/aabb.h>
#include <fairlead/math/contact.h>
#include <fairlead/roadmap/roadmap.h>

#include "base/revisions.h"
#include "roadmap/box_tree.h"

namespace fairlead::roadmap {

inline constexpr std::uint32_t kChunkShift = 6;
inline constexpr std::uint32_t kChunkNodes = 1U << kChunkShift;
inline constexpr std::uint32_t kNoSlot = WaypointSlot::kNone;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An axis-aligned box in space.
struct Box3 {
    Vec3 low{kInfinity, kInfinity, kInfinity};
    Vec3 high{-kInfinity, -kInfinity, -kInfinity};

    [[nodiscard]] bool empty() const { return !(low.x <= high.x); }
    void include(Vec3 p) {
        if (p.x < low.x) low.x = p.x;
        if (p.y < low.y) low.y = p.y;
        if (p.z < low.z) low.z = p.z;
        if (p.x > high.x) high.x = p.x;
        if (p.y > high.y) high.y = p.y;
        if (p.z > high.z) high.z = p.z;
    }
    friend bool operator==(const Box3&, const Box3&) = default;
};

struct NodeRecord {
    Vec3 position{};
    std::int64_t id = WaypointId::kNone;  ///< kNone: nothing in this slot
    std::uint32_t arc_first = 0;
    std::uint32_t arc_count = 0;
    std::uint32_t in_first = 0;
    std::uint32_t in_count = 0;
};

/// What a search must know about all edges at once. A pure function of the waypoints and edges that it
/// covers.
struct Summary {
    double cost_min = kInfinity;  ///< of the arcs; links included
    double cost_max = 0.0;
    double ratio_min = kInfinity;  ///< least cost / length over the arcs that have a length
    std::uint64_t kinds[4] = {};   ///< which kinds occur, a bit each
    Box3 box{};                    ///< of the positions
    std::uint32_t nodes = 0;
    std::uint32_t arcs = 0;

    void include(const Summary& other);
};

/// 64 waypoints; behind it their arcs, then the slots that lead to them.
struct NodeChunk {
    Block block{};
    Summary summary{};
    std::uint32_t arc_total = 0;
    std::uint32_t in_total = 0;
    std::uint32_t touched = 0;  ///< summary and box are older than the arcs; only while an edit is made
    std::uint32_t spare = 0;
    NodeRecord nodes[kChunkNodes] = {};

    [[nodiscard]] RoadmapArc* arcs() { return reinterpret_cast<RoadmapArc*>(this + 1); }
    [[nodiscard]] const RoadmapArc* arcs() const { return reinterpret_cast<const RoadmapArc*>(this + 1); }
    [[nodiscard]] WaypointSlot* ins() { return reinterpret_cast<WaypointSlot*>(arcs() + arc_total); }
    [[nodiscard]] const WaypointSlot* ins() const {
        return reinterpret_cast<const WaypointSlot*>(arcs() + arc_total);
    }
    [[nodiscard]] static std::size_t bytes(std::size_t arcs, std::size_t ins) {
        return sizeof(NodeChunk) + arcs * sizeof(RoadmapArc) + ins * sizeof(WaypointSlot);
    }
};
static_assert(sizeof(RoadmapArc) == 24 && sizeof(NodeChunk) % alignof(RoadmapArc) == 0);

struct IdEntry {
    std::int64_t id = 0;
    std::uint32_t slot = 0;
    std::uint32_t spare = 0;
};

inline constexpr std::uint32_t kIdsMax = 256;

/// A stretch of the list of all ids, in order, never empty.
struct IdChunk {
    Block block{};
    std::uint64_t count = 0;
    IdEntry entries[kIdsMax] = {};
};

/// The boxes of all chunks (a BoxTree over them), grown by what rounding may move a point on an edge.
struct ChunkBoxes {
    Block block{};
    [[nodiscard]] Aabb* boxes() { return reinterpret_cast<Aabb*>(this + 1); }
    [[nodiscard]] const Aabb* boxes() const { return reinterpret_cast<const Aabb*>(this + 1); }
};

/// What each kind of edge is on the ground.
struct RoadSet {
    static constexpr std::size_t kKinds = 256;
    Block block{};
    bool widths = false;
    bool limits = false;
    RoadKind kinds[kKinds] = {};
};

struct ReachIndex;  // reach.h
struct WallSet;     // walls.h

struct StateData {
    explicit StateData(const Allocator& allocator) : chunks(allocator), ids(allocator) {}

    std::uint64_t revision = 0;
    Array<NodeChunk*> chunks;
    Array<IdChunk*> ids;
    BoxTree tree{};               ///< over the chunks
    ChunkBoxes* boxes = nullptr;  ///< null: no chunks
    ReachIndex* reach = nullptr;  ///< null: no waypoints when it was made
    WallSet* walls = nullptr;     ///< null: none
    RoadSet* roads = nullptr;     ///< null: none
    Summary summary{};

    mutable std::atomic<std::uint32_t> held{0};  ///< snapshots that hold this revision

    [[nodiscard]] std::uint32_t slots() const {
        return static_cast<std::uint32_t>(chunks.size()) << kChunkShift;
    }
    [[nodiscard]] const NodeChunk& chunk_of(std::uint32_t slot) const { return *chunks[slot >> kChunkShift]; }
    [[nodiscard]] const NodeRecord& node(std::uint32_t slot) const {
        return chunk_of(slot).nodes[slot & (kChunkNodes - 1)];
    }
    [[nodiscard]] std::span<const RoadmapArc> arcs(std::uint32_t slot) const {
        const NodeChunk& chunk = chunk_of(slot);
        const NodeRecord& record = chunk.nodes[slot & (kChunkNodes - 1)];
        return {chunk.arcs() + record.arc_first, record.arc_count};
    }
    [[nodiscard]] std::span<const WaypointSlot> ins(std::uint32_t slot) const {
        const NodeChunk& chunk = chunk_of(slot);
        const NodeRecord& record = chunk.nodes[slot & (kChunkNodes - 1)];
        return {chunk.ins() + record.in_first, record.in_count};
    }
    [[nodiscard]] bool share(const StateData& other);
    template <class Visit>
    void each_block(Visit visit) const;  // editor.h

    /// kNoSlot if there is none.
    [[nodiscard]] std::uint32_t find(std::int64_t id) const;
};

[[nodiscard]] inline double length_squared(Vec3 v) { return dot(v, v); }
[[nodiscard]] inline double absolute(double x) { return x < 0.0 ? -x : x; }
[[nodiscard]] inline double larger(double a, double b) { return a < b ? b : a; }
/// Largest of the coordinates' magnitudes.
[[nodiscard]] inline double magnitude(Vec3 p) {
    return larger(larger(absolute(p.x), absolute(p.y)), absolute(p.z));
}

/// The order of the arcs of one waypoint: by what they are, never by when they were made. Total but for equal
/// arcs.
[[nodiscard]] bool arc_before(const RoadmapArc& a, std::int64_t a_id, const RoadmapArc& b, std::int64_t b_id);

/// The summary of one chunk and its box, computed from the chunk and the positions at the far ends of its
/// arcs.
void summarise(const StateData& state, NodeChunk& chunk, Aabb& box);

/// What lies within half the contact slack (math/contact.h) of the waypoints and of p is on the net.
[[nodiscard]] double net_slack(const StateData& state, Vec3 p);

}  // namespace fairlead::roadmap
