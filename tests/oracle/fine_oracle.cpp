#include "oracle/fine_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/verify/verify.h>

#include "oracle/fine_ground.h"

namespace fairlead::oracle {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::int32_t kPlaces = 4;  // bins a cell
constexpr std::int32_t kTurns = 64;
constexpr std::uint32_t kNone = UINT32_MAX;

struct Node {
    Pose pose{};
    double cost = 0.0;
    double total = 0.0;
    std::uint32_t parent = kNone;
    std::uint32_t bin = 0;
    FineMove move{};
    Gear gear = Gear::forward;
    bool opened = false;
};

double price(const FineQuery& query, double amount, Gear& gear) {
    if (amount == 0.0) return 0.0;
    const Gear now = amount < 0.0 ? Gear::reverse : Gear::forward;
    const double cusp = now != gear ? query.cusp_penalty : 0.0;
    gear = now;
    return cusp + std::fabs(amount) * (now == Gear::reverse ? query.reverse_penalty : 1.0);
}

// All words between two poses.
struct Words {
    CurveWord list[kReedsSheppWords];
    int count = 0;

    Words(const Agent& agent, const FineQuery& query, const Pose& from, const Pose& to) {
        const double r = agent.turning_radius;
        if (agent.can_reverse) {
            count = reeds_shepp_words(from, to, r, {query.reverse_penalty, query.cusp_penalty / r}, list);
        } else {
            count = dubins_words(from, to, r, std::span<CurveWord, kDubinsWords>(list, kDubinsWords));
        }
    }
};

double word_price(const FineQuery& query, const CurveWord& word, double radius, Gear& gear) {
    double cost = 0.0;
    for (const CurveSegment& segment : word.used()) cost += price(query, segment.amount * radius, gear);
    return cost;
}

class Search {
  public:
    Search(const FineGround& ground, const PoseMap& map, const Agent& agent, const FineQuery& query)
        : ground_(ground), map_(map), agent_(agent), query_(query) {
        const double r = agent.turning_radius;
        const double arc = std::clamp(r * 0.2, 0.25, 0.6);
        const FineMove moves[] = {{0.4, 0.0}, {arc, 1 / r}, {arc, -1 / r}, {arc, 0.5 / r}, {arc, -0.5 / r}};
        for (const FineMove& move : moves) {
            moves_.push_back(move);
            if (agent.can_reverse) moves_.push_back({-move.amount, move.curvature});
        }
        bins_.assign(static_cast<std::size_t>(map.width * kPlaces + 1) *
                         static_cast<std::size_t>(map.height * kPlaces + 1) * kTurns * 2,
                     kNone);
    }

    /// The moves from start to goal; empty: none found. `cost` infinite then.
    [[nodiscard]] std::vector<FineMove> run(double& cost, std::uint64_t& opened) {
        // The gear that it starts in is free.
        add({.pose = query_.start});
        if (agent_.can_reverse) add({.pose = query_.start, .gear = Gear::reverse});
        while (!open_.empty() && open_.top().first < best_ - 1e-9) {
            const std::uint32_t at = open_.top().second;
            open_.pop();
            if (bins_[nodes_[at].bin] != at) continue;  // another has taken its bin
            ++opened;
            nodes_[at].opened = true;
            try_goal(at);
            for (const FineMove& move : moves_) step(at, move);
        }
        cost = best_;
        return path();
    }

  private:
    [[nodiscard]] double bound(const Pose& pose) const {
        const double r = agent_.turning_radius;
        const double curve = agent_.can_reverse ? reeds_shepp_distance(pose, query_.goal, r)
                                                : dubins_distance(pose, query_.goal, r);
        return std::max(curve, ground_.at_least(pose.position));
    }

    [[nodiscard]] std::uint32_t bin_of(const Pose& pose, Gear gear) const {
        const double turns = pose.heading_rad / kTwoPi;
        const auto turn = static_cast<std::int32_t>((turns - std::floor(turns)) * kTurns) % kTurns;
        const auto x = static_cast<std::int32_t>(pose.position.x * kPlaces);
        const auto y = static_cast<std::int32_t>(pose.position.y * kPlaces);
        const std::int32_t place = y * (map_.width * kPlaces + 1) + x;
        return static_cast<std::uint32_t>((place * kTurns + turn) * 2 + (gear == Gear::reverse ? 1 : 0));
    }

    void add(Node node) {
        node.bin = bin_of(node.pose, node.gear);
        const std::uint32_t there = bins_[node.bin];
        // By the cost alone first: the bound takes longer. A bin is opened once: a little shorter is no gain.
        if (there != kNone && (nodes_[there].opened || node.cost >= nodes_[there].cost + 0.1)) return;
        node.total = node.cost + bound(node.pose);
        if (!(node.total < best_) || (there != kNone && node.total >= nodes_[there].total - 1e-6)) return;
        if (node.parent != kNone && !ground_.free(nodes_[node.parent].pose, node.move)) return;
        const auto id = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(node);
        bins_[node.bin] = id;
        open_.push({node.total, id});
    }

    void step(std::uint32_t at, const FineMove& move) {
        const Node& from = nodes_[at];
        Node to{
            .pose = after(from.pose, move), .cost = from.cost, .parent = at, .move = move, .gear = from.gear};
        to.cost += price(query_, move.amount, to.gear);
        const Vec2 p = to.pose.position;
        if (p.x < 0.0 || p.y < 0.0 || p.x > map_.width || p.y > map_.height) return;
        add(to);
    }

    void try_goal(std::uint32_t at) {
        const Node& from = nodes_[at];
        // All words near the goal, and now and then elsewhere.
        const double far = distance(from.pose.position, query_.goal.position);
        if (far > 2.0 + 3.0 * agent_.turning_radius && at % 8 != 0) return;
        const Words words(agent_, query_, from.pose, query_.goal);
        for (int i = 0; i < words.count; ++i) {
            if (from.cost + words.list[i].cost * agent_.turning_radius >= best_) break;
            Gear gear = from.gear;
            const double cost = from.cost + word_price(query_, words.list[i], agent_.turning_radius, gear);
            if (cost >= best_ || !ground_.free(from.pose, words.list[i], agent_.turning_radius)) continue;
            best_ = cost;
            last_ = at;
            last_word_ = words.list[i];
        }
    }

    [[nodiscard]] std::vector<FineMove> path() const {
        std::vector<FineMove> out;
        for (std::uint32_t at = last_; at != kNone; at = nodes_[at].parent) {
            if (nodes_[at].parent != kNone) out.push_back(nodes_[at].move);
        }
        std::reverse(out.begin(), out.end());
        const double r = agent_.turning_radius;
        for (const CurveSegment& s : last_word_.used())
            out.push_back({s.amount * r, static_cast<double>(s.steer) / r});
        return out;
    }

    const FineGround& ground_;
    const PoseMap& map_;
    const Agent& agent_;
    const FineQuery& query_;
    std::vector<FineMove> moves_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> bins_;  // the node that holds it
    std::priority_queue<std::pair<double, std::uint32_t>, std::vector<std::pair<double, std::uint32_t>>,
                        std::greater<>>
        open_;
    double best_ = kInfinite;
    std::uint32_t last_ = kNone;
    CurveWord last_word_{};
};

Gear first_gear(const std::vector<FineMove>& moves) {
    for (const FineMove& move : moves) {
        if (move.amount != 0.0) return move.amount < 0.0 ? Gear::reverse : Gear::forward;
    }
    return Gear::forward;
}

double moves_price(const FineQuery& query, const std::vector<FineMove>& moves) {
    Gear gear = first_gear(moves);
    double cost = 0.0;
    for (const FineMove& move : moves) cost += price(query, move.amount, gear);
    return cost;
}

// Joins the poses of a way with each other and takes the cheapest chain.
class Tighten {
  public:
    Tighten(const FineGround& ground, const Agent& agent, const FineQuery& query)
        : ground_(ground), agent_(agent), query_(query) {}

    [[nodiscard]] std::vector<FineMove> pull(const std::vector<FineMove>& moves, double piece) {
        cut(moves, piece);
        reset();
        for (std::size_t to = 1; to < poses_.size(); ++to) {
            for (std::size_t from = 0; from < to; ++from) join(from, to);
        }
        return chain();
    }

  private:
    struct Best {
        double cost = kInfinite;
        std::size_t from = 0;
        Gear from_gear = Gear::forward;
        std::vector<FineMove> moves;
    };

    void cut(const std::vector<FineMove>& moves, double piece) {
        poses_ = {query_.start};
        pieces_ = {{}};
        for (const FineMove& move : moves) {
            if (move.amount == 0.0) continue;
            const double parts = std::ceil(std::fabs(move.amount) / piece);
            for (double i = 0; i < parts; ++i) {
                pieces_.push_back({move.amount / parts, move.curvature});
                poses_.push_back(after(poses_.back(), pieces_.back()));
            }
        }
        // The last pose is the goal itself, not what rounding has made of it.
        poses_.back() = query_.goal;
    }

    void reset() {
        best_.assign(poses_.size() * 2, {});
        best_[0].cost = 0.0;
        if (agent_.can_reverse) best_[1].cost = 0.0;
    }

    void offer(std::size_t from, Gear from_gear, std::size_t to, Gear gear, double cost,
               std::vector<FineMove> moves) {
        Best& there = best_[to * 2 + (gear == Gear::reverse ? 1 : 0)];
        if (cost < there.cost - 1e-12) there = {cost, from, from_gear, std::move(moves)};
    }

    void join(std::size_t from, std::size_t to) {
        for (const Gear first : {Gear::forward, Gear::reverse}) {
            const double so_far = best_[from * 2 + (first == Gear::reverse ? 1 : 0)].cost;
            if (so_far == kInfinite) continue;
            if (to == from + 1) {
                Gear gear = first;
                const double more = price(query_, pieces_[to].amount, gear);
                offer(from, first, to, gear, so_far + more, {pieces_[to]});
                continue;
            }
            try_words(from, first, so_far, to);
        }
    }

    void try_words(std::size_t from, Gear first, double so_far, std::size_t to) {
        const double r = agent_.turning_radius;
        const Words words(agent_, query_, poses_[from], poses_[to]);
        for (int i = 0; i < words.count; ++i) {
            const CurveWord& word = words.list[i];
            Gear gear = first;
            const double cost = so_far + word_price(query_, word, r, gear);
            if (so_far + word.cost * r >= std::max(best_[to * 2].cost, best_[to * 2 + 1].cost)) break;
            if (cost >= best_[to * 2 + (gear == Gear::reverse ? 1 : 0)].cost - 1e-9) continue;
            if (!ground_.free(poses_[from], word, r)) continue;
            std::vector<FineMove> moves;
            for (const CurveSegment& s : word.used())
                moves.push_back({s.amount * r, static_cast<double>(s.steer) / r});
            offer(from, first, to, gear, cost, std::move(moves));
        }
    }

    [[nodiscard]] std::vector<FineMove> chain() const {
        std::size_t at = (poses_.size() - 1) * 2;
        if (best_[at + 1].cost < best_[at].cost) ++at;
        std::vector<FineMove> out;
        while (at >= 2) {
            const std::vector<FineMove>& moves = best_[at].moves;
            out.insert(out.begin(), moves.begin(), moves.end());
            at = best_[at].from * 2 + (best_[at].from_gear == Gear::reverse ? 1 : 0);
        }
        return out;
    }

    const FineGround& ground_;
    const Agent& agent_;
    const FineQuery& query_;
    std::vector<Pose> poses_;
    std::vector<FineMove> pieces_;  // from the pose before
    std::vector<Best> best_;        // by pose and gear
};

Route as_route(const FineQuery& query, const std::vector<FineMove>& moves) {
    Route route;
    route.status = PathStatus::complete;
    Place at{{query.start.position.x, query.start.position.y, 0.0}, query.start.heading_rad, 0};
    for (const FineMove& move : moves) {
        if (move.amount == 0.0) continue;
        Leg leg;
        leg.start = at;
        leg.length = std::fabs(move.amount);
        leg.gear = move.amount < 0.0 ? Gear::reverse : Gear::forward;
        leg.curvature = move.amount < 0.0 ? -move.curvature : move.curvature;
        route.length += leg.length;
        if (!route.legs.push_back(leg)) break;
        at = place_on_leg(leg, leg.length);
    }
    route.end = at;
    return route;
}

}  // namespace

double drive_cost(const Route& route, double reverse_penalty, double cusp_penalty) {
    Gear gear = route.legs.empty() ? Gear::forward : route.legs[0].gear;
    double cost = 0.0;
    const FineQuery query{.reverse_penalty = reverse_penalty, .cusp_penalty = cusp_penalty};
    for (const Leg& leg : route.legs)
        cost += price(query, leg.gear == Gear::reverse ? -leg.length : leg.length, gear);
    return cost;
}

namespace {

void tighten(const FineGround& ground, const Agent& agent, const FineQuery& query,
             std::vector<FineMove>& moves, double& cost) {
    for (const double piece : {0.5, 0.35, 0.45, 0.3}) {
        std::vector<FineMove> tighter = Tighten(ground, agent, query).pull(moves, piece);
        const double now = moves_price(query, tighter);
        if (now >= cost) continue;
        moves = std::move(tighter);
        cost = now;
    }
}

bool is_legal(const PoseMap& map, const Agent& agent, const FineQuery& query, const Route& route) {
    const Grid grid = *Grid::make({.width = map.width, .height = map.height}, map.tile);
    const Vec2 end{route.end.position.x, route.end.position.y};
    return !verify(route, grid, agent, {.check_revision = false}) &&
           distance(end, query.goal.position) <= 1e-6;
}

}  // namespace

FineAnswer find_fine(const PoseMap& map, const Agent& agent, const FineQuery& query) {
    FineAnswer answer;
    // Where a corner slips through between two looks, again with closer ones.
    for (const double step : {0.03, 0.006, 0.0015}) {
        answer = {};
        FineGround ground(map, pose_body(agent), step);
        ground.flood(query.goal.position);
        if (!ground.stands(query.start) || !ground.stands(query.goal)) return answer;
        if (ground.at_least(query.start.position) == kInfinite) return answer;
        Search search(ground, map, agent, query);
        std::vector<FineMove> moves = search.run(answer.cost_found, answer.opened);
        if (answer.cost_found == kInfinite) return answer;
        answer.cost = answer.cost_found;
        tighten(ground, agent, query, moves, answer.cost);
        answer.reachable = true;
        answer.route = as_route(query, moves);
        answer.length = answer.route.length;
        answer.doubtful = !is_legal(map, agent, query, answer.route);
        if (!answer.doubtful) break;
    }
    return answer;
}

}  // namespace fairlead::oracle
