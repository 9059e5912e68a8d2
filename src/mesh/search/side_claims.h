// Which way to each place of a wide link's entry is the shortest one known. Each way is a root and what the way to it costs; over
// the side the cost is that and the distance from the root. Of a new way only the stretches count where it is less than all
// before it: elsewhere whatever goes on from there is had for less. A stretch of which nothing is left, because later ways took it,
// is told by lost(): what goes on from it need not be looked at any more.
//
// Joseph Mitchell, David Mount & Christos Papadimitriou (1987), "The discrete geodesic problem": intervals of optimality on an
// edge, here for the sides of links alone. Two roots are equally far along a hyperbola, which a side meets twice at most.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "mesh/data/tile.h"

namespace fairlead::mesh {

class SideClaims {
  public:
    explicit SideClaims(const Allocator& allocator)
        : won(allocator), heads_(allocator), claims_(allocator), stretches_(allocator) {}

    /// Shares of a side, from its right end.
    struct Stretch {
        double low = 0.0;
        double high = 1.0;
        std::uint32_t number = 0;  ///< for lost()
    };
    Array<Stretch> won;  ///< where the way claimed last is the shortest, from the right

    static constexpr std::uint32_t kNoStretch = kNone;

    /// A way to a stretch of a side.
    struct Way {
        Vec2 root{};
        double g = 0.0;
        double low = 0.0;
        double high = 1.0;
        std::uint32_t over = kNoStretch;  ///< a stretch that was won before, on which it depends
    };

    /// For another search over so many sides. False: out of memory.
    [[nodiscard]] bool begin(std::size_t sides);
    /// Fills `won`. `right` and `left` are the ends of the side. False: out of memory.
    [[nodiscard]] bool claim(std::uint32_t side, Vec2 right, Vec2 left, const Way& way);
    /// A way through one place of a side. `better`: none through it was as short. False: out of memory.
    [[nodiscard]] bool claim_point(std::uint32_t side, double share, double g, bool& better);
    /// Has all of a stretch that was won, or of the one on which it depends, been won by later ways?
    [[nodiscard]] bool lost(std::uint32_t stretch) const {
        const Won& at = stretches_[stretch];
        return at.claims == 0 || (at.over != kNoStretch && stretches_[at.over].claims == 0);
    }

  private:
    struct Claim {
        double low = 0.0;
        double high = 0.0;
        Vec2 root{};
        double g = 0.0;
        std::uint32_t stretch = 0;
        std::uint32_t next = kNone;
    };
    struct Won {
        std::uint32_t claims = 0;  ///< how many are left of it
        std::uint32_t over = kNoStretch;
    };
    struct Head {
        std::uint32_t first = kNone;
        std::uint32_t points = kNone;  ///< a list of claims on single places
        std::uint32_t stamp = 0;
    };
    [[nodiscard]] Head& head_of(std::uint32_t side) {
        Head& head = heads_[side];
        if (head.stamp != stamp_) head = {kNone, kNone, stamp_};
        return head;
    }
    [[nodiscard]] bool win(double low, double high);
    [[nodiscard]] bool compete(const Claim& old, const Way& way, Vec2 right, Vec2 left, double low,
                               double high);
    [[nodiscard]] bool insert(Head& head, const Way& way);

    Array<Head> heads_;     ///< by side
    Array<Claim> claims_;   ///< in lists, from the right
    Array<Won> stretches_;  ///< by number
    std::uint32_t stamp_ = 0;
};

}  // namespace fairlead::mesh
