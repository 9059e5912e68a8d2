#include <fairlead/drive/primitives.h>

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/math/trig.h>

#include "drive/body/ring_moves.h"
#include "drive/curves/free_curve.h"

namespace fairlead {

namespace {

constexpr double kFar = 1e300;
constexpr double kTurnMax = kHalfPi + 0.1;  // radians a primitive may turn in all; more is put together
constexpr std::int32_t kReachMax = 40;      // cells
constexpr std::int32_t kRoom = 3;           // cells beyond the reach in which ways are put together

// Lengths as they are sorted by: images of one curve differ in their last digits.
std::int64_t in_order_of(double length) { return static_cast<std::int64_t>(length * 1e6 + 0.5); }

// One of the eight symmetries of the square: quarter turns counter-clockwise, after a mirror image in the x axis.
struct Symmetry {
    std::int32_t quarters = 0;
    bool mirror = false;

    void step(std::int32_t& dx, std::int32_t& dy) const {
        if (mirror) dy = -dy;
        for (std::int32_t i = 0; i < quarters; ++i) {
            const std::int32_t x = dx;
            dx = -dy;
            dy = x;
        }
    }
    [[nodiscard]] std::int32_t heading(std::int32_t count, std::int32_t h) const {
        return ((mirror ? count - h : h) + quarters * (count / 4)) % count;
    }
};

// A move without its curve.
struct Move {
    std::int32_t from;
    std::int32_t dx;
    std::int32_t dy;
    std::int32_t to;
    double length;
    bool eligible = true;  // may be chosen; else only a place that ways lead to
};

Move image(const Move& move, const Symmetry& symmetry, std::int32_t count) {
    Move out = move;
    symmetry.step(out.dx, out.dy);
    out.from = symmetry.heading(count, move.from);
    out.to = symmetry.heading(count, move.to);
    return out;
}

bool same_ends(const Move& a, const Move& b) {
    return a.from == b.from && a.dx == b.dx && a.dy == b.dy && a.to == b.to;
}

// The order in which candidates are looked at: by length, near-ties by the numbers.
bool before(const Move& a, const Move& b) {
    if (in_order_of(a.length) != in_order_of(b.length)) return in_order_of(a.length) < in_order_of(b.length);
    if (a.from != b.from) return a.from < b.from;
    if (a.to != b.to) return a.to < b.to;
    if (a.dy != b.dy) return a.dy < b.dy;
    return a.dx < b.dx;
}

// Chooses the moves of rings 0. Works on starts in the first eighth of the circle; symmetry gives the others.
class Chooser {
  public:
    explicit Chooser(const PrimitiveOptions& options)
        : options_(options),
          count_(options.headings),
          starts_(options.headings / 8 + 1),
          reach_(reach_of(options)),
          candidates_(options.allocator),
          chosen_(options.allocator),
          known_(options.allocator) {}

    [[nodiscard]] bool run() {
        if (!list_candidates() || !known_.resize_uninitialized(states() * static_cast<std::size_t>(starts_)))
            return false;
        std::fill(known_.begin(), known_.end(), kFar);
        for (std::int32_t h = 0; h < starts_; ++h) known(h, 0, 0, h) = 0.0;
        for (const Move& move : candidates_) {
            double& length = known(move.from, move.dx, move.dy, move.to);
            length = std::min(length, best_with_chosen(move));
            if (!move.eligible) continue;
            if (length <= move.length * options_.stretch) continue;
            if (!choose(move)) return false;
        }
        return true;
    }
    [[nodiscard]] std::span<const Move> chosen() const { return chosen_.span(); }

  private:
    static std::int32_t reach_of(const PrimitiveOptions& options) {
        if (options.reach > 0) return options.reach;
        return std::max(3, static_cast<std::int32_t>(std::ceil(options.turning_radius * 1.25)) + 1);
    }
    [[nodiscard]] std::size_t states() const {
        const auto side = static_cast<std::size_t>(2 * room() + 1);
        return side * side * static_cast<std::size_t>(count_);
    }
    [[nodiscard]] double& known(std::int32_t start, std::int32_t dx, std::int32_t dy, std::int32_t heading) {
        const std::int32_t side = 2 * room() + 1;
        const std::int32_t index = ((start * side + dy + room()) * side + dx + room()) * count_ + heading;
        return known_[static_cast<std::size_t>(index)];
    }
    // Cells to each side in which lengths are known.
    [[nodiscard]] std::int32_t room() const { return reach_ + kRoom; }
    [[nodiscard]] bool inside(std::int32_t dx, std::int32_t dy, std::int32_t far) const {
        return std::abs(dx) <= far && std::abs(dy) <= far;
    }

    [[nodiscard]] bool list_candidates() {
        for (std::int32_t from = 0; from < starts_; ++from) {
            for (std::int32_t dy = -room(); dy <= room(); ++dy) {
                for (std::int32_t dx = -room(); dx <= room(); ++dx) {
                    for (std::int32_t to = 0; to < count_; ++to) {
                        if (dx == 0 && dy == 0) continue;
                        const CurveWord word =
                            primitive_curve(count_, options_.turning_radius, from, dx, dy, to);
                        const double turned = drive::turning_of(word);
                        if (turned > kPi) continue;
                        const bool eligible = turned <= kTurnMax && inside(dx, dy, reach_);
                        const Move move{from, dx, dy, to, word.length * options_.turning_radius, eligible};
                        if (!candidates_.push_back(move)) return false;
                    }
                }
            }
        }
        std::sort(candidates_.begin(), candidates_.end(), before);  // total order
        return true;
    }

    // The shortest way to a move's end whose last piece is a chosen move and whose rest is known.
    [[nodiscard]] double best_with_chosen(const Move& move) {
        double best = kFar;
        for (const Move& last : chosen_) {
            if (last.to != move.to) continue;
            const std::int32_t x = move.dx - last.dx;
            const std::int32_t y = move.dy - last.dy;
            if (inside(x, y, room())) best = std::min(best, known(move.from, x, y, last.from) + last.length);
        }
        return best;
    }

    // Adds a move and its images, each once.
    [[nodiscard]] bool choose(const Move& move) {
        const std::size_t first = chosen_.size();
        for (std::int32_t i = 0; i < 8; ++i) {
            const Move other = image(move, {i & 3, i >= 4}, count_);
            if (other.from < starts_) known(other.from, other.dx, other.dy, other.to) = move.length;
            const auto fresh = chosen_.span().subspan(first);
            const bool known_image =
                std::any_of(fresh.begin(), fresh.end(), [&](const Move& m) { return same_ends(m, other); });
            if (!known_image && !chosen_.push_back(other)) return false;
        }
        return true;
    }

  public:
    static CurveWord primitive_curve(std::int32_t count, double radius, std::int32_t from, std::int32_t dx,
                                     std::int32_t dy, std::int32_t to) {
        const Pose start{{}, heading_rad(count, from)};
        const Pose end{{static_cast<double>(dx), static_cast<double>(dy)}, heading_rad(count, to)};
        return shortest_dubins(start, end, radius);
    }

  private:
    const PrimitiveOptions& options_;
    std::int32_t count_;
    std::int32_t starts_;
    std::int32_t reach_;
    Array<Move> candidates_;
    Array<Move> chosen_;
    Array<double> known_;  // length of the best way on the lattice, by start, place and heading
};

Result<void> check(const PrimitiveOptions& options) {
    const auto bad = [](Field field) { return Error{ErrorCode::out_of_range, field}; };
    if (!std::isfinite(options.turning_radius))
        return Error{ErrorCode::not_finite, Field::agent_turning_radius};
    if (options.turning_radius < 0.25 || options.turning_radius > 32.0)
        return bad(Field::agent_turning_radius);
    if (!good_heading_count(options.headings)) return bad(Field::headings);
    if (options.rings < 0 || options.rings > kRingsMax) return bad(Field::rings);
    if (!std::isfinite(options.stretch)) return Error{ErrorCode::not_finite, Field::stretch};
    if (options.rings == 0 && (options.stretch < 1.001 || options.stretch > 2.0)) return bad(Field::stretch);
    if (options.reach < 0 || options.reach > kReachMax) return bad(Field::move_reach);
    if (options.every_word && options.rings == 0) return bad(Field::every_word);
    return {};
}

// The moves of rings 0, forward.
bool append_chosen(const PrimitiveOptions& options, Array<Primitive>& moves) {
    Chooser chooser(options);
    if (!chooser.run()) return false;
    for (const Move& move : chooser.chosen()) {
        Primitive made;
        made.word = Chooser::primitive_curve(options.headings, options.turning_radius, move.from, move.dx,
                                             move.dy, move.to);
        made.length = made.word.length * options.turning_radius;
        made.dx = static_cast<std::int8_t>(move.dx);
        made.dy = static_cast<std::int8_t>(move.dy);
        made.from = static_cast<std::uint8_t>(move.from);
        made.to = static_cast<std::uint8_t>(move.to);
        if (!moves.push_back(made)) return false;
    }
    return true;
}

// The same driven backward.
Primitive in_reverse(const Primitive& forward) {
    Primitive back = forward;
    back.word = drive::driven_back(forward.word);
    back.dx = static_cast<std::int8_t>(-forward.dx);
    back.dy = static_cast<std::int8_t>(-forward.dy);
    std::swap(back.from, back.to);
    back.gear = Gear::reverse;
    return back;
}

// Words by their steers: two of one set differ there if their ends and lengths are the same.
int order_of_word(const CurveWord& word) {
    int out = word.count;
    for (const CurveSegment& segment : word.used()) out = out * 8 + static_cast<int>(segment.steer) + 1;
    return out;
}

bool in_order(const Primitive& a, const Primitive& b) {
    if (a.from != b.from) return a.from < b.from;
    if (a.gear != b.gear) return a.gear < b.gear;
    if (in_order_of(a.length) != in_order_of(b.length)) return in_order_of(a.length) < in_order_of(b.length);
    if (a.to != b.to) return a.to < b.to;
    if (a.dy != b.dy) return a.dy < b.dy;
    if (a.dx != b.dx) return a.dx < b.dx;
    return order_of_word(a.word) < order_of_word(b.word);
}

Primitive turn_on_spot(const PrimitiveOptions& options, std::int32_t from, int side, Gear gear) {
    const std::int32_t count = options.headings;
    const std::int32_t to = (from + side + count) % count;
    Primitive out;
    out.word.segments[0] = {math::wrap_pi(heading_rad(count, to) - heading_rad(count, from)), Steer::spin};
    out.word.count = 1;
    out.from = static_cast<std::uint8_t>(from);
    out.to = static_cast<std::uint8_t>(to);
    out.gear = gear;
    return out;
}

// Is it a turn on the spot that a set for these options holds?
bool is_turn_of(const PrimitiveOptions& options, const Primitive& p) {
    if (!options.pivot || p.from >= options.headings) return false;
    return p == turn_on_spot(options, p.from, 1, p.gear) || p == turn_on_spot(options, p.from, -1, p.gear);
}

// Does its curve lead from one pose of the lattice to another, no farther than a set may reach, in its gear?
bool is_primitive(const PrimitiveOptions& options, const Primitive& p) {
    constexpr double kSlack = 1e-9;  // cells and radians
    if (p.from >= options.headings || p.to >= options.headings ||
        std::max(std::abs(p.dx), std::abs(p.dy)) > kReachMax)
        return false;
    if ((p.gear == Gear::reverse && !options.reverse) || p.word.count < 1 || p.word.count > 3) return false;
    if (p.is_turn()) return is_turn_of(options, p);
    double length = 0.0;
    for (const CurveSegment& segment : p.word.used()) {
        const double amount = p.gear == Gear::reverse ? -segment.amount : segment.amount;
        if (!(amount >= 0.0 && amount <= 200.0) || segment.steer == Steer::spin) return false;  // NaN too
        length += amount;
    }
    if (!(std::abs(p.word.length - length) <= kSlack && std::abs(p.word.cost - length) <= kSlack &&
          std::abs(p.length - length * options.turning_radius) <= kSlack && p.length > 0.5))
        return false;
    const Pose end =
        end_of_curve({{0.0, 0.0}, heading_rad(options.headings, p.from)}, options.turning_radius, p.word);
    return std::abs(end.position.x - p.dx) <= kSlack && std::abs(end.position.y - p.dy) <= kSlack &&
           std::abs(math::wrap_pi(end.heading_rad - heading_rad(options.headings, p.to))) <= kSlack;
}

}  // namespace

Result<PrimitiveSet> PrimitiveSet::make(const PrimitiveOptions& options) {
    if (const Result<void> good = check(options); !good) return good.error();
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    if (options.rings > 0 && options.turning_radius > kRingsRadiusMax)
        return Error{ErrorCode::out_of_range, Field::rings,
                     static_cast<std::int64_t>(options.turning_radius)};
    PrimitiveSet set;
    set.options_ = options;
    set.all_ = Array<Primitive>(options.allocator);
    const bool made =
        options.rings > 0 ? drive::append_ring_moves(options, set.all_) : append_chosen(options, set.all_);
    if (!made) return no_memory;
    const std::size_t forward = set.all_.size();
    for (std::size_t i = 0; i < forward; ++i) {
        const Primitive move = set.all_[i];
        set.reach_ = std::max({set.reach_, std::abs(int{move.dx}), std::abs(int{move.dy})});
        if (options.reverse && !set.all_.push_back(in_reverse(move))) return no_memory;
    }
    if (options.pivot && !set.add_turns()) return no_memory;
    std::sort(set.all_.begin(), set.all_.end(), in_order);  // total order
    set.group();
    return set;
}

bool PrimitiveSet::add_turns() {
    for (std::int32_t h = 0; h < options_.headings; ++h) {
        for (const int side : {-1, 1}) {
            if (!all_.push_back(turn_on_spot(options_, h, side, Gear::forward))) return false;
            if (options_.reverse && !all_.push_back(turn_on_spot(options_, h, side, Gear::reverse)))
                return false;
        }
    }
    return true;
}

void PrimitiveSet::group() {
    for (const Primitive& primitive : all_) ++first_[primitive.from + 1];
    for (std::int32_t h = 0; h < options_.headings; ++h) first_[h + 1] += first_[h];
}

// out_of_range with detail = which primitive is none, or not where it belongs.
Result<PrimitiveSet> PrimitiveSet::from_list(const PrimitiveOptions& options, Array<Primitive>&& list) {
    if (const Result<void> good = check(options); !good) return good.error();
    PrimitiveSet set;
    set.options_ = options;
    set.all_ = std::move(list);
    for (std::size_t i = 0; i < set.all_.size(); ++i) {
        const Primitive& p = set.all_[i];
        const Error bad{ErrorCode::out_of_range, -1, static_cast<std::int64_t>(i)};
        const bool in_place = i == 0 || in_order(set.all_[i - 1], p);
        if (!in_place || !is_primitive(options, p)) return bad;
        set.reach_ =
            std::max({set.reach_, std::abs(static_cast<int>(p.dx)), std::abs(static_cast<int>(p.dy))});
    }
    set.group();
    return set;
}

}  // namespace fairlead
