// Several walkers on a graph of places, one after the other: each goes along its shortest way, pushes aside whoever has not arrived, and
// changes places with whoever has, at a place that three ways lead to; then both go back to where they met, and all others stand as before.
//
// Push and Swap (Luna and Bekris, "Push and Swap: Fast Cooperative Path-Finding with Completeness Guarantees", IJCAI 2011), without the
// cases in which room for a change is made through the two who change. It finds plans where lanes are long and somebody has to go far back,
// which a search over all joint steps does not see; it does not find all that there are. Then ways there and back are cut out where nobody
// passed meanwhile, and moves that have nothing to do with each other are made at the same time.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

namespace fairlead::fleet {

inline constexpr std::size_t kSwapMovesMax = 8192;
inline constexpr std::uint32_t kSwapWalkersMax = 32;

struct SwapMove {
    std::uint16_t walker = 0;
    std::uint16_t from = 0;
    std::uint16_t to = 0;
    std::uint16_t step = 0;  ///< moves of one step are made at the same time; from 1
};

class SwapPlan {
  public:
    explicit SwapPlan(const Allocator& allocator)
        : places_(allocator),
          who_(allocator),
          from_(allocator),
          queue_(allocator),
          path_(allocator),
          moves_(allocator),
          last_(allocator) {}

    /// The graph: on each way between two places one keeps clear of whoever stands at another one, and on two ways without a common
    /// place two keep clear of each other. False: there is no memory, or one has more than eight neighbours.
    [[nodiscard]] bool begin(std::uint32_t places);
    [[nodiscard]] bool join(std::uint32_t a, std::uint32_t b);

    /// False: no plan was found, or none of at most kSwapMovesMax moves.
    [[nodiscard]] bool solve(std::span<const std::uint16_t> starts, std::span<const std::uint16_t> goals);
    /// In their order; the last one has the last step.
    [[nodiscard]] std::span<const SwapMove> moves() const { return moves_.span(); }
    /// How many places were looked at.
    [[nodiscard]] std::uint64_t work() const { return work_; }

  private:
    static constexpr std::uint16_t kNobody = UINT16_MAX;
    static constexpr std::uint16_t kUnseen = UINT16_MAX;
    struct SwapPlace {
        std::uint32_t count = 0;
        std::uint16_t to[8] = {};
    };

    template <class Ends>
    [[nodiscard]] std::uint16_t flood(std::uint16_t from, std::span<const std::uint16_t> kept, Ends ends);
    [[nodiscard]] bool are_joined(std::uint16_t a, std::uint16_t b) const;
    [[nodiscard]] bool move(std::uint16_t walker, std::uint16_t to);
    void take_back(std::size_t moves);
    [[nodiscard]] bool bring(std::uint16_t walker);
    [[nodiscard]] bool push(std::uint16_t place, std::span<const std::uint16_t> kept);
    [[nodiscard]] bool push_unarrived(std::uint16_t walker, std::uint16_t place);
    [[nodiscard]] bool swap(std::uint16_t a, std::uint16_t b);
    [[nodiscard]] bool swap_at(std::uint16_t a, std::uint16_t b, std::uint16_t where);
    [[nodiscard]] bool walk_both(std::uint16_t first, std::uint16_t second, std::uint16_t where);
    [[nodiscard]] bool change(std::uint16_t first, std::uint16_t second);
    bool cut_walker(std::uint16_t walker);
    void cut();
    void pack();

    Array<SwapPlace> places_;
    Array<std::uint16_t> who_;   ///< stands there
    Array<std::uint16_t> from_;  ///< of a flood: the place before
    Array<std::uint16_t> queue_;
    Array<std::uint16_t> path_;
    Array<SwapMove> moves_;
    Array<std::uint16_t> last_;  ///< step in which somebody came or left
    std::span<const std::uint16_t> goals_{};
    std::uint16_t now_[kSwapWalkersMax] = {};
    bool arrived_[kSwapWalkersMax] = {};
    std::uint64_t work_ = 0;
};

}  // namespace fairlead::fleet
