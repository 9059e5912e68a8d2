// The path that an engine found, out of its nodes into work.path: from the node back to the root, each state as a cell and how it was
// come to.
#pragma once

#include <algorithm>

#include "grid/work.h"

namespace fairlead::grid {

namespace take_path_detail {

inline std::uint32_t cell_state(const GridWork& work, const JumpPointSpace&, std::uint32_t state) {
    const Cell start = work.query.cells.code.cell(work.query.cells.start);
    return work.query.cells.code.state(JumpPointSpace::x_of(state), JumpPointSpace::y_of(state), start.layer);
}
inline std::uint32_t cell_state(const GridWork& work, const WindowSpace& space, std::uint32_t state) {
    const Cell c = space.cell(state);
    return work.query.cells.code.state(c.x, c.y, c.layer);
}
inline std::uint32_t cell_state(const GridWork&, const TurnSpace&, std::uint32_t state) { return state >> 3; }
inline std::uint32_t cell_state(const GridWork&, const PlainSpace&, std::uint32_t state) { return state; }
inline std::uint32_t cell_state(const GridWork&, const HalfSpace&, std::uint32_t state) { return state; }
inline std::uint32_t cell_state(const GridWork&, const GeneralSpace&, std::uint32_t state) { return state; }
inline std::uint32_t cell_state(const GridWork& work, const HalfJumpSpace&, std::uint32_t state) {
    return work.half.code().state(HalfJumpSpace::point(state), work.half_start_layer);
}

/// What PathStep tells of the step that led to a node.
template <class Space>
std::uint32_t step_of(std::uint32_t tag, bool portal) {
    if constexpr (std::is_same_v<Space, HalfSpace>) return tag;
    if constexpr (std::is_same_v<Space, HalfJumpSpace>) {
        if ((tag & kByGap) != 0) return kGapMove;
        return (tag & kBySqueeze) != 0 ? kSqueezeMove : kRunMove;
    }
    if constexpr (std::is_same_v<Space, TurnSpace>) return portal ? kByPortal : kByMove + tag;
    return portal ? kByPortal : kByWalk;
}

/// Tags of jump points are their own four directions; everywhere else kNoMove on a state with a parent is a portal.
template <class Space>
inline constexpr bool kPortalsByTag =
    !std::is_same_v<Space, JumpPointSpace> && !std::is_same_v<Space, WindowSpace> &&
    !std::is_same_v<Space, HalfJumpSpace>;

/// Appends the chain from a node up to its root: node first.
template <class Space, class Nodes>
bool append_chain(GridWork& work, const Space& space, const Nodes& nodes, std::uint32_t node) {
    using Parent = decltype(Nodes::Node::parent);
    constexpr auto kRoot = static_cast<Parent>(kNoNode);
    for (;;) {
        const auto& at = nodes[node];
        const bool root = at.parent == kRoot;
        const bool portal = kPortalsByTag<Space> && !root && at.tag == kNoMove;
        const std::uint32_t how = step_of<Space>(at.tag, portal);
        if (!work.path.push_back({cell_state(work, space, nodes.state_of(node)), how})) return false;
        if (root) return true;
        node = at.parent;
    }
}

/// The space that an engine searches.
template <class Trace, class Engine>
const auto& space_of(const GridWork& work) {
    using E = Engines<Trace>;
    if constexpr (std::is_same_v<Engine, typename E::Jump>) {
        return work.jump;
    } else if constexpr (std::is_same_v<Engine, typename E::Plain>) {
        return work.plain;
    } else if constexpr (std::is_same_v<Engine, typename E::Turn>) {
        return work.turn;
    } else if constexpr (std::is_same_v<Engine, typename E::Window>) {
        return work.window;
    } else if constexpr (std::is_same_v<Engine, typename E::Half>) {
        return work.half;
    } else if constexpr (std::is_same_v<Engine, typename E::HalfJump>) {
        return work.half_jump;
    } else {
        return work.general;
    }
}

}  // namespace take_path_detail

/// To a node. False: out of memory.
template <class Trace, class Engine>
[[nodiscard]] bool take_path(GridWork& work, const Engine& engine, std::uint32_t node) {
    work.path.clear();
    if (!take_path_detail::append_chain(work, take_path_detail::space_of<Trace, Engine>(work), engine.nodes(),
                                        node))
        return false;
    std::reverse(work.path.begin(), work.path.end());
    return true;
}

/// The forward half, then the backward half from the meeting on; there a node's tag tells of the step that leaves it.
template <class Trace, class Both>
[[nodiscard]] bool take_meeting_path(GridWork& work, const Both& both) {
    if (!take_path<Trace>(work, both.forward(), both.meeting_forward())) return false;
    const PagedNodes& nodes = both.backward().nodes();
    for (std::uint32_t node = both.meeting_backward(); nodes[node].parent != kNoNode;) {
        const bool portal = nodes[node].tag == kNoMove;
        node = nodes[node].parent;
        if (!work.path.push_back({node, portal ? kByPortal : kByWalk})) return false;
    }
    return true;
}

}  // namespace fairlead::grid
