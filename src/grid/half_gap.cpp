#include "grid/half_gap.h"

#include <bit>

namespace fairlead::grid {

namespace {

// A limit of the gap: the tile that sets it, by the side that faces the door (in cells from the door's own) and its distance
// from the door's line in half cells.
struct Limit {
    bool set = false;
    double reach = 0.0;  // where it ends, in cells from the door's cell
    std::int64_t side = 0;
    std::int64_t line = 0;
};

class GapFinder {
  public:
    GapFinder(const HalfWalls& walls, const HalfDisc& disc, const HalfDoor& door)
        : walls_(walls),
          disc_(disc),
          upright_(door.upright),
          along_(door.upright ? door.from.j : door.from.i),
          across_(door.upright ? door.from.i : door.from.j),
          cell_(along_ >> 1) {}

    [[nodiscard]] HalfGap find() {
        const std::int64_t reach = static_cast<std::int64_t>(disc_.radius) + 2;
        const auto first = static_cast<std::int32_t>((across_ >> 1) - reach);
        const auto last = static_cast<std::int32_t>((across_ >> 1) + reach);
        for (std::int32_t line = first; line <= last; ++line) {
            if (!look(line)) return {};
        }
        if (!low_.set || !high_.set || empty()) return {};
        const double base = static_cast<double>(cell_);
        return {true, base + low_.reach, base + high_.reach};
    }

  private:
    [[nodiscard]] std::uint64_t blocked(std::int32_t at, std::int32_t line) const {
        return upright_ ? walls_.along_column(line, at) : walls_.along_row(at, line);
    }

    // Notes what the tiles of a line forbid. False: all of the door.
    [[nodiscard]] bool look(std::int32_t line) {
        const std::int64_t above = 2 * std::int64_t{line} - across_;
        const std::int64_t below = across_ - 2 * std::int64_t{line} - 2;
        const std::int64_t k = above > 0 ? above : (below > 0 ? below : 0);
        const double left = disc_.square - static_cast<double>(k * k);
        if (!(left > 0.0)) return true;
        if ((blocked(cell_, line) & 1U) != 0) return false;
        const double half = 0.5 * std::sqrt(left);
        const auto far = static_cast<std::int32_t>(half) + 2;
        return look_below(line, k, left, half, far) && look_above(line, k, left, half, far);
    }

    // The nearest tile before the door's cell.
    [[nodiscard]] bool look_below(std::int32_t line, std::int64_t k, double left, double half,
                                  std::int32_t far) {
        for (std::int32_t at = cell_ - 64; at > cell_ - 64 - far; at -= 64) {
            const std::uint64_t bits = blocked(at, line);
            if (bits == 0) continue;
            const std::int32_t c = at + 63 - std::countl_zero(bits);
            const auto gap = static_cast<double>(along_ - 2 * c - 2);  // from the door's first end
            if (!(gap * gap < left)) return true;
            if ((gap + 1) * (gap + 1) < left) return false;
            const std::int64_t side = c + 1 - cell_;
            const double reach = static_cast<double>(side) + half;
            if (!low_.set || reach > low_.reach) low_ = {true, reach, side, k};
            return true;
        }
        return true;
    }

    // The nearest tile after it.
    [[nodiscard]] bool look_above(std::int32_t line, std::int64_t k, double left, double half,
                                  std::int32_t far) {
        for (std::int32_t at = cell_ + 1; at < cell_ + 1 + far; at += 64) {
            const std::uint64_t bits = blocked(at, line);
            if (bits == 0) continue;
            const std::int32_t c = at + std::countr_zero(bits);
            const auto gap = static_cast<double>(2 * c - along_ - 1);  // from its second end
            if (!(gap * gap < left)) return true;
            if ((gap + 1) * (gap + 1) < left) return false;
            const std::int64_t side = c - cell_;
            const double reach = static_cast<double>(side) - half;
            if (!high_.set || reach < high_.reach) high_ = {true, reach, side, k};
            return true;
        }
        return true;
    }

    // Is the place equally far from the two corners that set the limits nearer than the radius?
    [[nodiscard]] bool empty() const {
        const std::int64_t d = high_.side - low_.side;
        const std::int64_t k = low_.line;
        const std::int64_t l = high_.line;
        const std::int64_t sum = 4 * d * d + l * l - k * k;
        return static_cast<double>(16 * d * d) * disc_.square >
               static_cast<double>(sum) * static_cast<double>(sum) + static_cast<double>(16 * d * d * k * k);
    }

    const HalfWalls& walls_;
    const HalfDisc& disc_;
    bool upright_;
    std::int32_t along_;
    std::int32_t across_;
    std::int32_t cell_;
    Limit low_{};
    Limit high_{};
};

}  // namespace

HalfGap find_gap(const HalfWalls& walls, const HalfDisc& disc, const HalfDoor& door) {
    return GapFinder(walls, disc, door).find();
}

bool has_fitting_corner(HalfPlanes& planes, HalfRoom room) {
    for (std::int32_t c = 0; c < 4; ++c) {
        if (planes.fits(corner_of(room, c))) return true;
    }
    return false;
}

bool HalfFlood::visit(HalfPlanes& planes, std::uint32_t from, HalfRoom room, Vec2 gate) {
    for (const Visited& seen : rooms_) {
        if (seen.room == room) return true;
    }
    return rooms_.push_back({room, from, gate, has_fitting_corner(planes, room)});
}

bool HalfFlood::begin(HalfPlanes& planes, HalfRoom room, bool through) {
    rooms_.clear();
    next_ = 0;
    side_ = 0;
    through_ = through;
    return visit(planes, 0, room, {});
}

bool HalfFlood::step(HalfPlanes& planes) {
    const Visited here = rooms_[next_];
    if (here.ends && !(next_ == 0 && through_)) {
        ++next_;
        return true;
    }
    const std::uint32_t n = next_;
    const std::int32_t side = side_;
    side_ = (side_ + 1) & 3;
    next_ += side_ == 0 ? 1 : 0;
    const HalfDoor door = door_of(here.room, side);
    const HalfPoint end{door.from.i + (door.upright ? 0 : 1), door.from.j + (door.upright ? 1 : 0)};
    if (planes.fits(door.from) || planes.fits(end)) return !planes.out_of_memory();
    const HalfGap gap = find_gap(planes.walls(), planes.disc(), door);
    if (!gap.open) return !planes.out_of_memory();
    const Vec2 corner = position_of(door.from);
    const Vec2 gate = door.upright ? Vec2{corner.x, gap.middle()} : Vec2{gap.middle(), corner.y};
    return visit(planes, n, room_behind(here.room, side), gate) && !planes.out_of_memory();
}

bool HalfFlood::run(HalfPlanes& planes, HalfRoom room, bool through) {
    bool good = begin(planes, room, through);
    while (good && running()) good = step(planes);
    return good;
}

}  // namespace fairlead::grid
