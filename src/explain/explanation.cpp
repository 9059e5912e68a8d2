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

void add_terrain(Line& line, const Help& help) {
    line.add("terrain");
    const char* gap = " ";
    for (std::int64_t k = 1; k < 256; ++k) {
        if (((help.terrain[k / 64] >> (k % 64)) & 1U) == 0) continue;
        line.add(gap).count(k);
        gap = ", ";
    }
    line.add(" open");
}

void add_body(Line& line, const Explanation& why, const Help& help) {
    if (why.agent.footprint > 0) {
        line.add("footprint <= ").number(help.value);
    } else if (why.agent.shape == BodyShape::disc) {
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
        case HelpKind::open_terrain: add_terrain(line, help); break;
        case HelpKind::no_blockers:
            if (help.value < 0.0) {
                line.add("no blockers");
            } else {
                line.add("blocker ").number(help.value).add(" gone");
            }
            break;
        case HelpKind::move_start: line.add("to start at ").at(help.place, why.in_space); break;
        case HelpKind::move_goal: line.add("to end at ").at(help.place, why.in_space); break;
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
    line.add("the body does not fit at the ").add(name).add(" ").at(why.place, why.in_space);
    if (why.has_voxel) {
        line.add(", it meets voxel (").count(why.voxel.x).add(", ").count(why.voxel.y);
        line.add(", ").count(why.voxel.z).add(")");
    }
    if (why.cell.x >= 0) line.add(", it meets tile (").count(why.cell.x).add(", ").count(why.cell.y).add(")");
}

void add_closed(Line& line, const Explanation& why) {
    const char* side = why.goal_side ? "goal" : "start";
    line.add(why.in_space ? "no free space joins the two: the " : "no ground joins the two: the ").add(side);
    line.add(" is closed in, on ").count(why.area);
    const char* kind = why.in_space ? " voxel" : " tile";
    line.add(kind).add(why.area == 1 ? "" : "s");
    if (!why.in_space) return;
    line.add(" behind ").count(why.walls).add(why.walls == 1 ? " solid one" : " solid ones");
}

void add_reason(Line& line, const Explanation& why) {
    switch (why.reason) {
        case ExplainReason::none: line.add("there is a route"); break;
        case ExplainReason::off_world:
            line.add(why.in_space ? "outside the bounds at " : "outside the map at ");
            line.at(why.place, why.in_space);
            break;
        case ExplainReason::start_blocked: add_end(line, why, "start"); break;
        case ExplainReason::goal_blocked: add_end(line, why, "goal"); break;
        case ExplainReason::sealed: add_closed(line, why); break;
        case ExplainReason::too_wide:
            if (why.has_place) {
                line.add("blocked at ").at(why.place, why.in_space);
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
