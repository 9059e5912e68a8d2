// Coverage of places by waypoints, and edges that a body cannot walk.
#include <fairlead/roadmap/coverage.h>

#include <cmath>
#include <utility>

#include "base/no_memory.h"
#include "roadmap/coverage_run.h"
#include "search/run_search.h"

namespace fairlead {

namespace roadmap {

namespace {

Result<void> check_agent(const Agent& agent) {
    if (agent.footprint != 0) {
        return Error{ErrorCode::incompatible, Field::agent_footprint,
                     static_cast<std::int64_t>(RoadmapRule::footprint)};
    }
    if (!std::isfinite(agent.radius)) return Error{ErrorCode::not_finite, Field::agent_radius};
    if (!(agent.radius >= 0.0 && agent.radius <= kRoadmapSpan))
        return Error{ErrorCode::out_of_range, Field::agent_radius};
    return {};
}

Result<void> check_place(Vec3 p, std::int64_t index) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        return Error{ErrorCode::not_finite, Field::places, index, 0};
    if (magnitude(p) > kRoadmapSpan) return Error{ErrorCode::out_of_range, Field::places, index, 0};
    return {};
}

Result<void> check_area(const CoverageArea& area) {
    if (!std::isfinite(area.cell_size)) return Error{ErrorCode::not_finite, Field::places};
    if (!(area.cell_size > 0.0) || area.width < 0 || area.height < 0)
        return Error{ErrorCode::out_of_range, Field::places};
    // The corners: everything else lies between them.
    const Result<void> low = check_place({area.origin.x, area.origin.y, area.z}, 0);
    return low ? check_place(area.centre(area.width, area.height), 0) : low;
}

}  // namespace

void CoverageRun::fail(const Error& error) {
    failed_ = true;
    error_ = error;
    running_ = false;
}

void CoverageRun::begin(const RoadmapState& state, const CoverageQuery& query, std::span<Cover> cover,
                        std::uint64_t places) {
    state_ = state;
    query_ = query;
    sight_ = {state.data().walls, query.sight, query.agent.radius};
    cover_ = cover;
    count_ = {};
    index_ = 0;
    stage_ = Stage::stand;
    seen_ = kNoSlot;
    failed_ = false;
    running_ = places > 0;
    if (const Result<void> good = check_agent(query.agent); !good) return fail(good.error());
    if (std::isnan(query.range)) return fail({ErrorCode::not_finite, Field::range});
    if (query.range < 0.0) return fail({ErrorCode::out_of_range, Field::range});
    if (cover.size() != places)
        fail({ErrorCode::size_mismatch, Field::places, static_cast<std::int64_t>(places)});
}

void CoverageRun::begin(const RoadmapState& state, const CoverageQuery& query, std::span<const Vec3> places,
                        std::span<Cover> cover) {
    listed_ = true;
    places_ = places;
    begin(state, query, cover, places.size());
    for (std::size_t i = 0; i < places.size() && !failed_; ++i) {
        const Result<void> good = check_place(places[i], static_cast<std::int64_t>(i));
        if (!good) fail(good.error());
    }
}

void CoverageRun::begin(const RoadmapState& state, const CoverageQuery& query, const CoverageArea& area,
                        std::span<Cover> cover) {
    listed_ = false;
    area_ = area;
    const Result<void> good = check_area(area);
    const auto width = static_cast<std::uint64_t>(good ? area.width : 0);
    const auto height = static_cast<std::uint64_t>(good ? area.height : 0);
    begin(state, query, cover, width * height);
    if (!good) fail(good.error());
}

Vec3 CoverageRun::place(std::uint64_t index) const {
    if (listed_) return places_[static_cast<std::size_t>(index)];
    const auto width = static_cast<std::uint64_t>(area_.width);
    return area_.centre(static_cast<std::int32_t>(index % width), static_cast<std::int32_t>(index / width));
}

bool CoverageRun::clear(Vec3 a, Vec3 b) {
    ++count_.tests;
    return sight_.clear(a, b);
}

void CoverageRun::end_place(Cover found) {
    cover_[static_cast<std::size_t>(index_)] = found;
    count_.covered += found == Cover::covered ? 1 : 0;
    count_.uncovered += found == Cover::uncovered ? 1 : 0;
    count_.blocked += found == Cover::blocked ? 1 : 0;
    ++index_;
    stage_ = Stage::stand;
    running_ = index_ < cover_.size();
}

void CoverageRun::stand() {
    at_ = place(index_);
    if (sight_.known() && !clear(at_, at_)) return end_place(Cover::blocked);
    const double slack = net_slack(state_.data(), at_);
    slack_squared_ = slack * slack;
    range_ = larger(query_.range, slack);
    stage_ = Stage::recall;
}

// Neighbours mostly see the same waypoint. It is one that the walk would come to as well, so the answer is the same.
void CoverageRun::recall() {
    if (seen_ != kNoSlot) {
        const Vec3 to = state_.data().node(seen_).position;
        const double away = length_squared(to - at_);
        if (away <= range_ * range_ && (!sight_.known() || away <= slack_squared_ || clear(at_, to)))
            return end_place(Cover::covered);
    }
    tested_any_ = false;
    stage_ = Stage::look;
    if (!walk_.begin(state_.data(), at_, {.range = range_, .arcs = query_.edges}))
        fail({ErrorCode::out_of_memory, -1, 0});
}

void CoverageRun::look() {
    NearPlace place;
    const NearestWalk::Step found = walk_.step(place);
    if (found == NearestWalk::Step::no_memory) return fail({ErrorCode::out_of_memory, -1, 0});
    if (found == NearestWalk::Step::end) return end_place(Cover::uncovered);
    if (found == NearestWalk::Step::opened) return;
    const bool sure = !sight_.known() || place.distance_squared <= slack_squared_;
    if (!sure) {
        if (tested_any_ && tested_ == place.position) return;
        tested_any_ = true;
        tested_ = place.position;
        if (!clear(at_, place.position)) return;
    }
    if (!place.on_arc()) seen_ = place.slot;
    end_place(Cover::covered);
}

std::uint64_t CoverageRun::step(std::uint64_t units) {
    std::uint64_t left = units;
    for (; left > 0 && running_; --left) {
        switch (stage_) {
            case Stage::stand: stand(); break;
            case Stage::recall: recall(); break;
            case Stage::look: look(); break;
        }
    }
    return units - left;
}

Result<CoverageCount> CoverageRun::take() const {
    FAIRLEAD_ASSERT(!running_);
    if (failed_) return error_;
    return count_;
}

}  // namespace roadmap

using roadmap::CoverageRun;

Vec3 CoverageArea::centre(std::int32_t x, std::int32_t y) const {
    return {origin.x + (static_cast<double>(x) + 0.5) * cell_size,
            origin.y + (static_cast<double>(y) + 0.5) * cell_size, z};
}

CoverageSearch::CoverageSearch(RoadmapSnapshot roadmap, const CoverageQuery& query,
                               std::span<const Vec3> places, Scratch& scratch, std::span<Cover> cover)
    : roadmap_(std::move(roadmap)), lease_(scratch), run_(lease_ ? scratch.get<CoverageRun>() : nullptr) {
    if (run_ != nullptr) run_->begin(*roadmap_, query, places, cover);
}

CoverageSearch::CoverageSearch(RoadmapSnapshot roadmap, const CoverageQuery& query, const CoverageArea& area,
                               Scratch& scratch, std::span<Cover> cover)
    : roadmap_(std::move(roadmap)), lease_(scratch), run_(lease_ ? scratch.get<CoverageRun>() : nullptr) {
    if (run_ != nullptr) run_->begin(*roadmap_, query, area, cover);
}

std::uint64_t CoverageSearch::step(std::uint64_t units) { return run_ == nullptr ? 0 : run_->step(units); }

bool CoverageSearch::running() const { return run_ != nullptr && run_->running(); }

Result<CoverageCount> CoverageSearch::take() {
    if (!lease_) return kScratchInUse;
    if (run_ == nullptr) return kNoMemory;
    const Result<CoverageCount> count = run_->take();
    run_ = nullptr;
    lease_.release();
    return count ? Result<CoverageCount>(*count) : Result<CoverageCount>(count.error());
}

namespace {

template <class Places>
Result<CoverageCount> cover(const RoadmapState& roadmap, const CoverageQuery& query, const Places& places,
                            Scratch& scratch, std::span<Cover> cover) {
    const ScratchLease lease(scratch);
    if (!lease) return kScratchInUse;
    auto* run = scratch.get<CoverageRun>();
    if (run == nullptr) return kNoMemory;
    run->begin(roadmap, query, places, cover);
    while (run->running()) run->step(UINT64_MAX);
    return run->take();
}

}  // namespace

Result<CoverageCount> find_coverage(const RoadmapState& roadmap, const CoverageQuery& query,
                                    std::span<const Vec3> places, Scratch& scratch, std::span<Cover> cover) {
    return fairlead::cover(roadmap, query, places, scratch, cover);
}

Result<CoverageCount> find_coverage(const RoadmapState& roadmap, const CoverageQuery& query,
                                    const CoverageArea& area, Scratch& scratch, std::span<Cover> cover) {
    return fairlead::cover(roadmap, query, area, scratch, cover);
}

// ---- edges -------------------------------------------------------------------------------------------------

EdgeAudit::EdgeAudit(RoadmapSnapshot roadmap, const AuditQuery& query, std::span<EdgeFault> faults)
    : EdgeAudit(*roadmap, query, faults, roadmap) {}

EdgeAudit::EdgeAudit(const RoadmapState& state, const AuditQuery& query, std::span<EdgeFault> faults,
                     RoadmapSnapshot held)
    : held_(std::move(held)),
      state_(state),
      query_(query),
      faults_(faults),
      checked_(roadmap::check_agent(query.agent)) {
    running_ = checked_.has_value();
}

std::uint64_t EdgeAudit::step(std::uint64_t edges) {
    const roadmap::StateData& data = state_.data();
    const roadmap::Sight sight{data.walls, query_.sight, query_.agent.radius};
    std::uint64_t left = edges;
    for (; left > 0 && running_; --left) {
        if (chunk_ == data.ids.size()) {
            running_ = false;
            break;
        }
        const roadmap::IdEntry& at = data.ids[chunk_]->entries[entry_];
        const std::span<const RoadmapArc> arcs = data.arcs(at.slot);
        if (arc_ == arcs.size()) {
            arc_ = 0;
            if (++entry_ == data.ids[chunk_]->count) {
                entry_ = 0;
                ++chunk_;
            }
            continue;
        }
        const RoadmapArc& arc = arcs[arc_++];
        if (arc.link) continue;
        ++count_.tested;
        const roadmap::NodeRecord& to = data.node(arc.to.value);
        if (!sight.known() || sight.clear(data.node(at.slot).position, to.position)) continue;
        if (count_.faults < faults_.size())
            faults_[static_cast<std::size_t>(count_.faults)] = {{at.id}, {to.id}, arc.label};
        ++count_.faults;
    }
    return edges - left;
}

Result<AuditCount> EdgeAudit::take() const {
    FAIRLEAD_ASSERT(!running_);
    if (!checked_) return checked_.error();
    return count_;
}

Result<AuditCount> audit_edges(const RoadmapState& roadmap, const AuditQuery& query,
                               std::span<EdgeFault> faults) {
    EdgeAudit audit(roadmap, query, faults, RoadmapSnapshot{});
    while (audit.running()) audit.step(UINT64_MAX);
    return audit.take();
}

}  // namespace fairlead
