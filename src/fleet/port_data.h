// What the ports of all worlds have in common: the revision, its place in the scheduler, the kinds of units, the crowd's view of it.
//
// A world's own part is a specialisation of Own<World>:
//
//     Snapshot, View                 a revision; what the crowd asks (bridge/crowd_worlds.h)
//     Kind                           what searches for a kind of unit need; made of a FleetUnit
//     prepare(port, kind)            before its first unit
//     kHasBegin, begin_at(port, kind, place)    units may be put where no route begins: where they are then
//     kHasHeight, height(port, place)    of the ground, where routes do not tell it everywhere
//     ask(port, kind, scheduler, ask, options)   submits its search
//     legal(port, kind, route, ask)
//     published(port, scheduler)     the newest revision is there: what else depends on it?
//     point_radius(state)
//     kHasPlaces                     narrow places are looked for (fleet/place_store.h)
//     kHasPlans, moves(kind), map(port, kind, window, walls)    for vehicles that are planned together (fleet/knots.h)
//     Window                         with kHasPlans: open(snapshot, asked), touches(place, radius), overlaps(other), drop();
//                                    with kExactEnds also is_free(agent, pose, radius, word)
//     kHasFields, SharedField, field_pays_from(port, ask)    one field for many units with one goal (fleet/field_store.h)
//     kHasLattice, lattice(port, kind)    for walkers that are planned together (fleet/tangles.h)
//     kHasDraw, draw(kind, route)    for vehicles with facings
//     kSpace                         units are spheres that move in all three dimensions
#pragma once

#include <new>
#include <optional>

#include <fairlead/fleet/world_fleet.h>
#include <fairlead/search/scratch.h>

#include "fleet/field_store.h"
#include "fleet/kind_list.h"
#include "fleet/place_store.h"

namespace fairlead::fleet {

template <class World>
struct Own;

/// Of a world whose units go on the ground.
struct OnGround {
    static constexpr bool kSpace = false;
};

/// Of a world in which narrow places are not looked for beforehand.
struct NoPlaces {
    static constexpr bool kHasPlaces = false;
};

/// Of a world in which a unit stands where it is put, or nowhere, and at the height of its route.
struct NoBegin {
    static constexpr bool kHasBegin = false;
    static constexpr bool kHasHeight = false;
};

/// Of a world whose vehicles are never planned together.
struct NoPlans {
    static constexpr bool kHasPlans = false;
};

/// Of a world whose walkers are never planned together.
struct NoLattice {
    static constexpr bool kHasLattice = false;
};

/// Of a world whose vehicles have no facings.
struct NoDraw {
    static constexpr bool kHasDraw = false;
};

struct NoWindowStore {
    explicit NoWindowStore(const Allocator&) {}
    void clear() {}
};

template <class Mine>
struct WindowStoreOf {
    using Type = NoWindowStore;
};
template <class Mine>
requires(Mine::kHasPlans) struct WindowStoreOf<Mine> {
    using Type = Numbered<typename Mine::Window>;
};

template <class World>
struct PortData {
    using Snapshot = typename Own<World>::Snapshot;
    using View = typename Own<World>::View;
    using Kind = typename Own<World>::Kind;

    PortData(const World& given, const Allocator& allocator)
        : source(&given), kinds(allocator), places(allocator), fields(allocator), windows(allocator) {}

    const World* source;
    bool taken = false;  ///< a fleet lives on it
    Snapshot now{};
    std::optional<WorldId<Snapshot>> id{};
    std::optional<View> view{};
    KindList<Kind> kinds;
    PlaceStore<World> places;
    typename FieldStoreOf<Own<World>>::Type fields;
    typename WindowStoreOf<Own<World>>::Type windows;
    Scratch scratch{};
};

template <class World>
struct PortCalls {
    using Data = PortData<World>;
    using Mine = Own<World>;

    static Data& data(void* user) { return *static_cast<Data*>(user); }

    static Result<void> begin(void* user) {
        if (data(user).taken) return Error{ErrorCode::incompatible, Field::world};
        data(user).taken = true;
        return {};
    }

    static void end(void* user) {
        Data& port = data(user);
        port.taken = false;
        port.id.reset();
        port.kinds.clear();
        port.fields.clear();
        port.windows.clear();
    }

    static Result<void> add_kind(const FleetUnit& unit, FleetKind, void* user) {
        Data& port = data(user);
        typename Data::Kind* kind = port.kinds.add(unit);
        if (kind == nullptr) return Error{ErrorCode::out_of_memory};
        const Result<void> prepared = Mine::prepare(port, *kind);
        if (!prepared) port.kinds.drop_last();
        return prepared;
    }

    static Place begin_at(const Place& at, FleetKind kind, void* user) {
        Data& port = data(user);
        return Mine::begin_at(port, port.kinds[kind.value], at);
    }

    static Result<RequestId> ask(Scheduler& scheduler, const FleetAsk& ask, const RequestOptions& options,
                                 void* user) {
        Data& port = data(user);
        return Mine::ask(port, port.kinds[ask.kind.value], scheduler, ask, options);
    }

    static bool legal(Route& route, const FleetAsk& ask, void* user) {
        Data& port = data(user);
        return Mine::legal(port, port.kinds[ask.kind.value], route, ask);
    }

    static CrowdWorld crowd(void* user) { return data(user).view->world(); }

    static Result<PlaceSheets> places(std::span<const double> radii, void* user) {
        return data(user).places.find(data(user).now, radii);
    }

    static Result<bool> draw(Route& route, FleetKind kind, void* user) {
        if constexpr (Mine::kHasDraw) {
            return Mine::draw(data(user).kinds[kind.value], route);
        } else {
            return Error{ErrorCode::unsupported};
        }
    }

    static const DriveTable* moves(FleetKind kind, void* user) {
        if constexpr (Mine::kHasPlans) {
            return Mine::moves(data(user).kinds[kind.value]);
        } else {
            return nullptr;
        }
    }

    static FleetWindows windows_of() {
        FleetWindows windows;
        if constexpr (Mine::kHasPlans) {
            windows.open = open_window;
            windows.touches = [](std::uint32_t window, const Place& at, double radius, void* user) {
                return data(user).windows[window].touches(at, radius);
            };
            windows.overlap = [](std::uint32_t a, std::uint32_t b, void* user) {
                return data(user).windows[a].overlaps(data(user).windows[b]);
            };
            windows.map = [](std::uint32_t window, FleetKind kind, std::span<const Blocker> walls,
                             void* user) {
                Data& port = data(user);
                return Mine::map(port, port.kinds[kind.value], port.windows[window], walls);
            };
            windows.close = [](std::uint32_t window, void* user) { data(user).windows.give(window); };
            if constexpr (Mine::kExactEnds) {
                windows.is_free = [](std::uint32_t window, FleetKind kind, const Pose& from, double radius,
                                     const CurveWord& word, void* user) {
                    Data& port = data(user);
                    return port.windows[window].is_free(port.kinds[kind.value].unit.agent, from, radius,
                                                        word);
                };
            }
        }
        return windows;
    }

    static Result<std::uint32_t> open_window(const FleetWindow& asked, void* user) {
        Data& port = data(user);
        std::uint32_t number = 0;
        auto* window = port.windows.take(number);
        if (window == nullptr) return Error{ErrorCode::out_of_memory};
        const Result<void> opened = window->open(port.now, asked);
        if (opened) return number;
        port.windows.give(number);
        return opened.error();
    }

    static FleetFields fields_of() {
        FleetFields fields;
        if constexpr (Mine::kHasFields) {
            fields.pays_from = [](const FleetAsk& ask, void* user) {
                return Mine::field_pays_from(data(user), ask);
            };
            fields.begin = begin_field;
            fields.step = [](std::uint32_t field, std::uint64_t units, void* user) {
                return data(user).fields[field].step(units);
            };
            fields.running = [](std::uint32_t field, void* user) {
                return data(user).fields[field].running();
            };
            fields.route = [](std::uint32_t field, const Place& from, Route& out, void* user) {
                return data(user).fields[field].route(from, out);
            };
            fields.end = [](std::uint32_t field, void* user) { data(user).fields.give(field); };
        }
        return fields;
    }

    static Result<std::uint32_t> begin_field(const FleetAsk& ask, void* user) {
        Data& port = data(user);
        std::uint32_t number = 0;
        auto* field = port.fields.take(number);
        if (field == nullptr) return Error{ErrorCode::out_of_memory};
        const Result<void> begun = field->begin(port, ask);
        if (begun) return number;
        port.fields.give(number);
        return begun.error();
    }

    static Result<void> publish(Scheduler& scheduler, void* user) {
        Data& port = data(user);
        port.now = port.source->acquire();
        port.view.emplace(*port.now);
        if (!port.id) {
            const auto added = scheduler.add_world(port.now);
            if (!added) return added.error();
            port.id = *added;
        } else if (const Result<void> told = scheduler.publish(*port.id, port.now); !told) {
            return told;
        }
        return Mine::published(port, scheduler);
    }
};

}  // namespace fairlead::fleet

namespace fairlead {

template <class World>
WorldFleet<World>::WorldFleet(const World& world, const Allocator& allocator) : allocator_(allocator) {
    using Data = fleet::PortData<World>;
    void* memory = allocator_.allocate(sizeof(Data), alignof(Data), allocator_.user);
    if (memory != nullptr) data_ = ::new (memory) Data(world, allocator_);
}

template <class World>
WorldFleet<World>::~WorldFleet() {
    using Data = fleet::PortData<World>;
    if (data_ == nullptr) return;
    data_->~Data();
    allocator_.release(data_, sizeof(Data), alignof(Data), allocator_.user);
}

template <class World>
FleetPort WorldFleet<World>::port() const {
    if (data_ == nullptr) return {};
    using Calls = fleet::PortCalls<World>;
    using Mine = fleet::Own<World>;
    FleetPort port;
    port.begin = Calls::begin;
    port.end = Calls::end;
    port.add_kind = Calls::add_kind;
    if constexpr (Mine::kHasBegin) port.begin_at = Calls::begin_at;
    if constexpr (Mine::kHasHeight) {
        port.height = [](const Place& at, void* user) {
            return Mine::height(*static_cast<fleet::PortData<World>*>(user), at);
        };
    }
    port.ask = Calls::ask;
    port.legal = Calls::legal;
    port.crowd = Calls::crowd;
    if constexpr (Mine::kHasPlaces) port.places = Calls::places;
    port.publish = Calls::publish;
    port.draw = Mine::kHasDraw ? Calls::draw : nullptr;
    port.moves = Mine::kHasPlans ? Calls::moves : nullptr;
    port.windows = Calls::windows_of();
    if constexpr (Mine::kHasLattice) {
        port.lattice = [](FleetKind kind, void* user) {
            auto& own = *static_cast<fleet::PortData<World>*>(user);
            return Mine::lattice(own, own.kinds[kind.value]);
        };
    }
    port.fields = Calls::fields_of();
    port.space = Mine::kSpace;
    port.point_radius = Mine::point_radius(data_->source->state());
    port.user = data_;
    return port;
}

}  // namespace fairlead
