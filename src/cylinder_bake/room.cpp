// A flood over words of bits, one a column: within a column by shifts, to the four beside it by masks. The order does
// not matter to what is reached.

#include "cylinder_bake/room.h"

#include <bit>

namespace fairlead::bake {

namespace {

std::uint64_t slices_of(const Cylinder& shape) { return ~std::uint64_t{0} >> (64 - shape.slices); }

// Runs of `open` bits that hold a bit of `seed`, which lies within `open`.
std::uint64_t runs_with(std::uint64_t seed, std::uint64_t open) {
    for (;;) {
        const std::uint64_t grown = (seed | seed << 1 | seed >> 1) & open;
        if (grown == seed) return seed;
        seed = grown;
    }
}

class RoomFlood {
  public:
    RoomFlood(const Cylinder& shape, std::span<const std::uint64_t> met, Array<std::uint64_t>& room)
        : shape_(shape), met_(met), room_(room), stack_(room.allocator()), all_(slices_of(shape)) {}

    bool run() {
        if (!room_.resize(met_.size())) return false;
        const std::uint64_t innermost = std::uint64_t{1} << (shape_.slices - 1);
        for (std::uint32_t i = 0; i < met_.size(); ++i) {
            if (!reach(i, innermost)) return false;
        }
        while (!stack_.empty()) {
            const std::uint32_t at = stack_.back();
            stack_.pop_back();
            if (!spread(at)) return false;
        }
        return true;
    }

  private:
    bool reach(std::uint32_t at, std::uint64_t from) {
        const std::uint64_t open = all_ & ~met_[at];
        const std::uint64_t seed = (room_[at] | from) & open;
        const std::uint64_t now = runs_with(seed, open);
        if (now == room_[at]) return true;
        room_[at] = now;
        return stack_.push_back(at);
    }
    bool spread(std::uint32_t at) {
        const auto around = static_cast<std::uint32_t>(shape_.around);
        const std::uint32_t x = at % around;
        const std::uint32_t row = at - x;
        const std::uint64_t from = room_[at];
        if (!reach(row + (x == 0 ? around - 1 : x - 1), from)) return false;
        if (!reach(row + (x + 1 == around ? 0 : x + 1), from)) return false;
        if (row != 0 && !reach(at - around, from)) return false;
        return at + around >= met_.size() || reach(at + around, from);
    }

    const Cylinder& shape_;
    std::span<const std::uint64_t> met_;
    Array<std::uint64_t>& room_;
    Array<std::uint32_t> stack_;
    std::uint64_t all_;
};

}  // namespace

bool find_room(const Cylinder& shape, std::span<const std::uint64_t> met, Array<std::uint64_t>& room) {
    return RoomFlood(shape, met, room).run();
}

void measure_columns(const Cylinder& shape, std::span<const std::uint64_t> room,
                     std::span<std::uint8_t> solid, CylinderReport& report) {
    const std::uint64_t all = slices_of(shape);
    for (std::size_t i = 0; i < room.size(); ++i) {
        const int lowest = room[i] == 0 ? shape.slices : std::countr_zero(room[i]);
        solid[i] = static_cast<std::uint8_t>(lowest);
        report.free += std::popcount(room[i]);
        // From the lowest free slice on all must be free.
        const std::uint64_t over = room[i] == 0 ? 0 : all & ~((std::uint64_t{1} << lowest) - 1);
        if (over == room[i]) continue;
        if (report.floating++ > 0) continue;
        const auto around = static_cast<std::size_t>(shape.around);
        report.floating_cell = {static_cast<std::int32_t>(i % around), static_cast<std::int32_t>(i / around),
                                std::countr_zero(over & ~room[i])};
    }
}

}  // namespace fairlead::bake
