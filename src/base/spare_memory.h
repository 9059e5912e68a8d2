// SpareMemory: an allocator between a world and the user's that keeps what was released last, because what is edited over and over asks for
// the same sizes over and over. Sizes are rounded up to 64 bytes, the alignment of all of it.
//
// It keeps at most kSlots pieces, and no more bytes than kBytesMin and half of what is in use.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/base/allocator.h>

namespace fairlead {

class SpareMemory {
  public:
    explicit SpareMemory(const Allocator& parent) : parent_(parent) {}
    SpareMemory(const SpareMemory&) = delete;
    SpareMemory& operator=(const SpareMemory&) = delete;
    ~SpareMemory() { trim(); }

    /// For what ends before this does.
    [[nodiscard]] Allocator allocator() { return {&allocate, &release, this}; }
    [[nodiscard]] const Allocator& parent() const { return parent_; }

    /// Gives all back that is kept.
    void trim() {
        for (Piece& piece : kept_) give_back(piece);
    }

  private:
    static constexpr std::size_t kUnit = 64;
    static constexpr std::size_t kSlots = 96;
    static constexpr std::size_t kBytesMin = 1 << 17;

    struct Piece {
        void* memory = nullptr;
        std::size_t bytes = 0;
    };

    static std::size_t rounded(std::size_t bytes) { return (bytes + kUnit - 1) / kUnit * kUnit; }

    void give_back(Piece& piece) {
        if (piece.memory != nullptr) parent_.release(piece.memory, piece.bytes, kUnit, parent_.user);
        kept_bytes_ -= piece.bytes;
        piece = {};
    }

    // alignment is at most kUnit: nothing in the library asks for more.
    static void* allocate(std::size_t bytes, std::size_t /*alignment*/, void* user) {
        auto* self = static_cast<SpareMemory*>(user);
        const std::size_t size = rounded(bytes);
        void* memory = nullptr;
        for (Piece& piece : self->kept_) {
            if (piece.bytes != size) continue;
            memory = piece.memory;
            self->kept_bytes_ -= size;
            piece = {};
            break;
        }
        if (memory == nullptr) memory = self->parent_.allocate(size, kUnit, self->parent_.user);
        if (memory != nullptr) self->used_ += size;
        return memory;
    }
    static void release(void* memory, std::size_t bytes, std::size_t /*alignment*/, void* user) {
        auto* self = static_cast<SpareMemory*>(user);
        Piece piece{memory, rounded(bytes)};
        self->used_ -= piece.bytes;
        if (self->kept_bytes_ + piece.bytes > kBytesMin + self->used_ / 2) {
            self->parent_.release(memory, piece.bytes, kUnit, self->parent_.user);
            return;
        }
        Piece& slot = self->kept_[self->next_];  // the one that has been kept longest
        self->next_ = (self->next_ + 1) % kSlots;
        self->give_back(slot);
        slot = piece;
        self->kept_bytes_ += piece.bytes;
    }

    Allocator parent_;
    Piece kept_[kSlots];
    std::size_t next_ = 0;
    std::size_t kept_bytes_ = 0;
    std::size_t used_ = 0;
};

}  // namespace fairlead
