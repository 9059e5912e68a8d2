#include <fairlead/roadmap/roadmap.h>

#include <new>
#include <utility>

#include "roadmap/editor.h"
#include "roadmap/reach.h"
#include "roadmap/walls.h"

namespace fairlead {

using roadmap::EditorData;
using roadmap::kNoSlot;
using roadmap::StateData;

const char* roadmap_rule_text(RoadmapRule rule) {
    switch (rule) {
        case RoadmapRule::edge_to_itself: return "an edge leads from a waypoint to itself";
        case RoadmapRule::too_few_points: return "a wall has too few points";
        case RoadmapRule::footprint: return "roadmaps take discs, not footprints in tiles";
        case RoadmapRule::no_width: return "a road's kind has no width, others have one";
        case RoadmapRule::own_heuristic:
            return "an own heuristic needs astar or greedy_best_first, searched forward";
        case RoadmapRule::count_: break;
    }
    return "unknown rule";
}

// ---- RoadmapState
// ------------------------------------------------------------------------------------------

std::uint64_t RoadmapState::revision() const { return data_->revision; }
std::uint32_t RoadmapState::nodes() const { return data_->summary.nodes; }
std::uint32_t RoadmapState::arcs() const { return data_->summary.arcs; }
std::uint32_t RoadmapState::slots() const { return data_->slots(); }
bool RoadmapState::has_walls() const { return data_->walls != nullptr; }

Aabb RoadmapState::bounds() const {
    const roadmap::Box3& box = data_->summary.box;
    if (box.empty()) return {{0.0, 0.0}, {-1.0, -1.0}};
    return {ground(box.low), ground(box.high)};
}

WaypointSlot RoadmapState::find(WaypointId id) const { return {data_->find(id.value)}; }

Waypoint RoadmapState::node(WaypointSlot slot) const {
    FAIRLEAD_ASSERT(slot.value < slots());
    const roadmap::NodeRecord& record = data_->node(slot.value);
    return {{record.id}, record.position};
}

std::span<const RoadmapArc> RoadmapState::arcs(WaypointSlot slot) const {
    FAIRLEAD_ASSERT(slot.value < slots());
    return data_->arcs(slot.value);
}

std::span<const WaypointSlot> RoadmapState::arrivals(WaypointSlot slot) const {
    FAIRLEAD_ASSERT(slot.value < slots());
    return data_->ins(slot.value);
}

Result<bool> RoadmapState::connected(WaypointId from, WaypointId to) const {
    const std::uint32_t a = data_->find(from.value);
    const std::uint32_t b = data_->find(to.value);
    if (a == kNoSlot) return Error{ErrorCode::unknown_id, Field::from, from.value};
    if (b == kNoSlot) return Error{ErrorCode::unknown_id, Field::to, to.value};
    const roadmap::Reach quick = roadmap::quick_reach(data_->reach, a, b);
    if (quick != roadmap::Reach::open) return quick == roadmap::Reach::yes;
    roadmap::ReachWalk walk(data_->chunks.allocator());
    std::uint64_t unlimited = UINT64_MAX;
    if (!walk.begin(data_->reach) || !walk.add_goal(b) || !walk.add_start(a)) {
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
    const roadmap::Reach settled = walk.step(unlimited);
    if (settled == roadmap::Reach::open) return Error{ErrorCode::out_of_memory, -1, 0};
    return settled == roadmap::Reach::yes;
}

bool RoadmapState::walls_clear(Vec2 a, Vec2 b, double radius) const {
    return data_->walls == nullptr || roadmap::walls_clear(*data_->walls, a, b, radius);
}

RoadKind RoadmapState::road(std::uint8_t kind) const {
    return data_->roads == nullptr ? RoadKind{} : data_->roads->kinds[kind];
}
bool RoadmapState::has_widths() const { return data_->roads != nullptr && data_->roads->widths; }
bool RoadmapState::has_speed_limits() const { return data_->roads != nullptr && data_->roads->limits; }

std::span<const RoadmapWallSide> RoadmapState::wall_sides() const {
    if (data_->walls == nullptr) return {};
    return {data_->walls->sides(), data_->walls->side_count};
}

RoadmapMemory RoadmapState::memory() const {
    RoadmapMemory sum;
    for (const roadmap::NodeChunk* chunk : data_->chunks) sum.nodes += chunk->block.bytes;
    for (const roadmap::IdChunk* chunk : data_->ids) sum.ids += chunk->block.bytes;
    sum.nodes += data_->chunks.bytes() + sizeof(StateData);
    sum.ids += data_->ids.bytes();
    if (data_->boxes != nullptr) sum.boxes = data_->boxes->block.bytes;
    if (data_->reach != nullptr) sum.connectivity = data_->reach->block.bytes;
    if (data_->walls != nullptr) sum.walls = data_->walls->block.bytes;
    if (data_->roads != nullptr) sum.nodes += data_->roads->block.bytes;
    return sum;
}

// ---- Roadmap
// -----------------------------------------------------------------------------------------------

namespace {

void end_editor(EditorData* editor) {
    if (editor == nullptr) return;
    const Allocator allocator = editor->allocator;
    editor->destroy();
    editor->~EditorData();
    allocator.release(editor, sizeof(EditorData), alignof(EditorData), allocator.user);
}

}  // namespace

Result<Roadmap> Roadmap::make(const RoadmapOptions& options) {
    const Allocator& a = options.allocator;
    void* memory = a.allocate(sizeof(EditorData), alignof(EditorData), a.user);
    if (memory == nullptr) return Error{ErrorCode::out_of_memory, -1, sizeof(EditorData)};
    Roadmap made;
    made.editor_ = new (memory) EditorData(a);
    const Result<void> built = roadmap::build(*made.editor_, options);
    if (!built) return built.error();
    made.state_.data_ = made.editor_->state;
    return made;
}

Roadmap::Roadmap(Roadmap&& other) noexcept
    : state_(std::exchange(other.state_, RoadmapState{})), editor_(std::exchange(other.editor_, nullptr)) {}

Roadmap& Roadmap::operator=(Roadmap&& other) noexcept {
    if (this != &other) {
        end_editor(editor_);
        state_ = std::exchange(other.state_, RoadmapState{});
        editor_ = std::exchange(other.editor_, nullptr);
    }
    return *this;
}

Roadmap::~Roadmap() { end_editor(editor_); }

RoadmapSnapshot Roadmap::acquire() const { return RoadmapSnapshot::of(state()); }

void RoadmapState::hold() const { data_->held.fetch_add(1, std::memory_order_relaxed); }

void RoadmapState::let_go() const { data_->held.fetch_sub(1, std::memory_order_release); }

Result<void> Roadmap::apply(std::span<const RoadmapEdit> edits) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    if (edits.empty()) return {};
    if (!editor_->begin()) return Error{ErrorCode::out_of_memory, -1, 0};
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Result<void> done = roadmap::edit(*editor_, edits[i]);
        if (done) continue;
        editor_->drop();
        return Error{done.error().code, static_cast<std::int64_t>(i), done.error().detail};
    }
    if (!editor_->changed) {
        editor_->drop();
        return {};
    }
    if (!roadmap::settle(*editor_)) {
        editor_->drop();
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
    editor_->commit();
    state_.data_ = editor_->state;
    return {};
}

Result<void> Roadmap::add_node(const Waypoint& node) {
    const RoadmapEdit edit = RoadmapEdit::add_node(node);
    return apply({&edit, 1});
}
Result<void> Roadmap::move_node(const Waypoint& node) {
    const RoadmapEdit edit = RoadmapEdit::move_node(node);
    return apply({&edit, 1});
}
Result<void> Roadmap::remove_node(WaypointId id) {
    const RoadmapEdit edit = RoadmapEdit::remove_node(id);
    return apply({&edit, 1});
}
Result<void> Roadmap::add_edge(const WaypointEdge& edge) {
    const RoadmapEdit edit = RoadmapEdit::add_edge(edge);
    return apply({&edit, 1});
}
Result<void> Roadmap::change_edge(const WaypointEdge& edge) {
    const RoadmapEdit edit = RoadmapEdit::change_edge(edge);
    return apply({&edit, 1});
}
Result<void> Roadmap::remove_edge(const WaypointEdge& edge) {
    const RoadmapEdit edit = RoadmapEdit::remove_edge(edge);
    return apply({&edit, 1});
}

}  // namespace fairlead
