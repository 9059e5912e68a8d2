// A table from places to numbers, open addressing. Emptied in no time by a new stamp; never walked, so that its
// order does not matter.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/volume/volume.h>

namespace fairlead::volume {

inline constexpr std::uint32_t kNone = UINT32_MAX;

class KeyMap {
  public:
    explicit KeyMap(const Allocator& allocator) : slots_(allocator) {}

    void begin() {
        count_ = 0;
        if (++stamp_ == 0) {
            for (Slot& slot : slots_) slot = {};
            stamp_ = 1;
        }
    }
    /// kNone: not there.
    [[nodiscard]] std::uint32_t find(Voxel at) const {
        if (slots_.empty()) return kNone;
        const std::uint64_t key = key_of(at);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = place(key) & mask;; i = (i + 1) & mask) {
            if (slots_[i].stamp != stamp_) return kNone;
            if (slots_[i].key == key) return slots_[i].value;
        }
    }
    /// What is not there yet. False: out of memory.
    [[nodiscard]] bool insert(Voxel at, std::uint32_t value) {
        if (count_ * 2 >= slots_.size() && !grow()) return false;
        put({key_of(at), value, stamp_});
        ++count_;
        return true;
    }

  private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t value;
        std::uint32_t stamp;
    };
    // Coordinates from -2^20 on.
    static std::uint64_t key_of(Voxel v) {
        const auto bits = [](std::int32_t i) { return static_cast<std::uint64_t>(i + (1 << 20)); };
        return bits(v.x) | bits(v.y) << 21 | bits(v.z) << 42;
    }
    static std::size_t place(std::uint64_t key) {
        return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ULL >> 32);
    }
    void put(const Slot& slot) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = place(slot.key) & mask;
        while (slots_[i].stamp == stamp_) i = (i + 1) & mask;
        slots_[i] = slot;
    }
    [[nodiscard]] bool grow() {
        Array<Slot> old(slots_.allocator());
        const std::size_t size = slots_.empty() ? 256 : slots_.size() * 2;
        if (!old.resize(size)) return false;
        std::swap(old, slots_);
        for (const Slot& slot : old) {
            if (slot.stamp == stamp_) put(slot);
        }
        return true;
    }

    Array<Slot> slots_;
    std::size_t count_ = 0;
    std::uint32_t stamp_ = 1;
};

}  // namespace fairlead::volume
