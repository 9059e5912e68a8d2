// The goals of a query as a sorted list without equals, made in steps of bounded work.
#pragma once

#include "grid/prepare.h"

namespace fairlead::grid {

/// False: out of memory.
[[nodiscard]] bool add_goal(PreparedQuery& out, const Cell& cell, Vec2 point);

/// Sorting takes so many steps, each about as long as a way down a heap.
[[nodiscard]] std::size_t sort_steps(const PreparedQuery& out);
void sort_step(PreparedQuery& out, std::size_t at);

/// Keeps the first of each state of the sorted goals. Goal `at`; `kept` are kept so far.
void keep_goal(PreparedQuery& out, std::size_t at, std::size_t& kept);

/// Cuts the list to those kept.
void cut_goals(PreparedQuery& out, std::size_t kept);

/// All of that at once.
void sort_few_goals(PreparedQuery& out);

}  // namespace fairlead::grid
