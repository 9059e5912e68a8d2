// Building a ReachIndex: strongly connected sets (Tarjan 1972, without recursion), the graph between them,
// its two rankings, its weak components. Linear in waypoints and edges.

#include "roadmap/reach.h"

namespace fairlead::roadmap {

namespace {

struct ReachBuilder {
    struct Frame {
        std::uint32_t at;
        std::uint32_t next;  ///< which of its arcs comes next
    };

    ReachBuilder(const StateData& world, const Allocator& allocator)
        : state(world),
          set_of(allocator),
          seen(allocator),
          low(allocator),
          pending(allocator),
          frames(allocator),
          members(allocator),
          member_first(allocator),
          arc_first(allocator),
          arcs(allocator),
          parent(allocator),
          table(allocator) {}

    static constexpr std::uint32_t kEntered = kNoSet - 1;

    const StateData& state;
    std::uint32_t sets = 0;
    Array<std::uint32_t> set_of;
    Array<std::uint32_t> seen;  ///< Tarjan's number of a slot, 0: not seen; later a mark by set
    Array<std::uint32_t> low;
    Array<std::uint32_t> pending;
    Array<Frame> frames;
    Array<std::uint32_t> members;  ///< slots by set
    Array<std::uint32_t> member_first;
    Array<std::uint32_t> arc_first;
    Array<std::uint32_t> arcs;
    Array<std::uint32_t> parent;  ///< union-find over sets
    Array<ReachSet> table;

    [[nodiscard]] bool run() {
        const std::uint32_t slots = state.slots();
        if (!set_of.resize_uninitialized(slots) || !seen.resize(slots) || !low.resize_uninitialized(slots))
            return false;
        for (std::uint32_t& set : set_of) set = kNoSet;
        std::uint32_t counter = 0;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            if (state.node(slot).id != WaypointId::kNone && seen[slot] == 0 && !walk(slot, counter))
                return false;
        }
        return list_members() && join_sets() && rank();
    }

    // Depth first from a slot; a set is complete when its first slot is left.
    [[nodiscard]] bool walk(std::uint32_t root, std::uint32_t& counter) {
        if (!enter(root, counter)) return false;
        while (!frames.empty()) {
            const std::uint32_t at = frames.back().at;
            const std::span<const RoadmapArc> out = state.arcs(at);
            if (frames.back().next < out.size()) {
                const std::uint32_t to = out[frames.back().next++].to.value;
                if (seen[to] == 0) {
                    if (!enter(to, counter)) return false;
                } else if (set_of[to] == kNoSet && seen[to] < low[at]) {
                    low[at] = seen[to];
                }
                continue;
            }
            frames.pop_back();
            if (low[at] == seen[at]) close_set(at);
            if (!frames.empty() && low[at] < low[frames.back().at]) low[frames.back().at] = low[at];
        }
        return true;
    }

    [[nodiscard]] bool enter(std::uint32_t slot, std::uint32_t& counter) {
        seen[slot] = low[slot] = ++counter;
        return pending.push_back(slot) && frames.push_back({slot, 0});
    }

    void close_set(std::uint32_t first) {
        for (;;) {
            const std::uint32_t slot = pending.back();
            pending.pop_back();
            set_of[slot] = sets;
            if (slot == first) break;
        }
        ++sets;
    }

    [[nodiscard]] bool list_members() {
        if (!member_first.resize(sets + 1)) return false;
        std::uint32_t count = 0;
        for (const std::uint32_t set : set_of) {
            if (set == kNoSet) continue;
            ++member_first[set + 1];
            ++count;
        }
        for (std::uint32_t set = 0; set < sets; ++set) member_first[set + 1] += member_first[set];
        if (!members.resize_uninitialized(count)) return false;
        for (std::uint32_t slot = static_cast<std::uint32_t>(set_of.size()); slot-- > 0;) {
            if (set_of[slot] != kNoSet) members[--member_first[set_of[slot] + 1]] = slot;
        }
        // Every first has moved down to the start of its set; shift the table back by one.
        for (std::uint32_t set = 0; set < sets; ++set) member_first[set] = member_first[set + 1];
        member_first[sets] = count;
        return true;
    }

    [[nodiscard]] std::uint32_t root_of(std::uint32_t set) {
        while (parent[set] != set) set = parent[set] = parent[parent[set]];
        return set;
    }

    // The arcs between sets, each pair once, and the weak components.
    [[nodiscard]] bool join_sets() {
        if (!arc_first.resize(sets + 1) || !parent.resize_uninitialized(sets)) return false;
        for (std::uint32_t set = 0; set < sets; ++set) parent[set] = set;
        for (std::uint32_t& mark : seen) mark = kNoSet;
        for (std::uint32_t set = 0; set < sets; ++set) {
            arc_first[set] = static_cast<std::uint32_t>(arcs.size());
            for (std::uint32_t i = member_first[set]; i < member_first[set + 1]; ++i) {
                for (const RoadmapArc& arc : state.arcs(members[i])) {
                    const std::uint32_t to = set_of[arc.to.value];
                    if (to == set || seen[to] == set) continue;
                    seen[to] = set;
                    if (!arcs.push_back(to)) return false;
                    parent[root_of(to)] = root_of(set);
                }
            }
        }
        arc_first[sets] = static_cast<std::uint32_t>(arcs.size());
        return true;
    }

    // Tarjan's numbers are a rank already: a set is closed after all that it reaches. The second rank is that
    // of a depth-first walk in the opposite order, from the last set and from each set's last arc.
    [[nodiscard]] bool rank() {
        if (!table.resize_uninitialized(sets + 1)) return false;
        for (std::uint32_t set = 0; set < sets; ++set) {
            table[set] = {.low = set,
                          .second = kNoSet,
                          .second_low = kNoSet,
                          .weak = root_of(set),
                          .arc_first = arc_first[set]};
            for (std::uint32_t i = arc_first[set]; i < arc_first[set + 1]; ++i) {
                if (table[arcs[i]].low < table[set].low) table[set].low = table[arcs[i]].low;
            }
        }
        table[sets] = {.arc_first = arc_first[sets]};
        std::uint32_t counter = 0;
        for (std::uint32_t set = sets; set-- > 0;) {
            if (table[set].second == kNoSet && !rank_second(set, counter)) return false;
        }
        return true;
    }

    [[nodiscard]] bool rank_second(std::uint32_t root, std::uint32_t& counter) {
        table[root].second_low = kEntered;
        if (!frames.push_back({root, 0})) return false;
        while (!frames.empty()) {
            const std::uint32_t at = frames.back().at;
            const std::uint32_t count = arc_first[at + 1] - arc_first[at];
            if (frames.back().next < count) {
                const std::uint32_t to = arcs[arc_first[at + 1] - 1 - frames.back().next++];
                if (table[to].second_low != kNoSet) continue;
                table[to].second_low = kEntered;
                if (!frames.push_back({to, 0})) return false;
                continue;
            }
            frames.pop_back();
            table[at].second = table[at].second_low = counter++;
            for (std::uint32_t i = arc_first[at]; i < arc_first[at + 1]; ++i) {
                const std::uint32_t low_there = table[arcs[i]].second_low;
                if (low_there < table[at].second_low) table[at].second_low = low_there;
            }
        }
        return true;
    }
};

}  // namespace

ReachIndex* build_reach(const StateData& state, const Allocator& allocator, BlockMaker maker) {
    ReachBuilder builder(state, allocator);
    if (!builder.run()) return nullptr;
    const std::size_t bytes = ReachIndex::bytes(state.slots(), builder.sets, builder.arcs.size());
    auto* index = static_cast<ReachIndex*>(maker.make(bytes, maker.user));
    if (index == nullptr) return nullptr;
    index->slots = state.slots();
    index->sets = builder.sets;
    index->arcs = static_cast<std::uint32_t>(builder.arcs.size());
    for (std::uint32_t slot = 0; slot < index->slots; ++slot) index->set_of()[slot] = builder.set_of[slot];
    for (std::uint32_t set = 0; set <= index->sets; ++set) index->set_table()[set] = builder.table[set];
    for (std::uint32_t i = 0; i < index->arcs; ++i) index->arc_table()[i] = builder.arcs[i];
    return index;
}

}  // namespace fairlead::roadmap
