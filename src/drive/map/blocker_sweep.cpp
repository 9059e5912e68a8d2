// The blockers of a query, in cells and in buckets; each one near is compared with what is swept as a wall would be.
#include "drive/map/blocker_sweep.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/contact.h>
#include <fairlead/math/trig.h>

#include "drive/body/leg_clearance.h"
#include "drive/body/pieces.h"
#include "drive/body/swept_cells.h"
#include "drive/map/map_data.h"
#include "drive/map/map_frame.h"
#include "route/check_blocker.h"

namespace fairlead::drive {

namespace {

constexpr double kLookWider = 1e-6;  // cells: what is looked at is compared exactly

// What a disc is a rounded form of: its middle.
Aabb core_of(const Blocker& blocker) {
    return blocker.box.empty() ? Aabb{blocker.centre, blocker.centre} : blocker.box;
}

double radius_of(const Blocker& blocker) { return blocker.box.empty() ? blocker.radius : 0.0; }

// A box may be as large as numbers are; of what lies so far beyond the map nothing is met.
Vec2 cut(Vec2 corner) {
    constexpr double kFar = 1e5;
    return {std::clamp(corner.x, -kFar, kFar), std::clamp(corner.y, -kFar, kFar)};
}

Vec2 end_of(const SweptSegment& piece) {
    const double turn = piece.curvature * piece.amount;
    if (turn == 0.0) return piece.start + piece.ahead * piece.amount;
    const Vec2 half = math::direction(0.5 * turn);
    const Vec2 along{piece.ahead.x * half.x - piece.ahead.y * half.y,
                     piece.ahead.y * half.x + piece.ahead.x * half.y};
    return piece.start + along * (2.0 * half.y / piece.curvature);
}

// Of an arc that turns by half a circle at most: how far it is from its chord.
double bulge_of(const SweptSegment& piece) {
    return std::abs(piece.curvature) * piece.amount * piece.amount * 0.125;
}

// Around the axle's places, and a little more. An arc never leads farther from its start than it is long, nor than it is wide.
Aabb box_around(const SweptSegment& piece, double reach) {
    if (std::abs(piece.curvature * piece.amount) > kPi) {
        const double far =
            std::min(std::abs(piece.amount), 2.0 / std::abs(piece.curvature)) + reach + kLookWider;
        return {piece.start - Vec2{far, far}, piece.start + Vec2{far, far}};
    }
    const double margin = reach + bulge_of(piece) + kLookWider;
    const Vec2 end = end_of(piece);
    return {{std::min(piece.start.x, end.x) - margin, std::min(piece.start.y, end.y) - margin},
            {std::max(piece.start.x, end.x) + margin, std::max(piece.start.y, end.y) + margin}};
}

}  // namespace

Result<void> check_blockers(const MapData& map, std::span<const Blocker> blockers) {
    if (blockers.size() > kBlockersMax)
        return Error{ErrorCode::size_limit, Field::blockers, static_cast<std::int64_t>(kBlockersMax)};
    const double cell = map.table().options().cell_size;
    const std::int32_t rows = (map.height() + 1) / map.floors() - 1;  // of a floor
    const double slack = tile_contact_slack(map.options().origin, cell, map.width(), rows);
    for (std::size_t i = 0; i < blockers.size(); ++i) {
        const Result<void> good = check_blocker(blockers[i], contact_reach(slack) * cell,
                                                static_cast<std::int64_t>(i), Field::blockers);
        if (!good) return good;
    }
    return {};
}

bool BlockerSweep::begin(const MapData& map, std::span<const Blocker> blockers) {
    map_ = &map;
    next_ = 0;
    row_ = INT32_MIN;
    failed_ = false;
    list_.clear();
    touched_.begin(map.edges().width(), map.edges().height());
    if (blockers.empty()) return true;
    const MapFrame frame(map);
    if (!list_.reserve(blockers.size())) return false;
    for (const Blocker& blocker : blockers) {
        if (!frame.has_layer(blocker.layer)) continue;  // of a floor that is not the map's
        Blocker out = blocker;
        out.layer = frame.floor_of(blocker.layer);
        out.radius = blocker.radius / frame.size;
        out.centre = frame.in_cells({blocker.centre, 0.0}, blocker.layer).position;
        if (!blocker.box.empty())
            out.box = {cut(frame.in_cells({blocker.box.low, 0.0}, blocker.layer).position),
                       cut(frame.in_cells({blocker.box.high, 0.0}, blocker.layer).position)};
        if (!list_.push_back(out)) return false;
    }
    return list_.empty() || index_.begin({static_cast<double>(map.edges().width()), false},
                                         {static_cast<double>(map.edges().height()), false}, list_.size(),
                                         farthest_point(map.table().body()));
}

bool BlockerSweep::make(const MapData& map, std::span<const Blocker> blockers) {
    if (!begin(map, blockers)) return false;
    while (step()) {
    }
    return !failed_;
}

bool BlockerSweep::step() {
    constexpr std::size_t kSome = 32;
    constexpr std::int64_t kWords = 128;
    const MapFrame frame(*map_);
    const std::size_t end = std::min(list_.size(), next_ + kSome);
    for (std::int64_t words = kWords; next_ < end && !failed_ && words > 0;) {
        const Blocker& blocker = list_[next_];
        if (row_ == INT32_MIN) failed_ = !index_.add(blocker);
        const auto bottom = static_cast<std::int32_t>(frame.row(blocker.layer));
        const auto top = bottom + static_cast<std::int32_t>(frame.height);
        if (failed_ || !touched_.mark(route::box_of(blocker), bottom, top, row_, words)) continue;
        failed_ = touched_.failed();
        ++next_;
        row_ = INT32_MIN;
    }
    return next_ < list_.size() && !failed_;
}

std::int32_t BlockerSweep::floor_at(double y) const {
    return map_->floors() == 1 ? 0 : MapFrame(*map_).floor_at(y);
}

template <class Use>
bool BlockerSweep::each_near(std::int32_t floor, const Aabb& box, const Use& use) const {
    if (list_.empty()) return true;  // the index may hold those of another query
    return index_.near(floor, box.low, box.high, [&](std::uint32_t i) {
        return !overlaps(route::box_of(list_[i]), box) || use(list_[i]);
    });
}

// Of what is long the buckets that it comes near; of a curve those near its chord, and as far off as it bulges.
template <class Use>
bool BlockerSweep::each_along(std::int32_t floor, const SweptSegment& piece, double reach,
                              const Use& use) const {
    constexpr double kLong = 6.0;  // cells
    const Aabb around = box_around(piece, reach);
    if (std::abs(piece.amount) <= kLong || std::abs(piece.curvature * piece.amount) > kHalfPi)
        return each_near(floor, around, use);
    if (list_.empty()) return true;
    return index_.along(
        floor, piece.start, end_of(piece), reach + bulge_of(piece) + kLookWider,
        [&](std::uint32_t i) { return !overlaps(route::box_of(list_[i]), around) || use(list_[i]); });
}

bool BlockerSweep::is_clear(const BodyCore& body, const Pose& from, double radius,
                            const CurveWord& word) const {
    const SweptPieces pieces = place_pieces(from, radius, word);
    const double reach = farthest_point(body);
    const std::int32_t floor = floor_at(from.position.y);
    for (int i = 0; i < pieces.count; ++i) {
        const SweptSegment& piece = pieces.piece[i];
        const bool clear = each_along(floor, piece, reach, [&](const Blocker& blocker) {
            BodyCore wider = body;
            wider.radius += radius_of(blocker);
            return !sweep_overlaps_box(wider, piece, core_of(blocker), kSweepSlack);
        });
        if (!clear) return false;
    }
    return true;
}

bool BlockerSweep::any_near(const Aabb& box, double reach) const {
    const Vec2 more{reach, reach};
    return !each_near(floor_at(0.5 * (box.low.y + box.high.y)), {box.low - more, box.high + more},
                      [](const Blocker&) { return false; });
}

double BlockerSweep::distance(const SweptSegment& segment, double most) const {
    (void)each_near(floor_at(segment.start.y), box_around(segment, most), [&](const Blocker& blocker) {
        const double far = distance_to_box(segment, core_of(blocker)) - radius_of(blocker);
        most = std::min(most, std::max(far, 0.0));
        return true;
    });
    return most;
}

}  // namespace fairlead::drive
