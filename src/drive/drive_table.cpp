#include <fairlead/drive/drive_table.h>

#include <algorithm>
#include <cmath>

#include "drive/chain.h"
#include "drive/curve_bounds.h"
#include "drive/ground_turns.h"
#include "drive/swept_cells.h"

namespace fairlead {

namespace {

constexpr double kBodyMax = 40.0;  // cells from the axle
constexpr double kMargin = 1e-6;   // cells: what is less inside counts as at the edge

BodyCore scaled(const BodyCore& body, double factor) {
    return {{body.core.low * factor, body.core.high * factor}, body.radius * factor};
}

Result<void> check(const DriveTableOptions& options) {
    const Agent& agent = options.agent;
    for (const double value :
         {agent.radius, agent.length, agent.width, agent.axle_offset, agent.turning_radius}) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, 0, 0};
    }
    if (agent.footprint != 0) return Error{ErrorCode::incompatible, 0, 0};
    if (!good_body(agent)) return Error{ErrorCode::out_of_range, 0, 0};
    if (!std::isfinite(options.cell_size)) return Error{ErrorCode::not_finite, 1, 0};
    if (options.cell_size < 1e-100 || options.cell_size > 1e100) return Error{ErrorCode::out_of_range, 1, 0};
    if (circumscribed_radius(agent) / options.cell_size >= kBodyMax) {
        return Error{ErrorCode::size_limit, 0, static_cast<std::int64_t>(kBodyMax)};
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

// Index of PrimitiveOptions to that of DriveTableOptions: turning radius, headings, rings, stretch.
constexpr std::int64_t kFieldOf[] = {0, 2, 3, 4, 4};

}  // namespace

Result<DriveTable> DriveTable::make(const DriveTableOptions& options) {
    if (const Result<void> good = check(options); !good) return good.error();
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    Result<PrimitiveSet> primitives =
        PrimitiveSet::make({.turning_radius = options.agent.turning_radius / options.cell_size,
                            .headings = options.headings,
                            .rings = options.rings,
                            .stretch = options.stretch,
                            .reverse = options.agent.can_reverse,
                            .allocator = options.allocator});
    if (!primitives) {
        Error error = primitives.error();
        if (error.index >= 0) error.index = kFieldOf[error.index];
        return error;
    }
    DriveTable table(std::move(*primitives));
    table.options_ = options;
    table.body_ = scaled(body_core(options.agent), 1.0 / options.cell_size);
    table.runs_ = Array<CellRun>(options.allocator);
    table.first_run_ = Array<std::uint32_t>(options.allocator);
    for (const Primitive& primitive : table.primitives_.all()) {
        if (!table.add_runs(primitive)) return no_memory;
    }
    for (std::int32_t h = 0; h < options.headings; ++h) {
        if (!table.add_cover(h)) return no_memory;
    }
    if (!table.first_run_.push_back(static_cast<std::uint32_t>(table.runs_.size()))) return no_memory;
    table.curve_bounds_ = Array<std::uint16_t>(options.allocator);
    if (!drive::fill_curve_bounds(options.headings, table.turning_radius(), options.agent.can_reverse,
                                  table.curve_bounds_) ||
        !table.find_ground_factor()) {
        return no_memory;
    }
    for (const CellRun& run : table.runs_) {
        const std::int32_t far =
            std::max({std::abs(run.dx), std::abs(run.dx + run.count - 1), std::abs(run.dy)});
        table.margin_ = std::max(table.margin_, far);
    }
    return table;
}

bool DriveTable::add_runs(const Primitive& primitive) {
    if (!first_run_.push_back(static_cast<std::uint32_t>(runs_.size()))) return false;
    const Pose start{{0.5, 0.5}, heading_rad(options_.headings, primitive.from)};
    return drive::append_swept_cells(body_, start, turning_radius(), primitive.word, runs_);
}

bool DriveTable::add_cover(std::int32_t heading) {
    if (!first_run_.push_back(static_cast<std::uint32_t>(runs_.size()))) return false;
    const Pose here{{0.5, 0.5}, heading_rad(options_.headings, heading)};
    return drive::append_swept_cells(body_, here, turning_radius(), CurveWord{}, runs_);
}

// The chain of cells that a primitive's axle passes, walked as the ground distance walks: diagonally wherever it can, since
// the body covers the cells beside.
bool DriveTable::find_ground_factor() {
    if (inside_margin(body_) <= 0.0) {
        const bool point = body_.core.low == body_.core.high && body_.core.low == Vec2{};
        if (!point) {
            ground_factor_ = 0.0;
            return true;
        }
    }
    Array<CellRun> runs(options_.allocator);
    for (const Primitive& primitive : primitives_.all()) {
        const Pose start{{0.5, 0.5}, heading_rad(options_.headings, primitive.from)};
        runs.clear();
        if (!drive::append_swept_cells({}, start, turning_radius(), primitive.word, runs)) return false;
        const double steps = drive::chain_length(runs.span(), primitive.dx, primitive.dy);
        ground_factor_ = std::min(ground_factor_, primitive.length / steps);
    }
    return true;
}

drive::GroundCorner DriveTable::ground_corner() const {
    return inside_margin(body_) > 0.0 ? drive::GroundCorner::closed : drive::GroundCorner::open;
}

std::size_t DriveTable::bytes() const {
    return primitives_.bytes() + runs_.bytes() + first_run_.bytes() + curve_bounds_.bytes();
}

}  // namespace fairlead
