// Snapshot<State>: keeps one revision of a world alive. It never changes, whatever is edited meanwhile.
//
//     GridSnapshot frozen = town->acquire();                // Snapshot<GridState>
//     GridSearch search(frozen, query, scratch);            // holds the revision too, until it ends
//     GridSearch other(*town, query, scratch2);             // the same, of the current revision
//
// Copying one holds the revision once more: an atomic increment, no memory. Let go of all of them before the world is
// destroyed. They may be read, copied and released on any thread; only one thread edits the world and acquires.
//
// A world's State is a small handle. For its Snapshot it has, as private members with Snapshot as a friend,
//     bool has_data() const;  void hold() const;  void let_go() const;
#pragma once

#include <concepts>

#include <fairlead/base/assert.h>

namespace fairlead {

template <class State>
class Snapshot;

/// Something that has revisions to hold: Grid, Roadmap, NavMesh.
template <class World, class State>
concept Acquirable = requires(const World& world) {
    { world.acquire() } -> std::same_as<Snapshot<State>>;
};

template <class State>
class Snapshot {
  public:
    Snapshot() = default;
    /// Of the world's current revision.
    template <Acquirable<State> World>
    Snapshot(const World& world) : Snapshot(world.acquire()) {}
    Snapshot(const Snapshot& other) : state_(other.state_) {
        if (state_.has_data()) state_.hold();
    }
    Snapshot(Snapshot&& other) noexcept : state_(other.state_) { other.state_ = {}; }
    Snapshot& operator=(const Snapshot& other) {
        if (this != &other) *this = Snapshot(other);
        return *this;
    }
    Snapshot& operator=(Snapshot&& other) noexcept {
        if (this != &other) {
            release();
            state_ = other.state_;
            other.state_ = {};
        }
        return *this;
    }
    ~Snapshot() { release(); }

    [[nodiscard]] bool held() const { return state_.has_data(); }

    /// The revision. Not of a temporary snapshot, which would let go of it at the end of the statement.
    [[nodiscard]] const State& operator*() const& {
        FAIRLEAD_ASSERT(held() && "a snapshot that holds nothing has no state");
        return state_;
    }
    const State& operator*() const&& = delete;
    operator const State&() const& { return **this; }
    operator const State&() const&& = delete;
    [[nodiscard]] const State* operator->() const { return &**this; }

    /// Lets go of the revision now.
    void release() {
        if (state_.has_data()) state_.let_go();
        state_ = {};
    }

    /// For a world's acquire(): of a state that is the current one.
    [[nodiscard]] static Snapshot of(const State& current) {
        Snapshot snapshot;
        snapshot.state_ = current;
        snapshot.state_.hold();
        return snapshot;
    }

  private:
    State state_{};
};

}  // namespace fairlead
