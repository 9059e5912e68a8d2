// Preparing a search over the half lattice: which of the goal's places have room, which points start and goals are joined to, and what
// is known without a search. In slices of the query's budget where there is a list of goals or a flood through many gaps.
#pragma once

#include "grid/work.h"

namespace fairlead::grid {

/// Sets work up for a search over the half lattice, from the query alone. False: out of memory.
[[nodiscard]] bool begin_half(GridWork& work, const GridQuery& query);

/// Goes on until the budget is spent or work.half_preparing.part is done; work.status is then complete, or what is known without a
/// search; partial where the search ends at once, at the nearest place of a pocket. One goal spends nothing, as a rule. False: out of
/// memory.
[[nodiscard]] bool step_half(GridWork& work, const GridQuery& query, std::uint64_t& budget);

}  // namespace fairlead::grid
