// KindFilter: what kinds of ground, or of links, mean to this unit, for this query only: doors, water, factions, threats.
//
//     .terrain = {.closed = {kWater, kLava}}                       // tiles of these kinds are walls
//     .areas = {.factors = factors}                                // by kind: what its cost is multiplied by
//
// Kinds are small numbers of the user's: terrain and kinds of edges 0 to 255, areas and kinds of links 0 to 63.
#pragma once

#include <cstdint>
#include <initializer_list>

#include <fairlead/base/borrowed.h>

namespace fairlead {

/// A set of kinds.
class KindSet {
  public:
    static constexpr std::uint32_t kKindsMax = 256;

    constexpr KindSet() = default;
    /// Kinds past kKindsMax are left out.
    constexpr KindSet(std::initializer_list<std::uint32_t> kinds) {
        for (const std::uint32_t kind : kinds) insert(kind);
    }
    /// Bit i of the mask is kind i.
    [[nodiscard]] static constexpr KindSet of_mask(std::uint64_t mask) {
        KindSet set;
        set.words_[0] = mask;
        return set;
    }

    constexpr void insert(std::uint32_t kind) {
        if (kind < kKindsMax) words_[kind / 64] |= std::uint64_t{1} << (kind % 64);
    }
    constexpr void erase(std::uint32_t kind) {
        if (kind < kKindsMax) words_[kind / 64] &= ~(std::uint64_t{1} << (kind % 64));
    }
    [[nodiscard]] constexpr bool contains(std::uint32_t kind) const {
        return kind < kKindsMax && ((words_[kind / 64] >> (kind % 64)) & 1U) != 0;
    }
    [[nodiscard]] constexpr bool empty() const {
        return (words_[0] | words_[1] | words_[2] | words_[3]) == 0;
    }
    /// Kinds 0 to 63, as bits.
    [[nodiscard]] constexpr std::uint64_t mask() const { return words_[0]; }

    friend constexpr bool operator==(const KindSet&, const KindSet&) = default;

  private:
    std::uint64_t words_[kKindsMax / 64] = {};
};

struct KindFilter {
    static constexpr double kFactorMin = 1e-6;
    static constexpr double kFactorMax = 1e6;

    KindSet closed{};  ///< as if they were walls, or not there
    /// By kind: what the cost is multiplied by, from kFactorMin to kFactorMax, or 0: closed. Kinds past the list's end have
    /// factor 1. Factors below 1 make searches slower: distances bound less.
    Borrowed<double> factors{};

    /// May this kind be entered?
    [[nodiscard]] constexpr bool open(std::uint32_t kind) const {
        return !closed.contains(kind) && !(kind < factors.size() && factors[kind] == 0.0);
    }
    /// What its cost is multiplied by; 0 where it is closed.
    [[nodiscard]] constexpr double factor(std::uint32_t kind) const {
        if (closed.contains(kind)) return 0.0;
        return kind < factors.size() ? factors[kind] : 1.0;
    }
    [[nodiscard]] constexpr bool empty() const { return closed.empty() && factors.empty(); }
    /// Which of kinds 0 to 63 may not be entered, as bits.
    [[nodiscard]] constexpr std::uint64_t closed_mask() const {
        std::uint64_t mask = closed.mask();
        for (std::size_t kind = 0; kind < factors.size() && kind < 64; ++kind) {
            if (factors[kind] == 0.0) mask |= std::uint64_t{1} << kind;
        }
        return mask;
    }
};

}  // namespace fairlead
