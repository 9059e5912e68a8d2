// Where a lattice of poses meets a surface: a cell of the lattice, and the polygon that its node is in. Numbered in the order in
// which a search comes to them, found through a hash table that is reset at no cost (Briggs & Torczon 1993).
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/cost.h>
#include <fairlead/search/node_store.h>

namespace fairlead::bridge {

/// 32 bytes.
struct MeshPlace {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::uint32_t polygon = 0;
    std::uint32_t slot = 0;
    Cost ground = kCostMax;  ///< lower bound by the way over the surface; kCostMax: not asked yet
    float room = -1.0F;      ///< distance to the nearest wall, cells, rounded down; < 0: not asked yet
    float even = -1.0F;      ///< the same to the nearest place where a length costs more or less
};

class MeshPlaces {
  public:
    explicit MeshPlaces(const Allocator& allocator) : places_(allocator), slots_(allocator) {}

    /// Place 0 is none.
    [[nodiscard]] bool begin() {
        places_.clear();
        return places_.push_back({});
    }
    [[nodiscard]] MeshPlace& operator[](std::uint32_t i) { return places_[i]; }
    [[nodiscard]] const MeshPlace& operator[](std::uint32_t i) const { return places_[i]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }

    /// kNoNode: out of memory.
    [[nodiscard]] std::uint32_t find_or_add(std::int32_t x, std::int32_t y, std::uint32_t polygon) {
        if (places_.size() * 2 >= slots_.size() && !grow()) return kNoNode;
        const std::uint32_t count = size();
        std::uint32_t at = slot_for(x, y, polygon);
        for (;; at = (at + 1) & mask()) {
            const std::uint32_t i = slots_[at];
            if (i >= count || places_[i].slot != at || i == 0) break;
            const MeshPlace& place = places_[i];
            if (place.x == x && place.y == y && place.polygon == polygon) return i;
        }
        slots_[at] = count;
        return places_.push_back({x, y, polygon, at}) ? count : kNoNode;
    }

  private:
    [[nodiscard]] std::uint32_t mask() const { return static_cast<std::uint32_t>(slots_.size()) - 1U; }
    [[nodiscard]] std::uint32_t slot_for(std::int32_t x, std::int32_t y, std::uint32_t polygon) const {
        std::uint64_t key = static_cast<std::uint32_t>(x) * 0x9e3779b97f4a7c15ULL;
        key = (key ^ static_cast<std::uint32_t>(y)) * 0xbf58476d1ce4e5b9ULL;
        key = (key ^ (key >> 29) ^ polygon) * 0x94d049bb133111ebULL;
        return static_cast<std::uint32_t>(key >> 32) & mask();
    }
    [[nodiscard]] bool grow() {
        const std::size_t size = slots_.empty() ? 1024 : slots_.size() * 2;
        if (!slots_.resize(size) || !places_.reserve(size / 2)) return false;
        for (std::uint32_t& slot : slots_) slot = kNoNode;
        for (std::uint32_t i = 1; i < places_.size(); ++i) {
            std::uint32_t at = slot_for(places_[i].x, places_[i].y, places_[i].polygon);
            while (slots_[at] != kNoNode) at = (at + 1) & mask();
            slots_[at] = i;
            places_[i].slot = at;
        }
        return true;
    }

    Array<MeshPlace> places_;
    Array<std::uint32_t> slots_;
};

}  // namespace fairlead::bridge
