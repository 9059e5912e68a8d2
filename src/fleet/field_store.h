// FieldStore: the shared fields of a world, each under a number, for as long as units go to its goal.
//
// A world's own field is Own<World>::SharedField:
//
//     begin(port, ask)        for the kind and goal of a question, on the newest revision
//     step(units), running()
//     route(from, out)        once it is whole
//
// and Own<World>::field_pays_from(port, ask): from how many units on it costs less than as many searches; 0: none for such units.
#pragma once

#include <cstdint>

#include "fleet/kind_list.h"

namespace fairlead::fleet {

/// Of a world without fields.
struct NoFields {
    static constexpr bool kHasFields = false;
};

template <class Field>
class FieldStore {
  public:
    explicit FieldStore(const Allocator& allocator) : fields_(allocator), free_(allocator) {}

    /// One that is not in use, and its number. Null: no memory.
    [[nodiscard]] Field* take(std::uint32_t& number) {
        if (!free_.empty()) {
            number = free_.back();
            free_.pop_back();
            return &fields_[number];
        }
        number = static_cast<std::uint32_t>(fields_.size());
        if (!free_.reserve(fields_.size() + 1)) return nullptr;
        return fields_.add(free_.allocator());
    }
    void give(std::uint32_t number) {
        fields_[number].drop();
        (void)free_.push_back(number);  // there is room for all
    }
    void clear() {
        fields_.clear();
        free_.clear();
    }
    [[nodiscard]] Field& operator[](std::uint32_t number) { return fields_[number]; }

  private:
    KindList<Field> fields_;
    Array<std::uint32_t> free_;
};

/// Of a world without fields.
struct NoFieldStore {
    explicit NoFieldStore(const Allocator&) {}
    void clear() {}
};

template <class Mine>
struct FieldStoreOf {
    using Type = NoFieldStore;
};
template <class Mine>
requires(Mine::kHasFields) struct FieldStoreOf<Mine> {
    using Type = FieldStore<typename Mine::SharedField>;
};

}  // namespace fairlead::fleet
