#include "oracle/line_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace fairlead::oracle {

namespace {

constexpr double kSurely = 1e-11;   // nearer than this to a border is on it
constexpr double kPossibly = 1e-8;  // farther than this is not
constexpr double kWall = std::numeric_limits<double>::infinity();

class Walker {
  public:
    Walker(const World& world, const GridQuery& query) : world_(world), query_(query) {}

    void walk(Vec2 a, Vec2 b, std::int32_t layer) {
        const double length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
        std::vector<double> parts{0.0, 1.0};
        add_crossings(a.x, b.x, parts);
        add_crossings(a.y, b.y, parts);
        std::sort(parts.begin(), parts.end());
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            const double size = (parts[i + 1] - parts[i]) * length;
            if (!(size > 0.0)) continue;
            const auto at = [&](double t) { return Vec2{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; };
            add_piece(at(parts[i]), at(0.5 * (parts[i] + parts[i + 1])), at(parts[i + 1]), layer, size);
        }
    }
    void pay(double price) {
        sum_.low += price;
        sum_.high += price;
    }
    [[nodiscard]] WalkedCost sum() const { return sum_; }

  private:
    static void add_crossings(double from, double to, std::vector<double>& parts) {
        const double low = std::min(from, to);
        const double high = std::max(from, to);
        for (double k = std::ceil(low); k <= high; k += 1.0) {
            if (from != to) parts.push_back(std::clamp((k - from) / (to - from), 0.0, 1.0));
        }
    }

    // How far a piece stays from the border nearest to its middle, and which border that is.
    static double off_border(double a, double middle, double b, double& border) {
        border = std::floor(middle + 0.5);
        return std::max(std::abs(a - border), std::abs(b - border));
    }

    void add_piece(Vec2 a, Vec2 middle, Vec2 b, std::int32_t layer, double size) {
        const auto x = static_cast<std::int32_t>(std::floor(middle.x));
        const auto y = static_cast<std::int32_t>(std::floor(middle.y));
        double border_x = 0.0;
        double border_y = 0.0;
        const double off_x = off_border(a.x, middle.x, b.x, border_x);
        const double off_y = off_border(a.y, middle.y, b.y, border_y);
        double low = cost_of(x, y, layer);
        double high = low;
        bool surely = false;
        if (off_x <= kPossibly || off_y <= kPossibly) {
            const bool vertical = off_x <= off_y;
            const auto k = static_cast<std::int32_t>(vertical ? border_x : border_y);
            const double one = vertical ? cost_of(k - 1, y, layer) : cost_of(x, k - 1, layer);
            const double other = vertical ? cost_of(k, y, layer) : cost_of(x, k, layer);
            low = std::min(one, other);
            high = std::max(one, other);
            surely = std::min(off_x, off_y) <= kSurely && size > kPossibly;
        }
        if (low == kWall) low = 1.0;  // a crack between walls
        if (high == kWall || surely) high = low;
        sum_.low += size * low;
        sum_.high += size * high;
    }

    [[nodiscard]] double cost_of(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        Cell cell{x, y, layer};
        if (!world_.wrap(cell)) return kWall;
        const auto i = static_cast<std::size_t>(world_.index(cell));
        const std::uint8_t tile = world_.tiles[i];
        if (tile == 0) return kWall;
        double cost = world_.cost_for(query_, tile);
        if (cost == 0.0) return kWall;
        if (!query_.influence.cells.empty())
            cost += static_cast<double>(query_.influence.cells[i]) * query_.influence.weight;
        return cost;
    }

    const World& world_;
    const GridQuery& query_;
    WalkedCost sum_;
};

}  // namespace

WalkedCost walk_legs(const World& world, const GridQuery& query, const Route& route, std::size_t first,
                     std::size_t last) {
    Walker walker(world, query);
    const auto in_cells = [&](Vec3 p) {
        return Vec2{(p.x - world.origin.x) / world.cell_size, (p.y - world.origin.y) / world.cell_size};
    };
    for (std::size_t i = first; i < last; ++i) {
        const Leg& leg = route.legs[i];
        const Place& end = leg_end(route, i);
        if (leg.kind == LegKind::link) {
            walker.pay(world.portals[leg.link_id].cost);
        } else {
            walker.walk(in_cells(leg.start.position), in_cells(end.position), leg.start.layer);
        }
    }
    return {walker.sum().low * world.cell_size, walker.sum().high * world.cell_size};
}

double walk_slack(double cost, const World& world) {
    const double far = std::max(std::abs(world.origin.x), std::abs(world.origin.y)) / world.cell_size;
    return 1e-9 * (cost + world.cell_size) + 1e-12 * far * world.cell_size * 1023.0;
}

std::string line_cost_problem(const World& world, const GridQuery& query, const Route& route) {
    const WalkedCost walked = walk_legs(world, query, route, 0, route.legs.size());
    const double slack = walk_slack(walked.high, world);
    if (route.line_cost >= walked.low - slack && route.line_cost <= walked.high + slack) return "";
    return "line_cost " + std::to_string(route.line_cost) + ", walked " + std::to_string(walked.low) +
           " to " + std::to_string(walked.high);
}

}  // namespace fairlead::oracle
