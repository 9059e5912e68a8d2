// Which tunnel is a stretch of a way part of? Stretches where two units cannot pass belong to one tunnel where they come so near that units
// on them would touch. The map remembers points of all stretches that it was shown, and which of them are one (Tarjan 1975, union-find).
#pragma once

#include <cmath>

#include <fairlead/base/array.h>

#include "crowd/unit.h"

namespace fairlead::crowd {

/// Who may go through a tunnel.
struct TunnelOrder {
    std::uint32_t parent = kNone;  ///< another number of the same tunnel; kNone: this is its own
    std::uint32_t on_way = 0;      ///< let in and not out yet
    std::uint32_t batch = 0;       ///< how many in this direction
    Vec3 in_at{};                  ///< of who was let in last
    Vec3 out_at{};
    bool has_side = false;
    // of one update
    std::uint32_t same = kNone;  ///< of those who wait to go the same way: the nearest
    double same_key = 0.0;
    std::uint32_t other = kNone;  ///< of all others: who has waited longest
    std::uint64_t other_ticket = 0;
    bool held = false;  ///< one that was let in is still far from the mouth
};

class TunnelMap {
  public:
    explicit TunnelMap(const Allocator& allocator)
        : heads_(allocator), points_(allocator), orders_(allocator) {}

    void clear();
    /// A stretch: its points, not farther apart than a radius, one after the other. False: no memory.
    [[nodiscard]] bool begin(double radius);
    [[nodiscard]] bool add(Vec3 at);
    /// The tunnel that it is part of.
    [[nodiscard]] std::uint32_t end();

    [[nodiscard]] std::uint32_t root(std::uint32_t tunnel) const;
    [[nodiscard]] TunnelOrder& order(std::uint32_t tunnel) { return orders_[root(tunnel)]; }
    [[nodiscard]] std::span<TunnelOrder> orders() { return orders_.span(); }

  private:
    struct Point {
        Vec3 at{};
        double radius = 0.0;
        std::uint32_t tunnel = 0;
        std::uint32_t next = kNone;
    };
    [[nodiscard]] bool grow();
    [[nodiscard]] std::size_t slot(Vec3 at, int x, int y, int z) const;
    void join(std::uint32_t a, std::uint32_t b);

    Array<std::uint32_t> heads_;
    Array<Point> points_;
    Array<TunnelOrder> orders_;
    double cell_ = 0.0;
    double widest_ = 0.0;
    double radius_ = 0.0;
    std::uint32_t current_ = kNone;
    bool kept_ = false;  ///< a point of the current stretch was
};

}  // namespace fairlead::crowd
