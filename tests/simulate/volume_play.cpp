// The library's side of volumes: plays a script on a Volume beside a plain array of voxels.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fairlead/volume/find_route.h>
#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/repair.h>
#include <fairlead/volume/save_volume.h>
#include <fairlead/volume/sight.h>

#include "simulate/routes.h"
#include "simulate/searches.h"
#include "simulate/starved.h"
#include "simulate/volume_ask.h"
#include "simulate/volume_fly.h"
#include "simulate/volume_judge.h"
#include "support/volumes.h"

namespace fairlead::simulate {

namespace {

struct Frozen {
    VolumeSnapshot snapshot;
    VolumeModel model;
};

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}
    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string clear();
    std::string make(const Step& step);
    std::string edit(const Step& step);
    std::string fresh() const;
    std::string last_after(const VoxelBox& box, bool was_legal);
    std::string query(const Step& step);
    std::string save(const Step& step);
    std::string revalidate_last(const Step& step);
    std::string repair_last(const Step& step);
    std::string nearest(const Step& step);
    std::string random(const Step& step);
    [[nodiscard]] const Frozen* frozen_of(const Step& step) const;
    [[nodiscard]] std::uint64_t revision() const { return volume->state().revision(); }

    TestAllocator memory;  ///< the volume's
    VolumeModel model;
    std::optional<Volume> volume;
    Scratch scratch;
    Frozen frozen[kSlots];
    Flights<VolumeSearch, VolumeSnapshot, VolumeModel, VolumeAsk> flights;
    Route last;
    VolumeAsk last_ask;
    bool has_last = false;
    std::optional<RouteIndex> index;  ///< holds the last route
    Tally* tally;
};

std::string Player::clear() {
    flights.clear();
    for (Frozen& one : frozen) one.snapshot.release();
    volume.reset();
    has_last = false;
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a volume";
}

std::string Player::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    model = {};
    model.world = volume_of(step);
    const bool small = !model.world.solid.empty();
    std::optional<testing::VolumeBricks> bricks;
    if (small) bricks.emplace(model.world);
    VolumeOptions options = small ? bricks->options : VolumeOptions{};
    options.origin = model.world.origin;
    options.voxel_size = model.world.voxel;
    options.size = model.world.size;
    options.allocator = memory.allocator();
    if (step.has("streamed")) {
        options.streamed = true;
        options.bricks = {};
    }
    // Large ones may take memory in proportion to their chunks.
    const double voxels = 1.0 * options.size.x * options.size.y * options.size.z;
    if (!small && voxels > 1e8 && voxels < 1e12) return "";
    Result<Volume> made = Error{ErrorCode::out_of_memory};
    Result<void> done;
    const auto try_it = [&]() -> Result<void> {
        made = Volume::make(options);
        return made ? Result<void>() : Result<void>(made.error());
    };
    const std::string starved = starve_edit(
        step, *tally, memory, try_it, [&] { return memory.live_blocks == 0; }, done);
    if (!starved.empty()) return starved;
    if (!made) {
        const bool plain = small && !step.has("origin") && !step.has("voxel");
        return plain ? std::string("make: refused, ") + error_text(made.error()).c_str() : "";
    }
    if (!small) return "";
    volume.emplace(std::move(*made));
    model.begin(step.has("streamed"));
    const double bucket = 2.0 * model.side() + 1e-8 * length(model.world.origin);
    index.emplace(*RouteIndex::make({.bucket = bucket, .space = true}));
    return compare_volume(*volume, model);
}

const Frozen* Player::frozen_of(const Step& step) const {
    const auto slot = static_cast<std::size_t>(step.whole("on", -1));
    return slot < kSlots && frozen[slot].snapshot.held() ? &frozen[slot] : nullptr;
}

// The same bytes as a volume that was made of the voxels as they are now.
std::string Player::fresh() const {
    Array<std::uint8_t> bytes, others;
    Volume made = testing::make_volume(model.world);
    std::vector<VolumeEdit> missing;
    for (std::size_t i = 0; i < model.absent.size(); ++i) {
        const Voxel v = model.world.at(i);
        if (model.absent[i] != 0 && v.x % 64 == 0 && v.y % 64 == 0 && v.z % 64 == 0)
            missing.push_back(VolumeEdit::unload({v.x / 64, v.y / 64, v.z / 64}));
    }
    if (!made.apply(missing)) return "edit: a chunk is not unloaded";
    if (!save_volume(*volume, bytes) || !save_volume(made, others)) return "save: an error";
    return std::equal(bytes.begin(), bytes.end(), others.begin(), others.end())
               ? ""
               : "edit: a fresh volume has other bytes";
}

// A route that was legal and is not any more: the edit's box told.
std::string Player::last_after(const VoxelBox& box, bool was_legal) {
    if (!has_last || !was_legal || !has_way(last)) return "";
    Route all = copy_route(last), near = copy_route(last);
    const Result<Revalidation> still = revalidate(*volume, all, last_ask.query, scratch);
    const Result<Revalidation> boxed = revalidate(*volume, near, last_ask.query, scratch, &box);
    if (!still || !boxed || !(*still == *boxed)) return "revalidate: the edit's box is not enough";
    if (still->legal) return "";
    Array<std::uint64_t> ids;
    if (!index->touched(touched_box(*volume, box), ids)) return "touched: an error";
    return ids.size() == 1 ? "" : "touched: a route that the edit breaks is not named";
}

std::string Player::edit(const Step& step) {
    const std::uint64_t before = revision();
    std::vector<VoxelBrick> bricks;
    const VolumeEdit change = volume_edit_of(step, model.world.size, bricks);
    bool was_legal = false;
    if (has_last && has_way(last)) {
        Route route = copy_route(last);
        const Result<Revalidation> still = revalidate(*volume, route, last_ask.query, scratch);
        was_legal = still && still->legal;
        if (was_legal && !index->insert(last, 1, circumscribed_sphere(last_ask.query.agent)))
            return "touched: no insert";
    }
    const VoxelBox box = changed_voxels(*volume, change);
    Result<void> done;
    const auto same = [&] { return revision() == before && compare_volume(*volume, model).empty(); };
    const std::string starved = starve_edit(
        step, *tally, memory, [&] { return volume->apply(change); }, same, done);
    if (!starved.empty()) return starved;
    const bool good = good_volume_edit(change, model.world.size);
    if (done.has_value() != good) return good ? "edit: a good one is refused" : "edit: a bad one is taken";
    if (!done) {
        ++tally->refused;
        return revision() == before ? "" : "edit: a refused edit made a revision";
    }
    const std::vector<std::uint8_t> old = model.world.solid, were = model.absent;
    model.edit(change);
    const bool changed = old != model.world.solid || were != model.absent;
    if (changed != (revision() != before)) return "edit: a revision, or none, too many";
    std::string problem = compare_volume(*volume, model);
    if (problem.empty() && step.has("fresh")) problem = fresh();
    ++tally->judged;
    return problem.empty() ? last_after(box, was_legal) : problem;
}

std::string Player::query(const Step& step) {
    const Frozen* old = frozen_of(step);
    const VolumeSnapshot held = old != nullptr ? old->snapshot : volume->acquire();
    const VolumeModel& as = old != nullptr ? old->model : model;
    VolumeAsk ask = volume_ask_of(step);
    Asked asked;
    const std::string differs = ask_every_way<VolumeSearch>(step, *tally, held, ask.bind(), scratch, asked);
    if (!differs.empty() || asked.cancelled) return differs;
    const std::string problem = judge_volume_route(*held, as, ask.query, asked.done, asked.route, *tally);
    if (!problem.empty() || !asked.done || !good_volume_query(ask.query)) return problem;
    last = std::move(asked.route);
    last_ask = std::move(ask);
    (void)last_ask.bind();
    has_last = true;
    return "";
}

std::string Player::save(const Step& step) {
    Array<std::uint8_t> bytes;
    Result<void> done;
    const auto same = [&] { return compare_volume(*volume, model).empty(); };
    std::string starved = starve_edit(
        step, *tally, memory, [&] { return save_volume(*volume, bytes); }, same, done);
    if (!starved.empty()) return starved;
    if (!done) return "save: an error";
    VolumeLoadOptions loading;
    loading.allocator = memory.allocator();
    Result<Volume> loaded = Error{ErrorCode::out_of_memory};
    const auto load = [&]() -> Result<void> {
        loaded = load_volume(bytes, loading);
        return loaded ? Result<void>() : Result<void>(loaded.error());
    };
    starved = starve_edit(step, *tally, memory, load, same, done);
    if (!starved.empty()) return starved;
    if (!loaded) return std::string("save: what is saved is not loaded, ") + error_name(loaded.error().code);
    flights.clear();
    for (Frozen& one : frozen) one.snapshot.release();
    *volume = std::move(*loaded);
    has_last = false;
    const std::string differs = compare_volume(*volume, model);
    return differs.empty() ? fresh() : differs;
}

std::string Player::revalidate_last(const Step& step) {
    if (!has_last || !has_way(last)) return "";
    const std::uint64_t of = last.revision;
    const Result<Revalidation> still = revalidate(*volume, last, last_ask.query, scratch);
    const std::string starved = starve_answer(
        step, *tally,
        [&](Scratch& memory_of) {
            Route route = copy_route(last);
            return revalidate(*volume, route, last_ask.query, memory_of);
        },
        [&](const Result<Revalidation>& other) {
            return other && still && *other == *still ? "" : "revalidate, another answer";
        });
    if (!starved.empty()) return starved;
    if (!still) return "revalidate: an error for a query that was answered";
    if (of == revision() && !still->legal) return "revalidate: illegal, and nothing has changed";
    ++tally->verified;
    const Violation bad = verify_volume_route(last, *volume, last_ask.query);
    if (still->legal && bad) return std::string("revalidate: legal, but ") + bad.text().c_str();
    return "";
}

std::string Player::repair_last(const Step& step) {
    if (!has_last) return "";
    const Route before = copy_route(last);
    const Result<void> done = repair(*volume, last, last_ask.query, scratch);
    const auto unsupported = [](const Error& error) { return error.code == ErrorCode::unsupported; };
    if (!done) return unsupported(done.error()) ? "" : "repair: an error for a query that was answered";
    const std::string starved = starve_repair(
        step, *tally, before, last,
        [&](Scratch& memory_of, Route& route) { return repair(*volume, route, last_ask.query, memory_of); });
    if (!starved.empty()) return starved;
    return judge_repair(*volume, model, last_ask.query, before, last, *tally);
}

std::string Player::nearest(const Step& step) {
    VolumeFreeQuery ask;
    ask.place = point_of(step, "place");
    ask.agent.radius = step.number("radius");
    if (step.has("reach")) ask.reach = step.number("reach");
    ask.connected = step.has("from");
    ask.from = point_of(step, "from");
    const Result<VolumeFree> got = nearest_free(*volume, ask, scratch);
    const std::string starved = starve_answer(
        step, *tally, [&](Scratch& memory_of) { return nearest_free(*volume, ask, memory_of); },
        [&](const Result<VolumeFree>& other) {
            const bool same =
                other.has_value() == got.has_value() && (!got || other->position == got->position);
            return same ? "" : "nearest, another answer";
        });
    return starved.empty() ? judge_nearest(*volume, model, ask, got, *tally) : starved;
}

std::string Player::random(const Step& step) {
    RandomPlaceQuery ask;
    ask.agent.radius = step.number("radius");
    ask.connected = step.has("from");
    ask.from = point_of(step, "from");
    const auto asked = [&](Scratch& memory_of) {
        Rng dice(step.count("seed"));
        return random_place(*volume, ask, dice, memory_of);
    };
    const Result<VolumeFree> got = asked(scratch);
    const std::string starved = starve_answer(step, *tally, asked, [&](const Result<VolumeFree>& other) {
        const bool same = other.has_value() == got.has_value() && (!got || other->position == got->position);
        return same ? "" : "random, another answer";
    });
    return starved.empty() ? judge_random(*volume, model, ask, got, *tally) : starved;
}

std::string Player::play(const Step& step) {
    const std::string& verb = step.verb;
    if (verb == "make") return make(step);
    if (!volume) return "";
    const std::size_t slot = slot_of(step);
    if (verb == "query") return query(step);
    if (verb == "edit") return edit(step);
    if (verb == "search") flights.begin(step, *tally, volume->acquire(), model, volume_ask_of(step));
    if (verb == "step" || verb == "finish" || verb == "drop" || verb == "cancel") {
        return flights.play(step, *tally, [&](auto& flight, const Asked& asked) {
            return judge_volume_route(*flight.held, flight.model, flight.ask.query, asked.done, asked.route,
                                      *tally);
        });
    }
    if (verb == "snapshot") frozen[slot] = {volume->acquire(), model};
    if (verb == "look" && frozen[slot].snapshot.held())
        return compare_volume(*frozen[slot].snapshot, frozen[slot].model);
    if (verb == "release") frozen[slot].snapshot.release();
    if (verb == "revalidate") return revalidate_last(step);
    if (verb == "repair") return repair_last(step);
    if (verb == "sight")
        return judge_sight(*volume, model, point_of(step, "from"), point_of(step, "to"),
                           step.number("radius"));
    if (verb == "nearest") return nearest(step);
    if (verb == "random") return random(step);
    if (verb == "fly") return play_fly(step, volume->acquire(), model, scratch, *tally);
    if (verb == "why") return play_why(step, volume->acquire(), scratch, *tally);
    if (verb == "save") return save(step);
    if (verb == "destroy") return clear();
    return "";
}

}  // namespace

std::string play_volume_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
