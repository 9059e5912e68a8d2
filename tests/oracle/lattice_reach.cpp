#include "oracle/lattice_reach.h"

namespace fairlead::oracle {

LatticeReach::LatticeReach(const EdgeMap& edges) : edges_(edges) {
    const PrimitiveSet& set = edges.table().primitives();
    const auto headings = static_cast<std::size_t>(set.headings());
    into_.resize(headings);
    for (std::uint32_t i = 0; i < set.all().size(); ++i) into_[set.all()[i].to].push_back(i);
    seen_.resize(static_cast<std::size_t>(edges.width()) * static_cast<std::size_t>(edges.height()) *
                 headings);
}

std::uint32_t LatticeReach::state(std::int32_t x, std::int32_t y, std::int32_t heading) const {
    const std::int32_t headings = edges_.table().headings();
    return static_cast<std::uint32_t>((y * edges_.width() + x) * headings + heading);
}

// True where the other side has been before.
bool LatticeReach::visit(int side, std::uint32_t state) {
    const auto mine = static_cast<std::uint8_t>(1 << side);
    if ((seen_[state] & mine) != 0) return false;
    seen_[state] = static_cast<std::uint8_t>(seen_[state] | mine);
    queue_[side].push_back(state);
    return seen_[state] == 3;
}

bool LatticeReach::open_forward(std::uint32_t at) {
    const PrimitiveSet& set = edges_.table().primitives();
    const auto headings = static_cast<std::uint32_t>(set.headings());
    const auto heading = static_cast<std::int32_t>(at % headings);
    const auto cell = static_cast<std::int32_t>(at / headings);
    const std::int32_t x = cell % edges_.width();
    const std::int32_t y = cell / edges_.width();
    for (std::uint32_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        if (!edges_.may_drive(x, y, i)) continue;
        const Primitive& move = set.all()[i];
        if (visit(0, state(x + move.dx, y + move.dy, move.to))) return true;
    }
    return false;
}

bool LatticeReach::open_backward(std::uint32_t at) {
    const PrimitiveSet& set = edges_.table().primitives();
    const auto headings = static_cast<std::uint32_t>(set.headings());
    const auto cell = static_cast<std::int32_t>(at / headings);
    for (const std::uint32_t i : into_[at % headings]) {
        const Primitive& move = set.all()[i];
        const std::int32_t x = cell % edges_.width() - move.dx;
        const std::int32_t y = cell / edges_.width() - move.dy;
        if (x < 0 || y < 0 || x >= edges_.width() || y >= edges_.height()) continue;
        if (edges_.may_drive(x, y, i) && visit(1, state(x, y, move.from))) return true;
    }
    return false;
}

bool LatticeReach::reaches(const OraclePose& start, const OraclePose& goal) {
    for (std::vector<std::uint32_t>& queue : queue_) {
        for (const std::uint32_t at : queue) seen_[at] = 0;
        queue.clear();
    }
    (void)visit(0, state(start.x, start.y, start.heading));
    if (visit(1, state(goal.x, goal.y, goal.heading))) return true;
    std::size_t next[2] = {0, 0};
    while (next[0] < queue_[0].size() && next[1] < queue_[1].size()) {
        const bool met = open_forward(queue_[0][next[0]++]) || open_backward(queue_[1][next[1]++]);
        if (met) return true;
    }
    return false;
}

}  // namespace fairlead::oracle
