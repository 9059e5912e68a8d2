// Fills a flow field, in slices: Theta* from the goals outward (Nash et al. 2007), with the corners of walls as nodes of their own.
//
// A node that is opened offers its neighbours the node that it goes to itself, if they see that one, else a corner beside the way there, or
// itself. Its neighbours are the
// points of the lattice around it and the corners that belong to those. Nodes are opened again when a cheaper way to them is found;
// so in the end no node is dearer than a neighbour and the step to it: no dearer than the best way from point to point.
//
// A corner is where one of the four tiles around a vertex is a wall. A way bends at the place that is a radius away from the wall's two
// sides, if the disc fits there.
#pragma once

#include "base/least_heap.h"
#include "grid/flow_data.h"

namespace fairlead::grid {

struct FlowOpen {
    double value = 0.0;
    std::uint32_t node = 0;
};

[[nodiscard]] inline bool flow_before(const FlowOpen& a, const FlowOpen& b) {
    return a.value != b.value ? a.value < b.value : a.node < b.node;
}

/// Corners beside the way to a point of the lattice, where what lies behind them has to bend.
struct FlowSides {
    std::uint32_t left = kNoNode;
    std::uint32_t right = kNoNode;
};

/// What a malformed query is refused with.
[[nodiscard]] Result<void> check_flow(const GridState& grid, const FlowQuery& query);

void destroy_flow(FlowData* data);

class FlowFiller {
  public:
    explicit FlowFiller(const Allocator& allocator)
        : allocator_(allocator), values_(allocator), heads_(allocator), sides_(allocator), open_(allocator) {}
    FlowFiller(const FlowFiller&) = delete;
    FlowFiller& operator=(const FlowFiller&) = delete;
    ~FlowFiller();

    [[nodiscard]] Result<void> begin(const GridSnapshot& world, const FlowQuery& query);
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const { return works() || owed_ > 0; }
    /// The result in exchange for `old`, which may be null.
    [[nodiscard]] Result<FlowData*> take(FlowData* old);

  private:
    enum class Stage : std::uint8_t { idle, rows, corners, search, done };  ///< in this order

    [[nodiscard]] bool works() const { return stage_ != Stage::idle && stage_ != Stage::done; }
    [[nodiscard]] Result<void> set_goals(const FlowQuery& query);
    [[nodiscard]] bool make_room();
    void row(std::int32_t j);
    void find_corners(std::int32_t y);
    void add_corner(std::int32_t x, std::int32_t y, Vec2 away);
    void link(std::uint32_t node);
    void begin_search();
    void open(const FlowOpen& item);
    void offer(std::uint32_t to, std::uint32_t by);
    void keep_sides(std::uint32_t to, std::uint32_t next, std::uint32_t by);
    bool improve(std::uint32_t to, Vec2 at, std::uint32_t next, bool step);
    [[nodiscard]] bool may_step(std::uint32_t from, std::uint32_t to) const;
    template <class Visit>
    void around(std::uint32_t node, Visit visit);
    void push(std::uint32_t node);

    [[nodiscard]] double& value(std::uint32_t node) {
        return data_->is_corner(node) ? data_->corner(node).value : values_[node];
    }
    void set_next(std::uint32_t node, std::uint32_t next) {
        (data_->is_corner(node) ? data_->corner(node).next : data_->parents[node]) = next;
    }

    Allocator allocator_;
    FlowData* data_ = nullptr;
    Stage stage_ = Stage::idle;
    bool failed_ = false;
    std::int32_t at_ = 0;         ///< the next row
    std::uint64_t work_ = 0;      ///< units used, in all
    std::uint64_t owed_ = 0;      ///< of these, more than there were: a node or a row is done in one piece
    Array<double> values_;        ///< of the lattice's points
    Array<std::uint32_t> heads_;  ///< of each point of the lattice: the first corner there
    Array<FlowSides> sides_;
    LeastHeap<FlowOpen, flow_before> open_;
};

}  // namespace fairlead::grid
