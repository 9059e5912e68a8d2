#include "verify/mesh_sheet.h"

#include <cmath>

#include "verify/scale.h"

namespace fairlead::witness {

namespace {

constexpr std::size_t kTableMin = 64;
constexpr double kBodyStep = 1e-5;         // of a leg, in looking for what a body touches
constexpr std::uint64_t kArcSides = 1000;  // what an arc costs, in sides

std::size_t table_place(PolygonId polygon, std::size_t size) {
    return (static_cast<std::uint64_t>(polygon.value) * 0x9e3779b97f4a7c15ULL >> 32) & (size - 1);
}

}  // namespace

MeshSheet::MeshSheet(const NavMeshState& mesh, std::uint64_t closed_areas, std::uint64_t sides_max,
                     const Allocator& allocator)
    : mesh_(mesh),
      has_ground_(mesh.has_heights()),
      closed_areas_(closed_areas),
      sides_left_(sides_max),
      corners_(allocator),
      heights_(allocator),
      patches_(allocator),
      table_(allocator),
      parts_(allocator),
      work_(allocator),
      flooded_(allocator),
      flows_(allocator),
      joined_(allocator),
      touched_(allocator),
      breaks_(allocator) {}

void MeshSheet::begin(Vec2 frame, const MeshTrack& track, double slack) {
    frame_ = frame;
    track_ = track;
    slack_ = slack;
    arrived_ = false;
    reached_ = 0.0;
    corners_.clear();
    heights_.clear();
    patches_.clear();
    parts_.clear();
    work_.clear();
    flooded_.clear();
    flows_.clear();
    for (std::uint32_t& place : table_) place = kNoPatch;
    if (!track.straight()) (void)spend(kArcSides);
}

bool MeshSheet::is_open(PolygonId polygon) const {
    return mesh_.valid(polygon) && (closed_areas_ >> mesh_.area(polygon) & 1U) == 0;
}

bool MeshSheet::spend(std::uint64_t sides) {
    if (sides_left_ < sides) failed_ = true;
    sides_left_ -= failed_ ? 0 : sides;
    return !failed_;
}

bool MeshSheet::grow_table() {
    if (2 * (patches_.size() + 1) <= table_.size()) return true;
    const std::size_t size = table_.empty() ? kTableMin : 2 * table_.size();
    if (!table_.resize(size)) return false;
    for (std::uint32_t& place : table_) place = kNoPatch;
    for (std::uint32_t i = 0; i < patches_.size(); ++i) {
        std::size_t at = table_place(patches_[i].polygon, size);
        while (table_[at] != kNoPatch) at = (at + 1) & (size - 1);
        table_[at] = i;
    }
    return true;
}

/// The patch of a polygon; kNoPatch: out of memory.
std::uint32_t MeshSheet::load(PolygonId polygon) {
    if (!grow_table()) {
        failed_ = true;
        return kNoPatch;
    }
    std::size_t at = table_place(polygon, table_.size());
    for (; table_[at] != kNoPatch; at = (at + 1) & (table_.size() - 1)) {
        if (patches_[table_[at]].polygon == polygon) return table_[at];
    }
    Patch patch;
    patch.polygon = polygon;
    patch.first = static_cast<std::uint32_t>(corners_.size());
    patch.count = mesh_.corners(polygon);
    if (!spend(patch.count)) return kNoPatch;
    for (std::uint32_t i = 0; i < patch.count; ++i) {
        const Vec3 corner = mesh_.corner(polygon, i);
        if (!corners_.push_back(ground(corner) - frame_) || !heights_.push_back(corner.z)) failed_ = true;
    }
    if (failed_ || !patches_.push_back(patch)) {
        failed_ = true;
        return kNoPatch;
    }
    table_[at] = static_cast<std::uint32_t>(patches_.size() - 1);
    return table_[at];
}

// ---- the centre's walk -------------------------------------------------------------------------------------

void MeshSheet::find_parts(std::uint32_t number) {
    Patch& patch = patches_[number];
    if (patch.parts_known) return;
    joined_.clear();
    bool kept = add_inside(track_, corners_of(patch), breaks_, joined_);
    for (std::uint32_t i = 0; i < patch.count; ++i) {
        for (const Interval& part :
             near_mesh_side(track_, corner_of(patch, i), corner_of(patch, i + 1), slack_)) {
            kept = joined_.push_back(part) && kept;
        }
    }
    join_intervals(joined_, 0);
    patch.first_part = static_cast<std::uint32_t>(parts_.size());
    patch.parts = static_cast<std::uint32_t>(joined_.size());
    patch.parts_known = true;
    for (const Interval& part : joined_)
        kept = parts_.push_back({part.low, part.high, kNever, number, false}) && kept;
    if (!kept) failed_ = true;
}

void MeshSheet::arrive(PolygonId polygon, double when) {
    const std::uint32_t number = load(polygon);
    if (number == kNoPatch) return;
    find_parts(number);
    if (failed_) return;
    const Patch& patch = patches_[number];
    for (std::uint32_t i = patch.first_part; i < patch.first_part + patch.parts; ++i) {
        Part& part = parts_[i];
        if (part.low > when || part.high < when || part.arrive <= when) continue;
        part.arrive = when;
        if (!part.waits && !work_.push_back(i)) failed_ = true;
        part.waits = true;
    }
}

void MeshSheet::leave_part(std::uint32_t number) {
    parts_[number].waits = false;
    const Part part = parts_[number];
    reached_ = larger(reached_, part.high);
    if (part.high >= track_.track.length) arrived_ = true;
    const Patch patch = patches_[part.patch];
    for (std::uint32_t i = 0; i < patch.count && spend(1); ++i) {
        const PolygonId next = mesh_.neighbour(patch.polygon, i);
        if (!is_open(next)) continue;
        for (const Interval& at :
             near_mesh_side(track_, corner_of(patch, i), corner_of(patch, i + 1), slack_)) {
            const double when = larger(part.arrive, at.low);
            if (when <= at.high && when <= part.high) arrive(next, when);
        }
    }
}

void MeshSheet::put_start(PolygonId polygon) {
    if (!failed_ && is_open(polygon)) arrive(polygon, 0.0);
}

double MeshSheet::put_start_at_height(PolygonId polygon, double z, double height_slack) {
    if (failed_ || !is_open(polygon)) return kNever;
    const std::uint32_t number = load(polygon);
    if (number == kNoPatch) return kNever;
    const double off = height_off_patch(patches_[number], track_.at(0.0), z);
    if (off <= height_slack) arrive(polygon, 0.0);
    return off;
}

// First in, first out, so that few parts are left twice.
void MeshSheet::walk() {
    for (std::size_t i = 0; i < work_.size() && !failed_; ++i) leave_part(work_[i]);
}

bool MeshSheet::ends(Array<PolygonId>& out) const {
    out.clear();
    for (const Part& part : parts_) {
        if (part.arrive == kNever || part.high < track_.track.length) continue;
        if (!out.push_back(patches_[part.patch].polygon)) return false;
    }
    return true;
}

double MeshSheet::distance_to_patch(const Patch& patch, Vec2 p) const {
    double least = kNever;
    bool inside = true;
    for (std::uint32_t i = 0; i < patch.count; ++i) {
        const Vec2 a = corner_of(patch, i), b = corner_of(patch, i + 1);
        inside = inside && cross(b - a, p - a) >= 0.0;
        least = smaller(least, distance_to_side(p, a, b));
    }
    return inside ? 0.0 : least;
}

SheetHit MeshSheet::leaving() const {
    SheetHit hit;
    hit.begin = reached_;
    const auto off = [&](double at) {
        const Vec2 p = track_.at(at);
        double least = kNever;
        for (const Patch& patch : patches_) least = smaller(least, distance_to_patch(patch, p));
        return least;
    };
    // The first stretch off the surface: up to where it comes back, or the end.
    double end = track_.track.length;
    const double step = (end - reached_) / kLeastSamples;
    for (int i = 2; i <= kLeastSamples; ++i) {
        if (off(reached_ + step * i) > slack_) continue;
        end = reached_ + step * i;
        break;
    }
    hit.worst = find_least(reached_, end, [&](double at) { return -off(at); });
    hit.nearest = -off(hit.worst);
    for (const Patch& patch : patches_) {
        if (distance_to_patch(patch, track_.at(reached_)) <= 2.0 * slack_) hit.polygon = patch.polygon;
    }
    return hit;
}

// ---- the body's surroundings -------------------------------------------------------------------------------

/// The surroundings take in a patch between two moments, if they had it not yet.
void MeshSheet::flood(std::uint32_t number, double low, double high) {
    Patch& patch = patches_[number];
    for (std::uint32_t i = patch.flooded; i != kNoPatch; i = flooded_[i].next) {
        if (flooded_[i].low <= low && high <= flooded_[i].high) return;
    }
    std::uint32_t* link = &patch.flooded;
    while (*link != kNoPatch) {
        Flooded& other = flooded_[*link];
        if (other.low > high || other.high < low) {
            link = &other.next;
            continue;
        }
        low = smaller(low, other.low);
        high = larger(high, other.high);
        *link = other.next;
    }
    const std::uint32_t first = patch.flooded;
    patch.flooded = static_cast<std::uint32_t>(flooded_.size());
    if (!flooded_.push_back({low, high, first}) || !flows_.push_back({number, low, high})) failed_ = true;
}

void MeshSheet::find_nearest(Vec2 a, Vec2 b, double low, double high, SheetHit& hit) const {
    const auto apart = [&](double at) { return distance_to_side(track_.at(at), a, b); };
    hit.worst = find_least(low, high, apart);
    hit.nearest = apart(hit.worst);
}

void MeshSheet::flow_on(const Flow& flow, double radius, double around, SheetHit& hit) {
    const Patch patch = patches_[flow.patch];
    for (std::uint32_t i = 0; i < patch.count && spend(1); ++i) {
        const Vec2 a = corner_of(patch, i), b = corner_of(patch, i + 1);
        const PolygonId next = mesh_.neighbour(patch.polygon, i);
        const bool passes = is_open(next);
        for (const Interval& at : near_mesh_side(track_, a, b, passes ? around : radius)) {
            const double low = larger(at.low, flow.low), high = smaller(at.high, flow.high);
            if (low > high) continue;
            if (passes) {
                const std::uint32_t there = load(next);
                if (there == kNoPatch) return;
                flood(there, low, high);
            } else if (low < hit.begin) {
                hit.begin = low;
                hit.polygon = patch.polygon;
                find_nearest(a, b, low, high, hit);
            }
        }
    }
}

void MeshSheet::begin_flood() {
    for (Patch& patch : patches_) patch.flooded = kNoPatch;
    flooded_.clear();
    flows_.clear();
}

SheetHit MeshSheet::find_wall(double radius, double around) {
    SheetHit hit;
    begin_flood();
    for (std::size_t i = 0; i < parts_.size() && !failed_; ++i) {
        const Part& part = parts_[i];
        if (part.arrive < kNever) flood(part.patch, part.arrive, part.high);
    }
    while (!flows_.empty() && !failed_) {
        const Flow flow = flows_.back();
        flows_.pop_back();
        flow_on(flow, radius, around, hit);
    }
    return hit;
}

void MeshSheet::flow_on(const Flow& flow, const BodyMove& move, const BodyReach& reach, SheetHit& hit) {
    const Patch patch = patches_[flow.patch];
    const Interval between{flow.low, flow.high};
    for (std::uint32_t i = 0; i < patch.count && spend(1); ++i) {
        const Vec2 a = corner_of(patch, i), b = corner_of(patch, i + 1);
        const PolygonId next = mesh_.neighbour(patch.polygon, i);
        if (is_open(next)) {
            touched_.clear();
            const double step = kBodyStep * (1.0 + move.end());
            if (!move.add_near(a, b, reach.around, step, between, touched_)) failed_ = true;
            for (const Interval& part : touched_) {
                const std::uint32_t there = load(next);
                if (there == kNoPatch) return;
                flood(there, part.low, part.high);
            }
            continue;
        }
        const double at = move.first_nearer(a, b, reach.wall, reach.fine, between);
        if (!(at < hit.begin)) continue;
        hit.begin = at;
        hit.polygon = patch.polygon;
        const auto apart = [&](double moment) { return move.gap(moment, a, b); };
        hit.worst = find_least(at, flow.high, apart);
        hit.nearest = apart(hit.worst);
    }
}

SheetHit MeshSheet::find_wall(const BodyMove& move, double radius, double around, double fine) {
    SheetHit hit;
    begin_flood();
    // A turn on the spot is over before the track, which has no length, goes on.
    const bool still = track_.track.length == 0.0;
    for (std::size_t i = 0; i < parts_.size() && !failed_; ++i) {
        const Part& part = parts_[i];
        if (part.arrive < kNever) flood(part.patch, part.arrive, still ? move.end() : part.high);
    }
    while (!flows_.empty() && !failed_) {
        const Flow flow = flows_.back();
        flows_.pop_back();
        flow_on(flow, move, {radius, around, fine}, hit);
    }
    return hit;
}

// ---- heights -----------------------------------------------------------------------------------------------

/// How far z is from the ground that a height field tells, there or as far away as rounding may have moved the point: it has steps.
double MeshSheet::ground_off(const Patch& patch, Vec2 p, double z) const {
    const double off = 4.0 * slack_;
    double least = kNever;
    for (const Vec2 by : {Vec2{0.0, 0.0}, Vec2{off, 0.0}, Vec2{-off, 0.0}, Vec2{0.0, off}, Vec2{0.0, -off}})
        least = smaller(least, std::fabs(z - mesh_.ground_height(patch.polygon, frame_ + p + by)));
    return least;
}

/// How far z is from the height of a polygon at a point of it (or nearly so); kNever: it is elsewhere.
double MeshSheet::height_off_patch(const Patch& patch, Vec2 p, double z) const {
    const double off = height_off_triangles(patch, p, z);
    return off < kNever && has_ground_ ? ground_off(patch, p, z) : off;
}

/// The same from those of its triangles that hold the point.
double MeshSheet::height_off_triangles(const Patch& patch, Vec2 p, double z) const {
    double least = kNever;
    const Vec2 a = corner_of(patch, 0);
    const double base = heights_[patch.first];
    for (std::uint32_t i = 1; i + 1 < patch.count; ++i) {
        const Vec2 b = corner_of(patch, i), c = corner_of(patch, i + 1);
        const double hb = heights_[patch.first + i], hc = heights_[patch.first + i + 1];
        const Vec2 u = b - a, v = c - a, w = p - a;
        const double area = cross(u, v);
        const bool inside = cross(u, w) >= 0.0 && cross(c - b, p - b) >= 0.0 && cross(-v, p - c) >= 0.0;
        const bool near = inside || distance_to_side(p, a, b) <= slack_ ||
                          distance_to_side(p, b, c) <= slack_ || distance_to_side(p, c, a) <= slack_;
        if (!near) continue;
        const double low = smaller(base, smaller(hb, hc)), high = larger(base, larger(hb, hc));
        double height =
            area > 0.0 ? base + (cross(w, v) * (hb - base) + cross(u, w) * (hc - base)) / area : low;
        height = larger(low, smaller(height, high));
        // A triangle that is no more than a line here may have any height of its corners.
        const bool thin = !(area > slack_ * (length(u) + length(v)));
        const double off = thin ? larger(0.0, larger(low - z, z - high)) : std::fabs(z - height);
        least = smaller(least, off);
    }
    return least;
}

double MeshSheet::height_off(double at, double z) const {
    double least = kNever;
    const Vec2 p = track_.at(at);
    for (const Part& part : parts_) {
        if (part.arrive > at || part.high < at) continue;
        least = smaller(least, height_off_patch(patches_[part.patch], p, z));
    }
    return least;
}

/// Between the lines that triangles end at the surface is as straight as the leg.
MeshSheet::HeightGap MeshSheet::height_gap(double z, double rise) const {
    HeightGap gap;
    const Track& line = track_.track;
    const auto look = [&](double at) {
        const double off = height_off(at, line.length > 0.0 ? z + rise * (at / line.length) : z);
        if (off < kNever && off > gap.off) gap = {at, off};
    };
    for (const Part& part : parts_) {
        if (part.arrive == kNever) continue;
        const Patch& patch = patches_[part.patch];
        look(part.arrive);
        look(part.high);
        for (std::uint32_t i = 2; i + 1 < patch.count; ++i) {
            const Vec2 a = corner_of(patch, 0), e = corner_of(patch, i) - a;
            const double off = cross(e, line.start - a), rate = cross(e, line.along);
            const double at = rate != 0.0 ? -off / rate : -1.0;
            if (at > part.arrive && at < part.high) look(at);
        }
    }
    return gap;
}

}  // namespace fairlead::witness
