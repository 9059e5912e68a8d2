// The library's side of the tile worlds: plays a script on a Grid, beside a model of plain bytes.
#include <algorithm>
#include <optional>

#include <fairlead/explain/explain.h>
#include <fairlead/grid/repair.h>
#include <fairlead/verify/verify.h>

#include "simulate/grid_world.h"
#include "simulate/routes.h"
#include "simulate/searches.h"
#include "simulate/squeeze.h"
#include "simulate/starved.h"
#include "support/grid_compare.h"

namespace fairlead::simulate {

using oracle::World;
using testing::Ask;

namespace {

/// What is known of a revision: its tiles, and the sizes that were registered.
struct Model {
    World tiles;
    std::vector<Agent> sizes;
};

struct Frozen {
    GridSnapshot snapshot;
    Model model;
};

/// Is it one of the sizes that a revision knows?
bool registered(const Agent& agent, const std::vector<Agent>& sizes) {
    return agent == Agent{} || std::find(sizes.begin(), sizes.end(), agent) != sizes.end();
}

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}

    TestAllocator memory;  ///< the grid's
    World model;
    std::vector<Agent> sizes;
    std::optional<Grid> grid;
    CornerRule corner = CornerRule::never;
    bool hierarchy = false;
    Scratch scratch;
    Frozen frozen[kSlots];
    Flights<GridSearch, GridSnapshot, Model, Ask> flights;
    Route last;
    Ask last_ask;
    bool has_last = false;
    Tally* tally;

    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string clear();
    std::string make(const Step& step);
    std::string bad_make(const Step& step);
    std::string edit(const Step& step);
    std::string query(const Step& step);
    std::string check_frozen(std::size_t slot);
    std::string rebuild();
    std::string revalidate_last(const Step& step);
    std::string repair_last(const Step& step);
    std::string probe(const Step& step);
    std::string explain_query(const Step& step);
    [[nodiscard]] std::string check_state(const GridState& state, const World& as) const;
};

std::string Player::clear() {
    flights.clear();
    for (Frozen& one : frozen) one.snapshot.release();
    grid.reset();
    has_last = false;
    sizes.clear();
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a grid";
}

std::string Player::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    model = world_of(step);
    sizes = sizes_of(step);
    corner = static_cast<CornerRule>(step.whole("corner"));
    GridOptions options = model.options();
    options.sizes = sizes;
    options.corner = corner;
    options.hierarchy = hierarchy = step.whole("hierarchy") != 0;
    options.allocator = memory.allocator();
    Result<Grid> made = Grid::make(options, model.tiles);
    if (made) grid.emplace(std::move(*made));
    return "";
}

std::string Player::bad_make(const Step& step) {
    const std::vector<double> origin = step.numbers("origin");
    GridOptions options{.width = step.whole("width", 1),
                        .height = step.whole("height", 1),
                        .layers = step.whole("layers", 1),
                        .origin = {item(origin, 0), item(origin, 1)},
                        .cell_size = step.number("cell", 1.0)};
    const double cells = static_cast<double>(options.width) * options.height * options.layers;
    const bool absurd = options.width < 1 || options.height < 1 || options.layers < 1 ||
                        options.layers > 64 || options.width > 16384 || options.height > 16384;
    if (!absurd && cells > 1e5) return "";  // only slow
    Result<Grid> made = Grid::make(options);
    if (made && absurd) return "made: a grid of absurd size";
    return "";
}

std::string Player::check_state(const GridState& state, const World& as) const {
    if (as.cells() > 1500) return "";
    GridOptions options = as.options();
    options.sizes = sizes;
    options.corner = corner;
    options.hierarchy = hierarchy;
    const Result<Grid> fresh = Grid::make(options, as.tiles);
    if (!fresh) return "rebuilt: no grid";
    const std::string problem = testing::grid_difference(state, fresh->state());
    return problem.empty() ? "" : "rebuilt: " + problem;
}

std::string Player::edit(const Step& step) {
    const std::vector<double> r = step.numbers("rect");
    const CellRect rect{{to_whole(item(r, 0)), to_whole(item(r, 1))},
                        {to_whole(item(r, 2)), to_whole(item(r, 3))},
                        to_whole(item(r, 4))};
    const bool inside = rect.low.x >= 0 && rect.low.y >= 0 && rect.high.x <= model.width &&
                        rect.high.y <= model.height && rect.low.x <= rect.high.x &&
                        rect.low.y <= rect.high.y && rect.layer >= 0 && rect.layer < model.layers;
    const auto area =
        inside ? static_cast<std::size_t>((rect.high.x - rect.low.x) * (rect.high.y - rect.low.y)) : 0;
    std::vector<std::uint8_t> tiles(area, static_cast<std::uint8_t>(step.whole("tile")));
    const bool fill = step.verb == "fill";
    if (!fill) {
        tiles.clear();
        for (const char c : step.word("tiles")) tiles.push_back(tile_of(c));
    }
    const bool good = inside && tiles.size() == area;
    const bool legal_before = has_last && last.revision == grid->state().revision() && has_way(last);
    const std::uint64_t revision = grid->state().revision();
    Result<void> done;
    const std::string starved = starve_edit(
        step, *tally, memory,
        [&] {
            return fill ? grid->fill(rect, static_cast<std::uint8_t>(step.whole("tile")))
                        : grid->set(rect, tiles);
        },
        [&] { return grid->state().revision() == revision && check_state(*grid, model).empty(); }, done);
    if (!starved.empty()) return starved;
    if (!done) {
        if (grid->state().revision() != revision) return "edit: a refused edit made a revision";
        return good && !rect.empty() ? "edit: refused" : "";
    }
    if (!good && !rect.empty()) return "edit: one outside the map is taken";
    std::size_t k = 0;
    for (std::int32_t y = rect.low.y; y < rect.high.y && k < tiles.size(); ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
            model.tiles[static_cast<std::size_t>(model.index({x, y, rect.layer}))] = tiles[k++];
        }
    }
    if (!legal_before || !good_query(model, last_ask.bind())) return "";
    Route one = copy_route(last);
    Route two = copy_route(last);
    const Result<Revalidation> part = revalidate(*grid, one, last_ask.bind(), scratch, &rect);
    const Result<Revalidation> whole = revalidate(*grid, two, last_ask.bind(), scratch);
    if (!part || !whole) return "revalidate: an error for a query that was answered";
    if (part->legal != whole->legal)
        return "revalidate: of the edited rectangle and of the whole route differ";
    return "";
}

std::string Player::query(const Step& step) {
    const auto slot = static_cast<std::size_t>(step.whole("on", -1));
    const bool old = slot < kSlots && frozen[slot].snapshot.held();
    const GridSnapshot held = old ? frozen[slot].snapshot : grid->acquire();
    const Model as = old ? frozen[slot].model : Model{model, sizes};
    Ask ask = ask_of(step, as.tiles);
    Asked asked;
    const std::string differs = ask_every_way<GridSearch>(step, *tally, held, ask.bind(), scratch, asked);
    if (!differs.empty() || asked.cancelled) return differs;
    const std::string problem = judge_walk(*held, as.tiles, ask.query, registered(ask.query.agent, as.sizes),
                                           asked.done, asked.route, *tally);
    if (!problem.empty() || !asked.done) return problem;
    last = std::move(asked.route);
    last_ask = std::move(ask);
    has_last = true;
    return "";
}

std::string Player::check_frozen(std::size_t slot) {
    if (!frozen[slot].snapshot.held()) return "";
    const World& as = frozen[slot].model.tiles;
    for (std::int32_t i = 0; i < as.cells(); ++i) {
        if (frozen[slot].snapshot->tile(as.cell(i)) != as.tiles[static_cast<std::size_t>(i)]) {
            return "snapshot: a tile has changed";
        }
    }
    frozen[slot].snapshot.release();
    return "";
}

std::string Player::revalidate_last(const Step&) {
    if (!has_last || !has_way(last) || !good_query(model, last_ask.bind())) return "";
    const GridQuery& query = last_ask.bind();
    Route route = copy_route(last);
    const Result<Revalidation> still = revalidate(*grid, route, query, scratch);
    if (!still) return "revalidate: an error for a query that was answered";
    const VerifyOptions options{
        .terrain = query.terrain, .blockers = query.blockers, .check_revision = false};
    const Violation bad = verify(route, *grid, query.agent, options);
    ++tally->verified;
    const bool thin = squeezes(model, query, route);
    if (still->legal && bad) return std::string("revalidate: legal, but ") + bad.text().c_str();
    if (still->legal && thin) return "revalidate: legal, but it squeezes between two walls";
    if (!still->legal && !bad && !thin) return "revalidate: illegal, but verify has nothing against it";
    if (still->legal && route.revision != grid->state().revision()) return "revalidate: the revision is old";
    return "";
}

std::string Player::repair_last(const Step& step) {
    if (!has_last || !has_way(last) || !good_query(model, last_ask.bind())) return "";
    const GridQuery& query = last_ask.bind();
    if (query.expansions_max != UINT64_MAX) return "";
    Route route = copy_route(last);
    const Place start = route.legs.empty() ? route.end : route.legs[0].start;
    const Result<void> done = repair(*grid, route, query, scratch);
    if (!done) {
        const bool rule = by_rule(model, query, registered(query.agent, sizes), done.error());
        return rule ? "" : "repair: an error for a query that was answered";
    }
    const std::string starved = starve_repair(step, *tally, last, route, [&](Scratch& memory_of, Route& out) {
        return repair(*grid, out, query, memory_of);
    });
    if (!starved.empty()) return starved;
    if (!has_way(route)) {
        if (!route.legs.empty()) return "repair: legs without a way";
        if (query.partial || query.goal.kind != Goal::Kind::point || last.status != PathStatus::complete)
            return "";
        Route anew;
        const Result<void> asked = find_route_into(*grid, query, scratch, anew);
        if (asked && anew.status != route.status) {
            return std::string("repair: ") + status_name(route.status) + " where find_route says " +
                   status_name(anew.status);
        }
        return "";
    }
    const Violation bad =
        verify(route, *grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
    ++tally->verified;
    if (bad) return std::string("repair: ") + bad.text().c_str();
    if (squeezes(model, query, route)) return "repair: it squeezes between two walls";
    const Place begins = route.legs.empty() ? route.end : route.legs[0].start;
    if (!(begins.position == start.position)) return "repair: starts elsewhere";
    last = std::move(route);
    return "";
}

std::string Player::probe(const Step& step) {
    const std::vector<double> from = step.numbers("at");
    const std::vector<double> to = step.numbers("to");
    const GridState& state = grid->state();
    const auto cell_of = [&](const std::vector<double>& p) {
        return state.cell_at({item(p, 0), item(p, 1)}, to_whole(item(p, 2)));
    };
    const Cell a = cell_of(from);
    const Cell b = cell_of(to);
    const Agent agent = walker_of(step);
    const double limit = step.number("limit");
    const double clear = state.clearance(a, limit);
    if (limit >= 0 && !(clear >= 0 && clear <= limit)) return "probe: clearance " + number_text(clear);
    (void)state.cell_centre(a);
    (void)state.cost(a);
    const bool stands = state.can_stand(a, agent);
    const Result<bool> joined = state.connected(a, b, agent);
    GridQuery query{.agent = agent, .corner = corner};
    const bool wide = agent.footprint == 0 && agent.radius > 0.5 * model.cell_size;
    if (!good_query(model, query) || !judgeable(model, query) || wide || !state.inside(a) || !state.inside(b))
        return "";
    const oracle::GridOracle oracle(model, query);
    ++tally->judged;
    if (stands != oracle.fits(model.index(a))) return "probe: can_stand is wrong";
    if (!joined.has_value() || !stands || !oracle.fits(model.index(b))) return "";
    const bool reach = oracle.reachable(model.index(a))[static_cast<std::size_t>(model.index(b))] != 0;
    return *joined == reach ? "" : std::string("probe: connected says ") + (*joined ? "yes" : "no");
}

std::string Player::explain_query(const Step& step) {
    Ask ask = ask_of(step, model);
    const GridQuery& query = ask.bind();
    const Result<Explanation> why = explain(*grid, query, scratch, {.expansions = 20000, .trials_max = 10});
    Route route;
    Scratch fresh;
    const Result<void> done = find_route_into(*grid, query, fresh, route);
    if (why.has_value() != done.has_value()) return "explain: only one of explain and find_route is an error";
    const auto again = [&](Scratch& memory_of) {
        return explain(*grid, query, memory_of, {.expansions = 20000, .trials_max = 10});
    };
    const std::string starved = starve_answer(step, *tally, again, [&](const Result<Explanation>& other) {
        if (other.has_value() != why.has_value()) return "explain, only one of two is an error";
        return !why || (other->reason == why->reason && other->status == why->status) ? ""
                                                                                      : "explain, another";
    });
    if (!starved.empty()) return starved;
    if (!done || !good_query(model, query) || why->reason == ExplainReason::budget_spent) return "";
    ++tally->answers;
    if (query.expansions_max == UINT64_MAX && !query.partial && why->status != route.status)
        return "explain: another status";
    const Help& smaller = why->help(HelpKind::smaller_body);
    if (smaller.proof != Proof::found) return "";
    ++tally->verified;
    const Violation bad =
        verify(smaller.route, *grid, smaller.agent, {.terrain = query.terrain, .blockers = query.blockers});
    return bad ? std::string("explain: a proof is illegal, ") + bad.text().c_str() : "";
}

std::string Player::play(const Step& step) {
    const std::string& verb = step.verb;
    if (verb == "make") return make(step);
    if (verb == "bad_make") return bad_make(step);
    if (!grid) return "";
    const std::size_t slot = slot_of(step);
    if (verb == "query") return query(step);
    if (verb == "fill" || verb == "set") return edit(step);
    if (verb == "search") flights.begin(step, *tally, grid->acquire(), {model, sizes}, ask_of(step, model));
    if (verb == "step" || verb == "finish" || verb == "drop" || verb == "cancel") {
        return flights.play(step, *tally, [&](auto& flight, const Asked& asked) {
            const bool known = registered(flight.ask.query.agent, flight.model.sizes);
            return judge_walk(*flight.held, flight.model.tiles, flight.ask.query, known, asked.done,
                              asked.route, *tally);
        });
    }
    if (verb == "snapshot") {
        const std::string problem = check_frozen(slot);
        frozen[slot] = {grid->acquire(), {model, sizes}};
        return problem;
    }
    if (verb == "release") return check_frozen(slot);
    if (verb == "revalidate") return revalidate_last(step);
    if (verb == "repair") return repair_last(step);
    if (verb == "rebuild") return check_state(*grid, model);
    if (verb == "probe") return probe(step);
    if (verb == "explain") return explain_query(step);
    if (verb == "size" && grid->register_size(walker_of(step))) sizes.push_back(walker_of(step));
    if (verb == "move") {
        Grid other = std::move(*grid);
        grid.reset();
        grid.emplace(std::move(other));
    }
    if (verb == "destroy") return clear();
    return "";
}

}  // namespace

std::string play_grid_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
