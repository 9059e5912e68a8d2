// What the drivers of tile worlds share: tiles as text, the model of a world, a query made from a step.
#pragma once

#include <string>
#include <vector>

#include <fairlead/grid/find_route.h>

#include "oracle/grid_oracle.h"
#include "simulate/dice.h"
#include "simulate/driver.h"
#include "support/random_worlds.h"

namespace fairlead::simulate {

/// '@' is a wall, '.' terrain 1, '2' to '9' terrain of that cost.
[[nodiscard]] std::uint8_t tile_of(char c);
/// The world that a step "make" means: its rows, or the numbers where there are none.
[[nodiscard]] oracle::World world_of(const Step& step);
[[nodiscard]] std::vector<Agent> sizes_of(const Step& step);
/// radius=, or footprint=.
[[nodiscard]] Agent walker_of(const Step& step);
/// Anything but the world may be absurd. Spans are set by bind().
[[nodiscard]] testing::Ask ask_of(const Step& step, const oracle::World& world);

/// Are all fields in their documented ranges?
[[nodiscard]] bool good_query(const oracle::World& world, const GridQuery& query);
/// Small and near enough for the oracle, and a question that it knows to answer?
[[nodiscard]] bool judgeable(const oracle::World& world, const GridQuery& query);

/// A map drawn as text: w x h, some layers.
[[nodiscard]] std::string draw_rows(Dice& dice, int width, int height, int layers, bool terrain);
struct DrawnMap {
    std::string rows;
    int width = 1;
    int height = 1;
    int layers = 1;
    double cell = 1.0;
    double x = 0.0;
    double y = 0.0;

    [[nodiscard]] char at(int cx, int cy, int layer) const;
    /// A place in the world: mostly a cell's centre, mostly a free one; sometimes anywhere, sometimes absurd.
    [[nodiscard]] std::vector<double> draw_place(Dice& dice) const;
};
/// Adds some portals to a step "make", mostly where there are floors.
void draw_portals(Dice& dice, const DrawnMap& map, Step& step);
/// x, y, radius, layer, and a box's half sides or -1, of each.
void draw_blockers(Dice& dice, const DrawnMap& map, Step& step);
[[nodiscard]] std::vector<Blocker> blockers_of(const Step& step);
/// Adds the fields of a query. `all`: also those that not every world's query has.
void draw_grid_query(Dice& dice, const DrawnMap& map, Step& step);
/// A step "make" and what it makes.
DrawnMap draw_make(Dice& dice, Script& script);

/// May a good query be refused with this error: does its planner not serve on this world?
[[nodiscard]] bool by_rule(const oracle::World& world, const GridQuery& query, bool registered,
                           const Error& error);

/// Everything that must hold of one answer. Empty: it does. Otherwise "KIND: what".
[[nodiscard]] std::string judge_walk(const GridState& grid, const oracle::World& world,
                                     const GridQuery& query, bool registered, const Result<void>& done,
                                     const Route& route, Tally& tally);

}  // namespace fairlead::simulate
