// GoalFields: flow fields for the goals that many units ask for, each made once and shared: same goal, floor, radius and rules, same
// revision. A bounded number of them; the one that was asked for least recently makes room.
//
//     Result<GoalFields> fields = GoalFields::make({.fields_max = 4, .asked_min = 500});
//     const Result<const FlowField*> field = fields->find(*town, {.goal = flag, .agent = soldier});   // each unit asks
//     if (field && *field != nullptr) (*field)->route(unit, route);            // a microsecond
//     else ask_find_route();                                                   // not asked often enough, or on its way
//     fields->step(2000);                                                      // each frame; or scheduler->submit_job(*fields)
//
// When it pays. Filling costs some 0.5 us a tile, find_route 10 to 150 us where the size is registered, hundreds for wide discs that are
// not. So a field has paid for itself, measured on game maps, after 400 to 1200 askings for discs up to a tile wide, 900 to 2700 for wider
// registered ones, 100 for wider ones that are not registered. Units that ask again, for they were pushed or joined later, count each
// time. asked_min is that number; a goal that is asked for less never gets a field.
//
// Promises. What find() gives depends on the calls alone, not on clocks or threads. Routes of a field are legal on its revision and never
// dearer than the tile route (flow_field.h). A pointer is valid until the next call of find() or step(), or the end of the object.
// One world a GoalFields: revisions tell fields apart. An edit makes all fields old; they are filled anew as they are asked for.
// Memory: fields_max fields, the memory of one fill. Nothing is allocated once all have had their size.
#pragma once

#include <cstdint>

#include <fairlead/base/allocator.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/flow_field.h>

namespace fairlead {

struct GoalFieldsOptions {
    std::uint32_t fields_max = 8;   ///< 1 to 1024
    std::uint32_t asked_min = 500;  ///< so many calls of find() for one goal, and its field is filled; >= 1
    Allocator allocator{};
};

namespace grid {
struct GoalFieldsData;  // src/grid/goal_fields.cpp
}

class GoalFields {
  public:
    /// Errors: out_of_range (searches_max: fields_max or asked_min), out_of_memory.
    [[nodiscard]] static Result<GoalFields> make(const GoalFieldsOptions& options = {});
    GoalFields(GoalFields&& other) noexcept;
    GoalFields& operator=(GoalFields&& other) noexcept;
    GoalFields(const GoalFields&) = delete;
    GoalFields& operator=(const GoalFields&) = delete;
    ~GoalFields();

    /// The field, or null: asked for too seldom so far, or still to be filled. Errors: those of FlowFill::begin, unsupported: a goal that
    /// is a list; out_of_memory. Linear in fields_max.
    [[nodiscard]] Result<const FlowField*> find(const GridSnapshot& world, const FlowQuery& query);

    /// A SlicedJob: fills what has been asked for often enough, in the order in which it became so. 0: there is nothing to do.
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const;

    [[nodiscard]] std::size_t filled() const;  ///< fields that are whole
    [[nodiscard]] std::size_t memory() const;  ///< of all fields

  private:
    explicit GoalFields(grid::GoalFieldsData* data) : data_(data) {}
    grid::GoalFieldsData* data_ = nullptr;
};

}  // namespace fairlead
