// What a watched tile search tells: its states as places in the world.
#pragma once

#include <cstdint>

#include <fairlead/search/hooks.h>

namespace fairlead::grid {

struct GridWork;

/// The engine's trace of a watched search; where nobody watches, engines are compiled with NoTrace.
struct PlaceTrace {
    /// What the engine's state numbers are.
    enum class States : std::uint8_t { cells, jumps, turns, window, half, half_jumps, clusters };

    const GridWork* work = nullptr;
    States states = States::cells;

    void expanded(std::uint32_t state, Cost g) const { tell(TraceEventKind::expanded, state, g); }
    void generated(std::uint32_t state, Cost g) const { tell(TraceEventKind::generated, state, g); }

  private:
    void tell(TraceEventKind kind, std::uint32_t state, Cost g) const;
    [[nodiscard]] Place place_of(std::uint32_t state) const;
};

}  // namespace fairlead::grid
