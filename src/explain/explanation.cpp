// Explanations as sentences.

#include <fairlead/explain/explain.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>

namespace fairlead {

namespace {

constexpr const char* kReasons[] = {"none",     "off_world", "start_blocked", "goal_blocked", "sealed",
                                    "too_wide", "turning",   "window",        "budget_spent"};
static_assert(std::size(kReasons) == static_cast<std::size_t>(ExplainReason::count_));

constexpr const char* kHelps[] = {"smaller_circle", "reverse_gear", "pivot",        "goal_heading",
                                  "start_heading",  "smaller_body", "open_terrain", "no_blockers",
                                  "move_start",     "move_goal"};
static_assert(std::size(kHelps) == static_cast<std::size_t>(HelpKind::count_));

constexpr const char* kProofs[] = {"not_asked", "not_looked", "none", "found"};

constexpr double kDegPerRad = 57.29577951308232;

// Text in a buffer of fixed size: what does not fit is left out.
class Line {
  public:
    explicit Line(std::span<char> buffer) : buffer_(buffer) { buffer_[0] = '\0'; }

    Line& add(const char* text) {
        for (; *text != '\0'; ++text) put(*text);
        return *this;
    }
    Line& count(std::int64_t value) {
        char digits[20];
        int n = 0;
        if (value < 0) put('-');
        auto rest = value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                              : static_cast<std::uint64_t>(value);
        do {
            digits[n++] = static_cast<char>('0' + static_cast<int>(rest % 10));
            rest /= 10;
        } while (rest > 0);
        while (n > 0) put(digits[--n]);
        return *this;
    }
    // Four digits after the point at most, cut off: what holds for a number holds for the one that is told.
    Line& number(double value) {
        if (!(std::fabs(value) < 1e14)) return add("a very large number");
        if (value < 0.0) put('-');
        const auto parts = static_cast<std::int64_t>(std::fabs(value) * 10000.0 + 1e-6);
        count(parts / 10000);
        std::int64_t rest = parts % 10000;
        if (rest == 0) return *this;
        put('.');
        for (std::int64_t unit = 1000; rest > 0; unit /= 10) {
            put(static_cast<char>('0' + static_cast<int>(rest / unit)));
            rest %= unit;
        }
        return *this;
    }
    Line& at(const Place& place, bool in_space) {
        add("(").number(place.position.x).add(", ").number(place.position.y);
        if (in_space) add(", ").number(place.position.z);
        return add(")");
    }

  private:
    void put(char c) {
        if (size_ + 1 >= buffer_.size()) return;
        buffer_[size_++] = c;
        buffer_[size_] = '\0';
    }

    std::span<char> buffer_;
    std::size_t size_ = 0;
};

// "areas 1 and 4": the bits of some words. False: there are none.
bool add_kinds(Line& line, const char* gap, const char* one, const char* several,
               std::span<const std::uint64_t> words) {
    const auto has = [&](std::size_t k) { return ((words[k / 64] >> (k % 64)) & 1U) != 0; };
    std::size_t count = 0;
    for (std::size_t k = 0; k < words.size() * 64; ++k) count += has(k) ? 1 : 0;
    if (count == 0) return false;
    line.add(gap).add(count == 1 ? one : several);
    const char* comma = " ";
    for (std::size_t k = 0; k < words.size() * 64; ++k) {
        if (!has(k)) continue;
        line.add(comma).count(static_cast<std::int64_t>(k));
        comma = ", ";
    }
    return true;
}

void add_terrain(Line& line, const Explanation& why, const Help& help) {
    const std::uint64_t links[] = {help.links}, flags[] = {help.flags};
    const bool mesh = why.world == ExplainWorld::mesh, net = why.world == ExplainWorld::roadmap;
    bool any = add_kinds(line, "",
                         mesh  ? "area"
                         : net ? "edges of kind"
                               : "terrain",
                         mesh  ? "areas"
                         : net ? "edges of kinds"
                               : "terrain",
                         help.terrain);
    any = add_kinds(line, any ? " and " : "", "links of kind", "links of kinds", links) || any;
    any = add_kinds(line, any ? " and " : "", "edges with flag", "edges with flags", flags) || any;
    if (help.own_factor) line.add(any ? " and " : "").add("edges that the filter's own function closes");
    line.add(" open");
}

void add_body(Line& line, const Explanation& why, const Help& help) {
    if (why.agent.footprint > 0) {
        line.add("footprint <= ").number(help.value);
    } else if (why.agent.shape == BodyShape::disc && why.agent.height == 0.0) {
        line.add("radius <= ").number(help.value);
    } else {
        line.add("body <= ").number(help.value).add(" of its size");
    }
}

void add_help(Line& line, const Explanation& why, HelpKind kind) {
    const Help& help = why.help(kind);
    switch (kind) {
        case HelpKind::smaller_body: add_body(line, why, help); break;
        case HelpKind::smaller_circle: line.add("turning radius <= ").number(help.value); break;
        case HelpKind::reverse_gear: line.add("the reverse gear"); break;
        case HelpKind::pivot: line.add("turns on the spot"); break;
        case HelpKind::goal_heading:
            line.add("another heading at the goal (").number(help.value * kDegPerRad).add(" degrees)");
            break;
        case HelpKind::start_heading:
            line.add("another heading at the start (").number(help.value * kDegPerRad).add(" degrees)");
            break;
        case HelpKind::open_terrain: add_terrain(line, why, help); break;
        case HelpKind::no_blockers:
            if (help.value < 0.0) {
                line.add("no blockers");
            } else {
                line.add("blocker ").number(help.value).add(" gone");
            }
            break;
        case HelpKind::move_start: line.add("to start at ").at(help.place, why.in_space()); break;
        case HelpKind::move_goal: line.add("to end at ").at(help.place, why.in_space()); break;
        case HelpKind::count_: break;
    }
}

void add_helps(Line& line, const Explanation& why) {
    const char* gap = ": would need ";
    bool open = false;
    for (std::size_t i = 0; i < std::size(why.helps); ++i) {
        open = open || why.helps[i].proof == Proof::not_looked;
        if (why.helps[i].proof != Proof::found) continue;
        line.add(gap);
        add_help(line, why, static_cast<HelpKind>(i));
        gap = ", or ";
    }
    if (open) line.add("; not all that may help was looked at");
}

void add_end(Line& line, const Explanation& why, const char* name) {
    const bool net = why.world == ExplainWorld::roadmap;
    if (why.closed_area >= 0) {
        line.add("the ").add(name).add(" ").at(why.place, why.in_space()).add(" is on area ");
        line.count(why.closed_area).add(", which the filter closes");
        return;
    }
    line.add(net ? "the unit does not come to the net from the " : "the body does not fit at the ");
    line.add(name).add(" ").at(why.place, why.in_space());
    if (why.has_voxel) {
        line.add(", it meets voxel (").count(why.voxel.x).add(", ").count(why.voxel.y);
        line.add(", ").count(why.voxel.z).add(")");
    }
    if (why.cell.x >= 0) line.add(", it meets tile (").count(why.cell.x).add(", ").count(why.cell.y).add(")");
}

void add_outside(Line& line, const Explanation& why) {
    const char* end = why.goal_side ? "goal " : "start ";
    switch (why.world) {
        case ExplainWorld::tiles: line.add("outside the map at "); break;
        case ExplainWorld::volume: line.add("outside the bounds at "); break;
        case ExplainWorld::mesh: line.add("no surface is within reach of the ").add(end); break;
        case ExplainWorld::roadmap: line.add("no waypoint or edge is within range of the ").add(end); break;
    }
    line.at(why.place, why.in_space());
}

// What the closed side consists of.
void add_side(Line& line, const Explanation& why) {
    constexpr const char* kOne[] = {" tile", " voxel", " polygon", " waypoint"};
    const bool one = why.area == 1;
    line.count(why.area).add(kOne[static_cast<std::size_t>(why.world)]).add(one ? "" : "s");
    if (why.world == ExplainWorld::volume)
        line.add(" behind ").count(why.walls).add(why.walls == 1 ? " solid one" : " solid ones");
    if (why.world == ExplainWorld::mesh) line.add(", ").number(why.ground_area).add(" square units");
}

void add_closed(Line& line, const Explanation& why) {
    constexpr const char* kWhat[] = {"ground", "free space", "surface", "way"};
    const char* side = why.goal_side ? "goal" : "start";
    line.add("no ").add(kWhat[static_cast<std::size_t>(why.world)]).add(" joins the two: the ").add(side);
    line.add(" is closed in, on ");
    add_side(line, why);
    if (!why.one_way) return;
    line.add(why.world == ExplainWorld::mesh ? "; one-way links" : "; one-way edges");
    line.add(" lead the other way alone");
}

void add_reason(Line& line, const Explanation& why) {
    switch (why.reason) {
        case ExplainReason::none: line.add("there is a route"); break;
        case ExplainReason::off_world: add_outside(line, why); break;
        case ExplainReason::start_blocked: add_end(line, why, "start"); break;
        case ExplainReason::goal_blocked: add_end(line, why, "goal"); break;
        case ExplainReason::sealed: add_closed(line, why); break;
        case ExplainReason::too_wide:
            if (why.has_place) {
                line.add("blocked at ");
                if (why.link >= 0) line.add("link ").count(why.link).add(" at ");
                if (why.has_edge)
                    line.add("the edge from ")
                        .count(why.edge.from.value)
                        .add(" to ")
                        .count(why.edge.to.value)
                        .add(" at ");
                line.at(why.place, why.in_space());
            } else {
                line.add("no way is wide enough");
            }
            break;
        case ExplainReason::turning: line.add("wide enough, but the unit cannot turn in there"); break;
        case ExplainReason::window:
            line.add("the fixed window is too small, another planner finds a way");
            break;
        case ExplainReason::budget_spent: line.add("not known: the budget was spent first"); break;
        case ExplainReason::count_: break;
    }
}

}  // namespace

const char* reason_name(ExplainReason reason) {
    const auto i = static_cast<std::size_t>(reason);
    return i < std::size(kReasons) ? kReasons[i] : "unknown";
}

const char* help_name(HelpKind kind) {
    const auto i = static_cast<std::size_t>(kind);
    return i < std::size(kHelps) ? kHelps[i] : "unknown";
}

const char* proof_name(Proof proof) {
    const auto i = static_cast<std::size_t>(proof);
    return i < std::size(kProofs) ? kProofs[i] : "unknown";
}

ExplainText Explanation::text() const {
    ExplainText text;
    Line line(text.characters);
    add_reason(line, *this);
    add_helps(line, *this);
    return text;
}

}  // namespace fairlead
