// Mouths: where a narrow piece touches pieces of other kinds. Points of contact that lie beside each other are one mouth.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "crowd/places/pieces.h"

namespace fairlead::crowd {

struct Contact {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::uint32_t piece = 0;   ///< narrow
    std::uint32_t beyond = 0;  ///< what it touches
    std::uint32_t mouth = 0;
};

struct RawMouth {
    std::uint32_t piece = 0;
    std::uint32_t beyond = 0;
    std::uint32_t first = 0;  ///< of its contacts in order()
    std::uint32_t count = 0;
};

struct RawMouths {
    explicit RawMouths(const Allocator& allocator)
        : contacts(allocator), order(allocator), mouths(allocator), rows_(allocator), joined_(allocator) {}

    [[nodiscard]] bool find(const Pieces& pieces, const std::uint8_t* kinds, std::int32_t width,
                            std::int32_t height);
    [[nodiscard]] std::size_t memory() const {
        return contacts.bytes() + order.bytes() + mouths.bytes() + rows_.bytes() + joined_.memory();
    }

    Array<Contact> contacts;     ///< row by row
    Array<std::uint32_t> order;  ///< of contacts, mouth by mouth
    Array<RawMouth> mouths;      ///< by their first contact

  private:
    [[nodiscard]] bool list_contacts(const Pieces& pieces, const std::uint8_t* kinds, std::int32_t width,
                                     std::int32_t height);
    void join_near(std::int32_t height);
    [[nodiscard]] bool number();

    Array<std::uint32_t> rows_;  ///< the first contact of each row, and one more
    Joined joined_;
};

}  // namespace fairlead::crowd
