// Links that come, change and go, and how they are put on the surface of a draft.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "mesh/data/links.h"
#include "mesh/data/plane.h"
#include "mesh/edit/editor.h"
#include "mesh/files/link_records.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

namespace {

constexpr double kHeadingMax = 1e4;
/// How far surface and end may be apart in height where obstacles were cut out.
constexpr double kCutHeight = 0.5;

double heading_of(const MeshLink& link) {
    if (link.heading_rad != kLinkHeadingAlong) return link.heading_rad;
    const Vec2 way = ground(link.to) - ground(link.from);
    return dot(way, way) > 0.0 ? math::atan2(way.y, way.x) : 0.0;
}

// Does a measured link bound this one? Then landmarks that know it stay true.
bool bounds(const MeshLink& old, const MeshLink& link) {
    MeshLink same = link;
    same.cost = old.cost;
    same.kind = old.kind;
    same.one_way = old.one_way;
    same.tag = old.tag;
    same.radius_max = old.radius_max;
    return same == old && (link.cost == old.cost || (old.cost >= 0.0 && link.cost >= old.cost));
}

Aabb box_of_side(Vec2 at, Vec2 across, double more) {
    const Vec2 reach{std::fabs(across.x) + more, std::fabs(across.y) + more};
    return {at - reach, at + reach};
}

/// A stretch of a side over one polygon: shares of its length, from its right end.
struct SidePart {
    std::uint32_t polygon = kNone;
    double low = 0.0;
    double high = 1.0;
    double off = 0.0;  ///< in height
};

/// One side of a link over the surface.
class SideFinder {
  public:
    SideFinder(const StateData& state, const Allocator& allocator)
        : parts(allocator), state_(state), found_(allocator) {}

    Array<SidePart> parts;  ///< do not overlap

    [[nodiscard]] bool find(Vec2 right, Vec2 left, double z, double reach) {
        right_ = right;
        left_ = left;
        z_ = z;
        reach_ = reach;
        room_ = true;
        parts.clear();
        found_.clear();
        Aabb box{{std::min(right.x, left.x), std::min(right.y, left.y)},
                 {std::max(right.x, left.x), std::max(right.y, left.y)}};
        const double more = tolerance();
        box = {box.low - Vec2{more, more}, box.high + Vec2{more, more}};
        const auto visit = [](PolygonId polygon, void* user) {
            static_cast<SideFinder*>(user)->look_at(polygon.value);
        };
        each_polygon(state_, box, visit, this);
        const auto before = [](const SidePart& a, const SidePart& b) {
            return a.off != b.off ? a.off < b.off : a.polygon < b.polygon;
        };
        std::sort(found_.begin(), found_.end(), before);  // total order: polygons differ
        for (const SidePart& part : found_) {
            if (room_) keep_free(part, 0);
        }
        return room_;
    }
    /// What rounding may put a side beside a polygon that it runs along.
    [[nodiscard]] double tolerance() const { return state_.quantum; }

  private:
    void look_at(std::uint32_t polygon) {
        const TileView& view = state_.tile_of(polygon);
        const std::uint32_t at = state_.local(polygon);
        double low = 0.0, high = 1.0;
        for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
            const Vec2 a = view.edges[e].from, d = view.tile->to(e) - a;
            const double more = tolerance() * length(d);
            const double off = cross(d, right_ - a) + more, there = cross(d, left_ - a) + more;
            if (off < 0.0 && there < 0.0) return;
            if (off < 0.0) low = std::max(low, off / (off - there));
            if (there < 0.0) high = std::min(high, off / (off - there));
        }
        if (!(high - low > 1e-9)) return;
        const Vec2 middle = right_ + (left_ - right_) * ((low + high) / 2.0);
        const double off = std::fabs(ground_near(state_, polygon, middle) - z_);
        if (off > reach_) return;
        room_ = room_ && found_.push_back({polygon, low, high, off});
    }
    // What the parts from `first` on leave of one.
    void keep_free(SidePart part, std::size_t first) {
        for (std::size_t i = first; i < parts.size(); ++i) {
            const SidePart taken = parts[i];
            if (taken.high <= part.low || taken.low >= part.high) continue;
            if (taken.low > part.low) {
                SidePart before = part;
                before.high = taken.low;
                keep_free(before, i + 1);
            }
            part.low = taken.high;
            if (part.low >= part.high) return;
        }
        if (part.high - part.low > 1e-9) room_ = room_ && parts.push_back(part);
    }

    const StateData& state_;
    Array<SidePart> found_;
    Vec2 right_{}, left_{};
    double z_ = 0.0;
    double reach_ = 0.0;
    bool room_ = true;
};

/// Writes the pieces of one link after the others.
class LinkAttacher {
  public:
    LinkAttacher(StateData& draft, const Allocator& allocator, std::uint64_t room)
        : draft_(draft), sides_{SideFinder(draft, allocator), SideFinder(draft, allocator)}, room_(room) {}

    [[nodiscard]] bool attach(std::uint32_t number) {
        const LinkRecord& record = draft_.links.records[number];
        if (!record.placed[0] || !record.placed[1]) return true;
        return record.link.extent > 0.0 ? attach_wide(number) : attach_point(number);
    }
    /// More parts than there may be.
    [[nodiscard]] bool is_over() const { return over_; }

  private:
    [[nodiscard]] bool take(std::uint64_t parts) {
        over_ = parts > room_;
        room_ -= over_ ? 0 : parts;
        return !over_;
    }
    /// How far from its place a link may begin or end: some steps of the lattice of new vertices, and never so far that it is not touched
    /// any more (in tiles far larger than the mesh these steps are wide).
    [[nodiscard]] double off_most(double steps) const {
        return std::min(steps * draft_.quantum, 0.25 * draft_.touching());
    }
    [[nodiscard]] SurfacePoint on_surface(const LinkRecord& record, int end) const {
        const Vec3 at{record.at[end].x, record.at[end].y, record.z[end]};
        return nearest_point(draft_, at, {off_most(8.0), kCutHeight, kCutHeight});
    }
    [[nodiscard]] bool attach_point(std::uint32_t number) {
        const LinkRecord& record = draft_.links.records[number];
        const SurfacePoint from = on_surface(record, 0), to = on_surface(record, 1);
        if (from.polygon == kNone || to.polygon == kNone) return true;
        LinkPiece piece;
        piece.in[0] = piece.in[1] = from.position;
        piece.out[0] = piece.out[1] = to.position;
        piece.polygon_in = from.polygon;
        piece.polygon_out = to.polygon;
        return put(number, piece);
    }
    [[nodiscard]] bool attach_wide(std::uint32_t number) {
        const LinkRecord& record = draft_.links.records[number];
        for (int end = 0; end < 2; ++end) {
            const Vec2 at = record.at[end];
            if (!sides_[end].find(at - record.across, at + record.across, record.z[end],
                                  std::max(record.link.reach, kCutHeight)))
                return false;
        }
        if (!take(sides_[0].parts.size() + sides_[1].parts.size())) return false;
        for (const SidePart& in : sides_[0].parts) {
            for (const SidePart& out : sides_[1].parts) {
                const double low = std::max(in.low, out.low), high = std::min(in.high, out.high);
                if (!(high - low > 1e-9)) continue;
                LinkPiece piece;
                piece.point = false;
                piece.polygon_in = in.polygon;
                piece.polygon_out = out.polygon;
                bool in_place = true;
                for (int k = 0; k < 2; ++k) {
                    const Vec2 off = record.across * (2.0 * (k == 0 ? low : high) - 1.0);
                    piece.in[k] = settle(in.polygon, record.at[0] + off, in_place);
                    piece.out[k] = settle(out.polygon, record.at[1] + off, in_place);
                }
                // Along a sliver of a polygon it may be far to its inside: that part is left out.
                if (!in_place) continue;
                if (!put(number, piece)) return false;
            }
        }
        return true;
    }
    [[nodiscard]] Vec2 settle(std::uint32_t polygon, Vec2 p, bool& in_place) const {
        const Vec2 inside = settle_in(draft_, polygon, {p.x, p.y, 0.0}).position;
        in_place = in_place && distance(inside, p) <= off_most(64.0);
        return inside;
    }
    // The way there and the way back.
    [[nodiscard]] bool put(std::uint32_t number, LinkPiece piece) {
        const LinkRecord& record = draft_.links.records[number];
        if (!take(2)) return false;
        piece.record = number;
        piece.kind = record.link.kind;
        piece.cost = record.cost;
        if (record.link.cost == kLinkCostStraight) {
            // Not less than the straight line, wherever it is entered.
            for (int k = 0; k < 2; ++k) {
                const double rise = ground_near(draft_, piece.polygon_out, piece.out[k]) -
                                    ground_near(draft_, piece.polygon_in, piece.in[k]);
                const Vec2 way = piece.out[k] - piece.in[k];
                piece.cost = std::max(piece.cost, std::sqrt(dot(way, way) + rise * rise));
            }
        }
        if (!draft_.links.pieces.push_back(piece)) return false;
        std::swap(piece.polygon_in, piece.polygon_out);
        for (int k = 0; k < 2; ++k) std::swap(piece.in[k], piece.out[k]);
        piece.back = true;
        piece.against = record.link.one_way;
        // Right and left change places for who comes from the other side.
        std::swap(piece.in[0], piece.in[1]);
        std::swap(piece.out[0], piece.out[1]);
        return draft_.links.pieces.push_back(piece);
    }

    StateData& draft_;
    SideFinder sides_[2];
    std::uint64_t room_;
    bool over_ = false;
};

}  // namespace

Result<void> check_link(const MeshLink& link) {
    for (const double v : {link.from.x, link.from.y, link.from.z, link.to.x, link.to.y, link.to.z,
                           link.extent, link.cost, link.heading_rad, link.radius_max, link.reach}) {
        if (!std::isfinite(v)) return Error{ErrorCode::not_finite, -1, -1};
    }
    for (const double v : {link.from.x, link.from.y, link.from.z, link.to.x, link.to.y, link.to.z}) {
        if (std::fabs(v) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, -1, -1};
    }
    const bool cost_fits = link.cost == kLinkCostStraight || (link.cost >= 0.0 && link.cost <= kLinkCostMax);
    const bool heading_fits =
        link.heading_rad == kLinkHeadingAlong || std::fabs(link.heading_rad) <= kHeadingMax;
    if (!cost_fits || !heading_fits || link.kind >= kLinkKindsMax || link.extent < 0.0 ||
        link.extent > kMeshSpan || link.radius_max < 0.0 || link.reach < 0.0 || link.reach > kMeshSpan) {
        return Error{ErrorCode::out_of_range, -1, -1};
    }
    return {};
}

Result<void> EditorData::edit_link(const MeshEdit& edit, std::int64_t number) {
    LinkTable& table = revisions.draft->links;
    links_edited = true;
    const auto id = static_cast<std::uint32_t>(edit.id);
    const std::uint32_t place = table.place_of(id);
    const bool known = place < table.records.size() && table.records[place].link.id == id;
    if (edit.kind == MeshEdit::Kind::add_link && known)
        return Error{ErrorCode::duplicate_id, number, edit.id};
    if ((edit.kind != MeshEdit::Kind::add_link && !known) || edit.id != std::int64_t{id})
        return Error{ErrorCode::unknown_id, number, edit.id};
    if (edit.kind == MeshEdit::Kind::remove_link) {
        std::copy(table.records.begin() + place + 1, table.records.end(), table.records.begin() + place);
        table.records.pop_back();
        return {};
    }
    const Result<void> good = check_link(edit.link);
    if (!good) return Error{good.error().code, number, good.error().detail};
    if (edit.link.id != id) return Error{ErrorCode::unknown_id, number, edit.link.id};
    LinkRecord record;
    record.link = edit.link;
    record.heading = heading_of(edit.link);
    const Vec2 ahead = math::direction(record.heading);
    record.across = Vec2{-ahead.y, ahead.x} * (edit.link.extent / 2.0);
    if (known) {
        const LinkRecord& old = table.records[place];
        record.measured = old.measured && bounds(old.link, edit.link);
        for (int end = 0; end < 2; ++end) record.at[end] = old.at[end];
        table.records[place] = record;
        return {};
    }
    if (!table.records.push_back({})) return kNoMemory;
    for (std::size_t i = table.records.size() - 1; i > place; --i) table.records[i] = table.records[i - 1];
    table.records[place] = record;
    return {};
}

Result<void> EditorData::put_links(std::span<const MeshLink> links) {
    for (std::size_t i = 0; i < links.size(); ++i) {
        const Result<void> done = edit_link(MeshEdit::add_link(links[i]), static_cast<std::int64_t>(i));
        if (!done) return done;
    }
    return {};
}

// Of links from a file those are attached first that its landmarks know.
Result<void> EditorData::put_stored_links(const StoredParts& stored) {
    for (std::uint32_t i = 0; i < stored.link_count; ++i) {
        const Result<void> done = edit_link(MeshEdit::add_link(stored.links[i].link), i);
        if (!done) return done;
        revisions.draft->links.records[i].stale = stored.links[i].measured;
    }
    return {};
}

// And then the others.
void EditorData::wake_stored_links(const StoredParts& stored) {
    for (std::uint32_t i = 0; i < stored.link_count; ++i)
        revisions.draft->links.records[i].stale = !stored.links[i].measured;
}

// The ends of stale links, on the surface as it is without obstacles.
void EditorData::place_links() {
    StateData& draft = *revisions.draft;
    const auto is_stale = [](const LinkRecord& record) { return record.stale; };
    if (std::none_of(draft.links.records.begin(), draft.links.records.end(), is_stale)) return;
    const auto swap_tiles = [&] {
        for (const std::uint32_t slot : draft.order) {
            if (draft.baked[slot] == nullptr) continue;
            Tile* const active = draft.tiles[slot].tile;
            draft.set_tile(slot, draft.baked[slot]);
            draft.baked[slot] = active;
        }
    };
    const Aabb box = draft.box;
    for (const std::uint32_t slot : draft.order) {
        if (draft.baked[slot] != nullptr) include(draft.box, draft.baked[slot]->box);
    }
    swap_tiles();
    for (LinkRecord& record : draft.links.records) {
        if (!record.stale) continue;
        record.stale = false;
        const double reach = record.link.reach;
        for (int end = 0; end < 2; ++end) {
            const Vec3 wanted = (end == 0 ? record.link.from : record.link.to) - draft.origin;
            const SurfacePoint at = nearest_point(draft, wanted, {reach, reach, reach});
            const Vec2 here = at.polygon != kNone ? at.position : ground(wanted);
            // Landmarks know it where it was.
            if (!(here == record.at[end])) record.measured = false;
            record.placed[end] = at.polygon != kNone;
            record.at[end] = here;
            record.z[end] = record.placed[end] ? at.z : wanted.z;
        }
        const Vec2 way = record.at[1] - record.at[0];
        const double rise = record.z[1] - record.z[0];
        const double straight = std::sqrt(dot(way, way) + rise * rise);
        record.cost = record.link.cost == kLinkCostStraight ? straight : record.link.cost;
    }
    swap_tiles();
    draft.box = box;
}

// The pieces of all links: anew for those that changed, or lie where tiles have changed.
bool EditorData::renew_links(std::span<const TilePlace> changed) {
    StateData& draft = *revisions.draft;
    LinkTable& table = draft.links;
    if (is_under || (table.records.empty() && table.pieces.empty())) return true;
    const auto lies_in = [&](const LinkRecord& record) {
        if (draft.tile_size <= 0.0) return !changed.empty();
        const double more = record.link.reach;
        for (const TilePlace place : changed) {
            const Aabb square = tile_square(place.x, place.y, draft.tile_size);
            for (const Vec3& end : {record.link.from, record.link.to}) {
                const Vec2 at = ground(end - draft.origin);
                if (overlaps(box_of_side(at, record.across, more), square)) return true;
            }
        }
        return false;
    };
    bool same = !links_edited && !components.renumbered();
    for (LinkRecord& record : table.records) {
        record.stale = record.stale || lies_in(record);
        same = same && !record.stale;
    }
    links_edited = false;
    if (same) return true;
    old_pieces.clear();
    std::swap(old_pieces, table.pieces);
    // What must be attached anew is remembered while the ends are placed.
    if (!marks.resize_uninitialized(table.records.size())) return false;
    for (std::size_t i = 0; i < table.records.size(); ++i) marks[i] = table.records[i].stale ? 1 : 0;
    place_links();
    LinkAttacher attacher(draft, revisions.allocator, link_room != nullptr ? *link_room : UINT64_MAX);
    for (std::uint32_t i = 0; i < table.records.size(); ++i) {
        LinkRecord& record = table.records[i];
        const std::uint32_t old_first = record.first, old_count = record.count;
        record.first = static_cast<std::uint32_t>(table.pieces.size());
        if (marks[i] != 0) {
            if (!attacher.attach(i)) {
                if (attacher.is_over()) *link_room = 0;
                return false;
            }
        } else {
            for (std::uint32_t k = 0; k < old_count; ++k) {
                LinkPiece piece = old_pieces[old_first + k];
                piece.record = i;
                if (!table.pieces.push_back(piece)) return false;
            }
        }
        record.count = static_cast<std::uint32_t>(table.pieces.size()) - record.first;
    }
    return index_links(draft);
}

}  // namespace fairlead::mesh
