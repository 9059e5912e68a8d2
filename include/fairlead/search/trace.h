// Traces: what a search tells a debugger. NoTrace has empty functions that compile to nothing; HookTrace calls a
// function of the user's. State numbers are the search space's own; each world says what they mean.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/search/cost.h>

namespace fairlead {

enum class TraceEventKind : std::uint8_t {
    generated,  ///< put on the open list, or improved there
    expanded,   ///< taken from the open list and opened
    passed,  ///< opened in the same expansion as the one before, without having been on the list (level meshes)
};

/// A user's function, called for every event in the order in which they happen.
struct TraceHook {
    void (*event)(TraceEventKind kind, std::uint32_t state, Cost g, void* user) = nullptr;
    void* user = nullptr;
};

struct NoTrace {
    FAIRLEAD_INLINE void expanded(std::uint32_t, Cost) const {}
    FAIRLEAD_INLINE void generated(std::uint32_t, Cost) const {}
};

struct HookTrace {
    TraceHook hook{};
    void expanded(std::uint32_t state, Cost g) const {
        hook.event(TraceEventKind::expanded, state, g, hook.user);
    }
    void generated(std::uint32_t state, Cost g) const {
        hook.event(TraceEventKind::generated, state, g, hook.user);
    }
};

}  // namespace fairlead
