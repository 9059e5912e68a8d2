#include <fairlead/drive/drive_table.h>

#include <algorithm>
#include <cmath>

#include "drive/body/swept_cells.h"
#include "drive/corners/chain.h"
#include "drive/cost/cells_along.h"
#include "drive/curves/free_curve.h"
#include "drive/ground/ground_turns.h"
#include "drive/lattice/curve_bounds.h"

namespace fairlead {

namespace {

constexpr double kBodyMax = 40.0;   // cells from the axle
constexpr double kThinnest = 1e-6;  // cells, of a body that is no disc
constexpr std::int32_t kMarginMax = 60;
constexpr double kMargin = 1e-6;  // cells: what is less inside counts as at the edge

double thickness(const Agent& agent) {
    const BodyCore body = body_core(agent);
    return std::min(body.core.high.x - body.core.low.x, body.core.high.y - body.core.low.y) +
           2.0 * body.radius;
}

Result<void> check(const DriveTableOptions& options) {
    const Agent& agent = options.agent;
    if (agent.footprint != 0) return Error{ErrorCode::incompatible, Field::agent_footprint};
    if (const Result<void> good = check_body(agent); !good) return good.error();
    if (agent.turning_radius == 0.0) return Error{ErrorCode::out_of_range, Field::agent_turning_radius};
    if (!std::isfinite(options.cell_size)) return Error{ErrorCode::not_finite, Field::cell_size};
    if (options.cell_size < 1e-100 || options.cell_size > 1e100)
        return Error{ErrorCode::out_of_range, Field::cell_size};
    // What is thin but long goes between two walls as a point does, and is more than one.
    if (agent.shape != BodyShape::disc && !(thickness(agent) / options.cell_size >= kThinnest))
        return Error{ErrorCode::out_of_range, Field::agent};
    if (circumscribed_radius(agent) / options.cell_size >= kBodyMax) {
        return Error{ErrorCode::size_limit, Field::agent, static_cast<std::int64_t>(kBodyMax)};
    }
    return {};
}

// How far inside the body the axle lies, cells; not more than 0: at its edge or outside.
double inside_margin(const BodyCore& body) {
    const double x = std::min(-body.core.low.x, body.core.high.x);
    const double y = std::min(-body.core.low.y, body.core.high.y);
    if (x < 0.0 || y < 0.0) {
        const double far_x = std::max(-x, 0.0);
        const double far_y = std::max(-y, 0.0);
        return body.radius - std::sqrt(far_x * far_x + far_y * far_y) - kMargin;
    }
    return body.radius + std::min(x, y) - kMargin;
}

// A point may stand in a corner of walls, where no cell is its own: it keeps to the centres.
DriveNodes choose_nodes(const DriveTableOptions& options) {
    const BodyCore body = scaled_body(body_core(options.agent), 1.0 / options.cell_size);
    if (inside_margin(body) <= 0.0) return DriveNodes::centres;
    if (options.nodes != DriveNodes::fitting) return options.nodes;
    const double width = 2.0 * (std::max(-body.core.low.y, body.core.high.y) + body.radius);
    const auto cells = static_cast<std::int64_t>(std::ceil(width - 1e-9));
    return cells % 2 == 0 ? DriveNodes::corners : DriveNodes::centres;
}

// Index of PrimitiveOptions to that of DriveTableOptions: turning radius, headings, rings, stretch, reach, reverse, pivot, every word.
constexpr std::int64_t kFieldOf[] = {0, 2, 3, 4, 4, 0, 0, 6};

}  // namespace

// What follows from the options alone.
Result<DriveTable> DriveTable::empty(const DriveTableOptions& options, PrimitiveOptions& moves) {
    if (const Result<void> good = check(options); !good) return good.error();
    const DriveNodes nodes = choose_nodes(options);
    const double size = options.cell_size / (nodes == DriveNodes::halves ? 2.0 : 1.0);
    moves = {.turning_radius = options.agent.turning_radius / size,
             .headings = options.headings,
             .rings = options.rings,
             .stretch = options.stretch,
             .reverse = options.agent.can_reverse,
             .pivot = options.agent.can_pivot,
             .every_word = options.every_word,
             .allocator = options.allocator};
    DriveTable table;
    table.options_ = options;
    table.nodes_ = nodes;
    table.body_ = scaled_body(body_core(options.agent), 1.0 / size);
    table.runs_ = Array<CellRun>(options.allocator);
    table.first_run_ = Array<std::uint32_t>(options.allocator);
    table.visits_ = Array<TerrainVisit>(options.allocator);
    table.first_visit_ = Array<std::uint32_t>(options.allocator);
    table.curve_bounds_ = Array<std::uint16_t>(options.allocator);
    return table;
}

Result<DriveTable> DriveTable::make(const DriveTableOptions& options) {
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    PrimitiveOptions moves;
    Result<DriveTable> begun = empty(options, moves);
    if (!begun) return begun;
    Result<PrimitiveSet> primitives = PrimitiveSet::make(moves);
    if (!primitives) {
        Error error = primitives.error();
        if (error.index >= 0) error.index = kFieldOf[error.index];
        return error;
    }
    DriveTable table = std::move(*begun);
    table.primitives_ = std::move(*primitives);
    for (std::size_t i = 0; i < table.primitives_.all().size(); ++i) {
        if (!table.add_runs(i)) return no_memory;
    }
    for (std::int32_t h = 0; h < options.headings; ++h) {
        if (!table.add_cover(h)) return no_memory;
    }
    if (!table.first_run_.push_back(static_cast<std::uint32_t>(table.runs_.size()))) return no_memory;
    for (const Primitive& primitive : table.primitives_.all()) {
        if (!table.add_visits(primitive)) return no_memory;
    }
    if (!table.first_visit_.push_back(static_cast<std::uint32_t>(table.visits_.size()))) return no_memory;
    if (!drive::fill_curve_bounds(options.headings, table.turning_radius(), drive::ways_of(options.agent),
                                  table.curve_bounds_) ||
        !table.find_ground_factor()) {
        return no_memory;
    }
    table.find_margin();
    if (table.margin_ > kMarginMax) return Error{ErrorCode::size_limit, Field::rings, kMarginMax};
    table.find_two_way();
    return table;
}

void DriveTable::find_margin() {
    margin_ = 0;
    for (const CellRun& run : runs_) {
        const std::int32_t far =
            std::max({std::abs(run.dx), std::abs(run.dx + run.count - 1), std::abs(run.dy)});
        margin_ = std::max(margin_, far);
    }
}

void DriveTable::find_two_way() {
    two_way_ = true;
    for (std::size_t i = 0; i < primitives_.all().size() && two_way_; ++i) two_way_ = has_way_back(i);
}

bool DriveTable::has_way_back(std::size_t i) const {
    const Primitive& there = primitives_.all()[i];
    const std::int32_t half = headings() / 2;
    const auto turned = [&](std::int32_t heading) { return (heading + half) % (2 * half); };
    for (std::size_t k = primitives_.first(turned(there.to)); k < primitives_.first(turned(there.to) + 1);
         ++k) {
        const Primitive& back = primitives_.all()[k];
        if (back.gear != there.gear || back.to != turned(there.from)) continue;
        if (back.dx != -there.dx || back.dy != -there.dy) continue;
        if (std::equal(swept(i).begin(), swept(i).end(), swept(k).begin(), swept(k).end(),
                       [&](const CellRun& a, const CellRun& b) {
                           return a.dx == b.dx + there.dx && a.dy == b.dy + there.dy && a.count == b.count;
                       })) {
            return true;
        }
    }
    return false;
}

// A move in reverse sweeps what the same move forward sweeps: to the last cell, so that poses joined by the one are joined
// by the other. So does a turn to the right what the turn back to the left sweeps.
bool DriveTable::add_runs(std::size_t i) {
    const Primitive& primitive = primitives_.all()[i];
    if (!first_run_.push_back(static_cast<std::uint32_t>(runs_.size()))) return false;
    const Pose start = node(0, 0, primitive.from);
    if (primitive.is_turn()) {
        CurveWord left = primitive.word;
        const bool right = left.segments[0].amount < 0.0;
        left.segments[0].amount = std::abs(left.segments[0].amount);
        const Pose first = right ? node(0, 0, primitive.to) : start;
        return drive::append_swept_cells(body_, first, turning_radius(), left, runs_);
    }
    if (primitive.gear == Gear::forward) {
        return drive::append_swept_cells(body_, start, turning_radius(), primitive.word, runs_);
    }
    const std::size_t first = runs_.size();
    const Pose there = node(0, 0, primitive.to);
    if (!drive::append_swept_cells(body_, there, turning_radius(), drive::driven_back(primitive.word), runs_))
        return false;
    for (CellRun& run : runs_.span().subspan(first)) {
        run.dx = static_cast<std::int16_t>(run.dx + primitive.dx);
        run.dy = static_cast<std::int16_t>(run.dy + primitive.dy);
    }
    return true;
}

bool DriveTable::add_visits(const Primitive& primitive) {
    if (!first_visit_.push_back(static_cast<std::uint32_t>(visits_.size()))) return false;
    if (primitive.is_turn()) return true;
    const Pose start = node(0, 0, primitive.from);
    const drive::SweptPieces pieces = drive::place_pieces(start, turning_radius(), primitive.word);
    bool good = true;
    for (int i = 0; i < pieces.count; ++i) {
        drive::for_cells_along(pieces.piece[i], [&](std::int32_t x, std::int32_t y, double length) {
            good = good &&
                   visits_.push_back({length, static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)});
        });
    }
    return good;
}

bool DriveTable::add_cover(std::int32_t heading) {
    if (!first_run_.push_back(static_cast<std::uint32_t>(runs_.size()))) return false;
    const Pose here = node(0, 0, heading);
    return drive::append_swept_cells(body_, here, turning_radius(), CurveWord{}, runs_);
}

// The chain of cells that the innermost part of the body passes, walked as the ground distance walks: diagonally wherever it
// can, since the body covers the cells beside.
bool DriveTable::find_ground_factor() {
    if (inside_margin(body_) <= 0.0) {
        const bool point = body_.core.low == body_.core.high && body_.core.low == Vec2{};
        if (!point) {
            ground_factor_ = 0.0;
            return true;
        }
    }
    const double margin = std::max(inside_margin(body_), 0.0);
    const BodyCore core{{}, std::min(margin, 0.25)};
    Array<CellRun> runs(options_.allocator);
    for (const Primitive& primitive : primitives_.all()) {
        if (primitive.is_turn()) continue;
        const Pose start = node(0, 0, primitive.from);
        runs.clear();
        if (!drive::append_swept_cells(core, start, turning_radius(), primitive.word, runs)) return false;
        const double steps = drive::chain_length(runs.span(), primitive.dx, primitive.dy);
        ground_factor_ = std::min(ground_factor_, primitive.length / steps);
    }
    return true;
}

drive::GroundCorner DriveTable::ground_corner() const {
    return inside_margin(body_) > 0.0 ? drive::GroundCorner::closed : drive::GroundCorner::open;
}

std::size_t DriveTable::bytes() const {
    return primitives_.bytes() + runs_.bytes() + first_run_.bytes() + visits_.bytes() + first_visit_.bytes() +
           curve_bounds_.bytes();
}

}  // namespace fairlead
