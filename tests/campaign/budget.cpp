// Fleets and their budget in units, for as long as wanted: walkers and trucks on a town of tiles that are sent about one by one, many
// to one
// place (by shared fields), and in formation, stopped, removed and added, while the town is edited. No frame may spend more units than
// it was
// given; and walkers may not come nearer to each other than they may.
//
//     budget [--frames 1000000] [--seed 1] [--walkers 60] [--trucks 4]
//
// Status 1: a frame passed its budget, or two walkers touched.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/tile_fleet.h>

#include "campaign/flags.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

constexpr std::int32_t kTown = 80;
constexpr double kRadius = 0.4;

struct Flags {
    std::uint64_t frames = 1000000;
    std::uint64_t seed = 1;
    std::uint64_t walkers = 60;
    std::uint64_t trucks = 4;
};

FleetUnit unit_of(bool truck) {
    FleetUnit unit;
    unit.agent.radius = kRadius;
    unit.limits = SpeedLimits::only(truck ? 3.0 : 2.0);
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = truck ? 4.0 : 8.0;
    unit.agent.turning_radius = truck ? 1.5 : 0.0;
    unit.agent.can_reverse = truck;
    return unit;
}

struct Sum {
    std::uint64_t units = 0, over = 0, touched = 0;
    std::uint64_t sent = 0, together = 0, formed = 0, edits = 0, stopped = 0, replaced = 0;
    std::uint64_t first_legs = 0, fields = 0;
};

class Stir {
  public:
    explicit Stir(const Flags& flags) : rng_(flags.seed), port_(grid_) {
        for (int i = 0; i < 60; ++i) {
            const std::int32_t x = rng_.between(2, kTown - 8), y = rng_.between(2, kTown - 8);
            (void)grid_.fill({{x, y}, {x + rng_.between(1, 5), y + rng_.between(1, 5)}}, 0);
        }
        FleetPort port = port_.port();
        port.fields.pays_from = [](const FleetAsk& ask, void*) {
            return ask.unit->agent.turning_radius > 0.0 ? std::uint32_t{0} : std::uint32_t{10};
        };
        fleet_.emplace(std::move(*Fleet::make(port)));
        walker_ = *fleet_->add_kind(unit_of(false));
        truck_ = *fleet_->add_kind(unit_of(true));
        while (walkers_.size() < flags.walkers) add(walker_, walkers_);
        while (trucks_.size() < flags.trucks) add(truck_, trucks_);
    }

    void act() {
        const std::uint32_t what = rng_.below(200);
        std::vector<FleetId>& list = rng_.below(10) == 0 && !trucks_.empty() ? trucks_ : walkers_;
        const std::uint32_t which = rng_.below(static_cast<std::uint32_t>(list.size()));
        if (what < 20) sum_.sent += must(fleet_->send(list[which], place()));
        if (what == 20) sum_.together += must(fleet_->send(walkers_, place()));
        if (what == 21) {
            const std::size_t count = 1 + rng_.below(static_cast<std::uint32_t>(walkers_.size()));
            sum_.together += must(fleet_->send(std::span<const FleetId>(walkers_).first(count), place()));
        }
        if (what == 22 && walkers_.size() > 12) {
            const std::size_t first = rng_.below(static_cast<std::uint32_t>(walkers_.size() - 12));
            const auto squad = std::span<const FleetId>(walkers_).subspan(first, 12);
            sum_.formed += fleet_->send(squad, place(), FormationOptions{}) ? 1U : 0U;
        }
        if (what == 23) sum_.stopped += fleet_->stop(list[which]) ? 1U : 0U;
        if (what == 24) {
            sum_.replaced += fleet_->remove(list[which]) ? 1U : 0U;
            list[which] = list.back();
            list.pop_back();
            add(&list == &trucks_ ? truck_ : walker_, list);
        }
        if (what == 25) edit();
    }
    void update() {
        const std::uint64_t budget = rng_.below(4) == 0 ? rng_.below(20) : rng_.below(1500);
        sum_.over += must(fleet_->update(1.0 / 30.0, {.units = budget})) == 0 ||
                             fleet_->report().units > budget || fleet_->report().units_over > 0
                         ? 1U
                         : 0U;
        sum_.units += fleet_->report().units;
        sum_.first_legs += fleet_->report().first_legs;
        sum_.fields += fleet_->fields();
    }
    /// The nearest two walkers.
    void judge() {
        for (std::size_t i = 0; i < walkers_.size(); ++i) {
            const Vec2 at = ground(fleet_->unit(walkers_[i]).place.position);
            for (std::size_t k = 0; k < i; ++k) {
                const double gap = distance(at, ground(fleet_->unit(walkers_[k]).place.position));
                sum_.touched += gap < 2.0 * kRadius * (1.0 - 1e-9) ? 1U : 0U;
            }
        }
    }
    [[nodiscard]] const Sum& sum() const { return sum_; }

  private:
    static std::uint64_t must(const Result<void>& done) {
        if (done) return 1;
        std::printf("%s of %s\n", error_name(done.error().code), field_name(done.error().field));
        std::exit(EXIT_FAILURE);
    }
    Vec2 place() {
        for (;;) {
            const std::int32_t x = rng_.between(0, kTown - 1);
            const Cell cell{x, rng_.between(0, kTown - 1)};
            if (!grid_.state().blocked(cell) || rng_.below(20) == 0) return grid_.state().cell_centre(cell);
        }
    }
    [[nodiscard]] bool taken(Vec2 low, Vec2 high) const {
        for (const std::vector<FleetId>* list : {&walkers_, &trucks_}) {
            for (const FleetId id : *list) {
                const Vec2 p = ground(fleet_->unit(id).place.position);
                if (p.x > low.x && p.x < high.x && p.y > low.y && p.y < high.y) return true;
            }
        }
        return false;
    }
    void add(FleetKind kind, std::vector<FleetId>& list) {
        for (;;) {
            Place at;
            const Vec2 p = place();
            const Cell cell{static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y)};
            if (grid_.state().blocked(cell) || taken(p - Vec2{1.5, 1.5}, p + Vec2{1.5, 1.5})) continue;
            at.position = {p.x, p.y, 0.0};
            list.push_back(*fleet_->add(kind, at));
            return;
        }
    }
    void edit() {
        const std::int32_t x = rng_.between(1, kTown - 6), y = rng_.between(1, kTown - 6);
        const std::int32_t w = rng_.between(1, 4), h = rng_.between(1, 4);
        const auto tile = static_cast<std::uint8_t>(rng_.below(2));
        if (tile == 0 && taken({x - 1.0, y - 1.0}, {x + w + 1.0, y + h + 1.0})) return;
        (void)grid_.fill({{x, y}, {x + w, y + h}}, tile);
        sum_.edits += must(fleet_->world_changed());
    }

    Rng rng_;
    Grid grid_ = std::move(*Grid::make({.width = kTown, .height = kTown}));
    TileFleet port_;
    std::optional<Fleet> fleet_;
    FleetKind walker_{}, truck_{};
    std::vector<FleetId> walkers_, trucks_;
    Sum sum_;
};

}  // namespace

int main(int count, char** words) {
    Flags flags;
    const bool known = read_flags(count, words, [&](const std::string& flag, const char* value) {
        const std::uint64_t number = std::strtoull(value, nullptr, 10);
        if (flag == "--frames") return flags.frames = number, true;
        if (flag == "--seed") return flags.seed = number, true;
        if (flag == "--walkers") return flags.walkers = std::max<std::uint64_t>(number, 1), true;
        if (flag == "--trucks") return flags.trucks = number, true;
        return false;
    });
    if (!known) {
        std::fprintf(stderr, "budget: see the head of tests/campaign/budget.cpp\n");
        return 2;
    }
    Stir stir(flags);
    for (std::uint64_t frame = 0; frame < flags.frames; ++frame) {
        stir.act();
        stir.update();
        if (frame % 20 == 0) stir.judge();
        if (stir.sum().over == 0 && stir.sum().touched == 0) continue;
        std::printf("frame %" PRIu64 ": over its budget, or two walkers touch (budget --seed %" PRIu64 ")\n",
                    frame, flags.seed);
        break;
    }
    const Sum& s = stir.sum();
    std::printf("%" PRIu64 " frames, %" PRIu64 " units: %" PRIu64 " sent alone, %" PRIu64
                " times many to one place, %" PRIu64 " formations, %" PRIu64 " stopped, %" PRIu64
                " replaced, %" PRIu64 " edits; %" PRIu64 " first legs, %.2f fields a frame; %" PRIu64
                " frames over their budget, %" PRIu64 " touched\n",
                flags.frames, s.units, s.sent, s.together, s.formed, s.stopped, s.replaced, s.edits,
                s.first_legs, static_cast<double>(s.fields) / static_cast<double>(flags.frames), s.over,
                s.touched);
    return s.over == 0 && s.touched == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
