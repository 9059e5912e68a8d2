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

#include "fleet/numbered.h"

namespace fairlead::fleet {

/// Of a world without fields.
struct NoFields {
    static constexpr bool kHasFields = false;
};

template <class Field>
using FieldStore = Numbered<Field>;

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
