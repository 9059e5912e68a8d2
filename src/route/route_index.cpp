// Pieces of legs in buckets of one size, hashed: chains of pieces in flat arrays, doubly linked so that a route can be taken out.
#include <fairlead/route/route_index.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/digest.h>
#include <fairlead/math/swept.h>

#include "base/no_memory.h"
#include "math/segment_space_box.h"
#include "route/arc_box.h"

namespace fairlead {

namespace {

constexpr std::size_t kPiecesMax = std::size_t{1} << 20;  // of a route
constexpr double kBucketsMax = 0x1p30;
constexpr double kTurnMax = 1.5;  ///< radians: no piece bends by more
constexpr double kArcSag = 0.2;   ///< of its chord: an arc of that angle is no farther from it
constexpr double kPieceReach =
    0.75;  ///< buckets: no point of a piece is farther from the middle of its chord
constexpr std::size_t kChainsMin = 64;

// Which of a power of two of chains.
std::size_t chain(std::uint64_t key, std::size_t chains, std::uint64_t more = 0) {
    Digest digest;
    digest.add(key);
    if (more != 0) digest.add(more);
    return static_cast<std::size_t>(digest.value() & (std::uint64_t{chains} - 1));
}

bool finite(const Place& place) {
    return is_finite(ground(place.position)) && std::isfinite(place.position.z) &&
           std::isfinite(place.heading_rad);
}

bool finite(const Leg& leg) {
    return finite(leg.start) && std::isfinite(leg.length) && std::isfinite(leg.rise) &&
           std::isfinite(leg.curvature);
}

// Doubles the chains when there are more links than chains.
bool needs_more(std::size_t links, std::size_t chains) { return links > chains; }

}  // namespace

RouteIndex::RouteIndex(const RouteIndexOptions& options)
    : options_(options),
      pieces_(options.allocator),
      entries_(options.allocator),
      bucket_heads_(options.allocator),
      id_heads_(options.allocator) {}

Result<RouteIndex> RouteIndex::make(const RouteIndexOptions& options) {
    if (!std::isfinite(options.bucket)) return Error{ErrorCode::not_finite, Field::bucket};
    if (!is_finite(options.lap)) return Error{ErrorCode::not_finite, Field::lap};
    if (!(options.bucket > 0.0)) return Error{ErrorCode::out_of_range, Field::bucket};
    if (options.lap.x < 0.0 || options.lap.y < 0.0) return Error{ErrorCode::out_of_range, Field::lap};
    return RouteIndex(options);
}

void RouteIndex::clear() {
    pieces_.clear();
    entries_.clear();
    bucket_heads_.clear();
    id_heads_.clear();
    radius_max_ = 0.0;
    route_count_ = piece_count_ = 0;
    free_piece_ = free_entry_ = kNone;
}

// ---- chains ------------------------------------------------------------------------------------------------

std::uint32_t RouteIndex::chain_of(Bucket bucket) const {
    const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(bucket.x)} << 32 |
                              std::uint64_t{static_cast<std::uint32_t>(bucket.y)};
    const std::uint64_t height = static_cast<std::uint32_t>(bucket.z);
    return static_cast<std::uint32_t>(chain(key, bucket_heads_.size(), height));
}

std::uint32_t RouteIndex::find(std::uint64_t id) const {
    if (id_heads_.empty()) return kNone;
    std::uint32_t at = id_heads_[chain(id, id_heads_.size())];
    while (at != kNone && entries_[at].id != id) at = entries_[at].after;
    return at;
}

void RouteIndex::hang_in(std::uint32_t piece) {
    std::uint32_t& head = bucket_heads_[chain_of(pieces_[piece].bucket)];
    pieces_[piece].before = kNone;
    pieces_[piece].after = head;
    if (head != kNone) pieces_[head].before = piece;
    head = piece;
}

void RouteIndex::take_out(std::uint32_t piece) {
    const Piece& p = pieces_[piece];
    if (p.after != kNone) pieces_[p.after].before = p.before;
    if (p.before != kNone) {
        pieces_[p.before].after = p.after;
    } else {
        bucket_heads_[chain_of(p.bucket)] = p.after;
    }
}

// Room in the chains for one more route and one more piece. False: out of memory; nothing has changed.
bool RouteIndex::grow_chains() {
    if (needs_more(piece_count_ + 1, bucket_heads_.size())) {
        const std::size_t chains = std::max(kChainsMin, 2 * bucket_heads_.size());
        if (!bucket_heads_.resize_uninitialized(chains)) return false;
        std::fill(bucket_heads_.begin(), bucket_heads_.end(), kNone);
        for (const Entry& entry : entries_) {
            for (std::uint32_t p = entry.first; p != kNone; p = pieces_[p].next) hang_in(p);
        }
    }
    if (needs_more(route_count_ + 1, id_heads_.size())) {
        const std::size_t chains = std::max(kChainsMin, 2 * id_heads_.size());
        Array<std::uint32_t> old(options_.allocator);
        if (!old.assign(id_heads_.span()) || !id_heads_.resize_uninitialized(chains)) return false;
        std::fill(id_heads_.begin(), id_heads_.end(), kNone);
        for (const std::uint32_t head : old) {
            for (std::uint32_t at = head; at != kNone;) {
                const std::uint32_t after = entries_[at].after;
                std::uint32_t& link = id_heads_[chain(entries_[at].id, chains)];
                entries_[at].after = link;
                link = at;
                at = after;
            }
        }
    }
    return true;
}

// ---- in and out --------------------------------------------------------------------------------------------

Vec2 RouteIndex::first_lap(Vec2 p) const {
    const Vec2 lap = options_.lap;
    return {lap.x > 0.0 ? lap.x * std::floor(p.x / lap.x) : 0.0,
            lap.y > 0.0 ? lap.y * std::floor(p.y / lap.y) : 0.0};
}

Result<void> RouteIndex::add_piece(Piece piece, std::uint32_t entry) {
    const Vec2 lap = first_lap((piece.a + piece.b) * 0.5);
    piece.a = piece.a - lap;
    piece.b = piece.b - lap;
    const Vec2 bucket = (piece.a + piece.b) * (0.5 / options_.bucket);
    const double height = options_.space ? (piece.from + piece.to) * (0.5 / options_.bucket) : 0.0;
    if (!(std::fabs(bucket.x) < kBucketsMax && std::fabs(bucket.y) < kBucketsMax &&
          std::fabs(height) < kBucketsMax))
        return Error{ErrorCode::out_of_range, 0, 0};
    piece.bucket = {static_cast<std::int32_t>(std::floor(bucket.x)),
                    static_cast<std::int32_t>(std::floor(bucket.y)),
                    static_cast<std::int32_t>(std::floor(height))};
    piece.route = entry;
    piece.next = entries_[entry].first;
    if (!grow_chains()) return kNoMemory;
    std::uint32_t at = free_piece_;
    if (at != kNone) {
        free_piece_ = pieces_[at].next;
        pieces_[at] = piece;
    } else {
        at = static_cast<std::uint32_t>(pieces_.size());
        if (!pieces_.push_back(piece)) return kNoMemory;
    }
    entries_[entry].first = at;
    ++piece_count_;
    hang_in(at);
    return {};
}

// Cuts the legs of a route.
struct RouteIndex::Cutter {
    RouteIndex& index;
    std::uint32_t entry;
    std::size_t left = kPiecesMax;

    [[nodiscard]] Result<void> put(Vec3 a, Vec3 b, double curvature, std::int32_t layer) {
        if (left-- == 0) return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(kPiecesMax)};
        Piece piece;
        piece.a = ground(a);
        piece.b = ground(b);
        piece.curvature = curvature;
        piece.from = a.z;
        piece.to = b.z;
        piece.layer = layer;
        return index.add_piece(piece, entry);
    }
    [[nodiscard]] Result<void> point(const Place& place) {
        return put(place.position, place.position, 0.0, place.layer);
    }
    [[nodiscard]] Result<void> drive(const Leg& leg, const Place& end) {
        const Vec3 from = leg.start.position;
        const Vec3 to = end.position;
        const bool bent = leg.curvature != 0.0 && leg.length > 0.0;
        double size = bent ? leg.length : distance(ground(from), ground(to));
        if (index.options_.space) size = length(Vec2{size, to.z - from.z});
        const double bend = std::fabs(leg.curvature) * leg.length / kTurnMax;
        const double count = std::ceil(std::max({size / index.options_.bucket, bent ? bend : 0.0, 1.0}));
        if (!(count <= static_cast<double>(kPiecesMax)))
            return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(kPiecesMax)};
        const auto n = static_cast<std::size_t>(count);
        Vec3 at = from;
        for (std::size_t i = 1; i <= n; ++i) {
            const double part = static_cast<double>(i) / count;
            Vec3 next = from + (to - from) * part;
            if (bent) next = place_on_leg(leg, leg.length * part).position;
            if (!bent && i == n) next = to;
            if (const Result<void> done = put(at, next, bent ? leg.curvature : 0.0, leg.start.layer); !done)
                return done.error();
            at = next;
        }
        return {};
    }
    [[nodiscard]] Result<void> leg(const Leg& leg, const Place& end) {
        if (leg.kind == LegKind::drive) return drive(leg, end);
        if (const Result<void> done = point(leg.start); !done) return done.error();
        return leg.kind == LegKind::link ? point(end) : Result<void>{};
    }
};

Result<void> RouteIndex::add_pieces(const Route& route, std::uint32_t entry) {
    Cutter cutter{*this, entry};
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        if (!finite(route.legs[i])) return Error{ErrorCode::not_finite, number, 0};
        if (!finite(leg_end(route, i))) return Error{ErrorCode::not_finite, number + 1, 0};
        if (const Result<void> done = cutter.leg(route.legs[i], leg_end(route, i)); !done) {
            Error error = done.error();
            if (error.code == ErrorCode::out_of_range) error.index = number;
            return error;
        }
    }
    if (!route.legs.empty()) return {};
    if (!finite(route.end)) return Error{ErrorCode::not_finite, 0, 0};
    return cutter.point(route.end);
}

Result<void> RouteIndex::insert(const Route& route, std::uint64_t id, double radius) {
    (void)erase(id);
    if (!std::isfinite(radius)) return Error{ErrorCode::not_finite, Field::agent_radius};
    if (radius < 0.0) return Error{ErrorCode::out_of_range, Field::agent_radius};
    if (!grow_chains()) return kNoMemory;
    std::uint32_t entry = free_entry_;
    if (entry != kNone) {
        free_entry_ = entries_[entry].after;
    } else {
        entry = static_cast<std::uint32_t>(entries_.size());
        if (!entries_.push_back({})) return kNoMemory;
    }
    std::uint32_t& head = id_heads_[chain(id, id_heads_.size())];
    entries_[entry] = {id, radius, kNone, head};
    head = entry;
    ++route_count_;
    radius_max_ = std::max(radius_max_, radius);
    const Result<void> done = add_pieces(route, entry);
    if (done) return {};
    (void)erase(id);
    return done.error();
}

bool RouteIndex::erase(std::uint64_t id) {
    const std::uint32_t entry = find(id);
    if (entry == kNone) return false;
    for (std::uint32_t p = entries_[entry].first; p != kNone;) {
        const std::uint32_t next = pieces_[p].next;
        take_out(p);
        pieces_[p].next = free_piece_;
        free_piece_ = p;
        --piece_count_;
        p = next;
    }
    std::uint32_t* link = &id_heads_[chain(id, id_heads_.size())];
    while (*link != entry) link = &entries_[*link].after;
    *link = entries_[entry].after;
    entries_[entry] = {0, 0.0, kNone, free_entry_};
    free_entry_ = entry;
    if (--route_count_ == 0) radius_max_ = 0.0;
    return true;
}

// ---- questions ---------------------------------------------------------------------------------------------

// In space the height between an arc and the box counts as if each point of the arc were at all its heights.
double RouteIndex::gap_between(const Piece& piece, const TouchedBox& where) const {
    const Aabb& box = where.box;
    if (options_.space && piece.curvature == 0.0) {
        const math::SpaceBox solid{{box.low.x, box.low.y, where.low}, {box.high.x, box.high.y, where.high}};
        const Vec3 a{piece.a.x, piece.a.y, piece.from}, b{piece.b.x, piece.b.y, piece.to};
        return std::sqrt(math::nearest_on_segment(a, b, solid).squared);
    }
    const double gap = piece.curvature != 0.0
                           ? route::distance_arc_box(piece.a, piece.b, piece.curvature, box)
                           : math::distance_segment_box(piece.a, piece.b, box);
    return options_.space ? length(Vec2{gap, piece.above(where)}) : gap;
}

// False: out of memory.
bool RouteIndex::look_at(std::uint32_t at, const TouchedBox& where, Array<std::uint64_t>& ids) const {
    const Piece& piece = pieces_[at];
    const Entry& entry = entries_[piece.route];
    if (where.layer != kAnyLayer && piece.layer != where.layer) return true;
    const double above = piece.above(where);
    if (!options_.space && above > 0.0) return true;
    const Aabb& box = where.box;
    double largest = std::max({std::fabs(box.low.x), std::fabs(box.low.y), std::fabs(box.high.x),
                               std::fabs(box.high.y), options_.bucket, entry.radius});
    if (options_.space) largest = std::max({largest, std::fabs(piece.from), std::fabs(piece.to)});
    const double reach = entry.radius + 1e-9 * largest;
    if (above > reach) return true;
    const double sag = piece.curvature != 0.0 ? kArcSag * distance(piece.a, piece.b) : 0.0;
    const double grown = reach + sag;
    const Aabb around{{std::min(piece.a.x, piece.b.x) - grown, std::min(piece.a.y, piece.b.y) - grown},
                      {std::max(piece.a.x, piece.b.x) + grown, std::max(piece.a.y, piece.b.y) + grown}};
    if (!overlaps(around, box)) return true;
    if (!ids.empty() && ids.back() == entry.id) return true;
    return gap_between(piece, where) > reach || ids.push_back(entry.id);
}

// The pieces of the buckets that may hold one near the box; all, where that is less work.
bool RouteIndex::look_in_lap(const TouchedBox& where, Array<std::uint64_t>& ids,
                             std::uint64_t& looked) const {
    const double reach = radius_max_ * (1.0 + 1e-9) + (kPieceReach + 1e-6) * options_.bucket;
    const auto bucket_at = [&](double v) {
        return std::floor(std::clamp(v / options_.bucket, -kBucketsMax, kBucketsMax));
    };
    const double x0 = bucket_at(where.box.low.x - reach);
    const double x1 = bucket_at(where.box.high.x + reach);
    const double y0 = bucket_at(where.box.low.y - reach);
    const double y1 = bucket_at(where.box.high.y + reach);
    const double z0 = options_.space ? bucket_at(where.low - reach) : 0.0;
    const double z1 = options_.space ? bucket_at(where.high + reach) : 0.0;
    if ((x1 - x0 + 1.0) * (y1 - y0 + 1.0) * (z1 - z0 + 1.0) > static_cast<double>(piece_count_)) {
        for (const Entry& entry : entries_) {
            for (std::uint32_t p = entry.first; p != kNone; p = pieces_[p].next) {
                ++looked;
                if (!look_at(p, where, ids)) return false;
            }
        }
        return true;
    }
    const auto whole = [](double v) { return static_cast<std::int32_t>(v); };
    for (std::int32_t z = whole(z0); z <= whole(z1); ++z) {
        for (std::int32_t y = whole(y0); y <= whole(y1); ++y) {
            for (std::int32_t x = whole(x0); x <= whole(x1); ++x) {
                if (!look_in_bucket({x, y, z}, where, ids, looked)) return false;
            }
        }
    }
    return true;
}

bool RouteIndex::look_in_bucket(Bucket bucket, const TouchedBox& where, Array<std::uint64_t>& ids,
                                std::uint64_t& looked) const {
    for (std::uint32_t p = bucket_heads_[chain_of(bucket)]; p != kNone; p = pieces_[p].after) {
        if (!(pieces_[p].bucket == bucket)) continue;
        ++looked;
        if (!look_at(p, where, ids)) return false;
    }
    return true;
}

Result<void> RouteIndex::touched(const TouchedBox& where, Array<std::uint64_t>& ids,
                                 std::uint64_t* looked_at) const {
    ids.clear();
    std::uint64_t looked = 0;
    if (!is_finite(where.box.low) || !is_finite(where.box.high) || std::isnan(where.low) ||
        std::isnan(where.high))
        return Error{ErrorCode::not_finite, Field::box};
    if (piece_count_ != 0 && !where.box.empty()) {
        const Vec2 lap = first_lap(where.box.low);
        TouchedBox here = where;
        for (std::int32_t j = options_.lap.y > 0.0 ? -1 : 0; j <= (options_.lap.y > 0.0 ? 1 : 0); ++j) {
            for (std::int32_t i = options_.lap.x > 0.0 ? -1 : 0; i <= (options_.lap.x > 0.0 ? 1 : 0); ++i) {
                const Vec2 shift{i * options_.lap.x - lap.x, j * options_.lap.y - lap.y};
                here.box = {where.box.low + shift, where.box.high + shift};
                if (!look_in_lap(here, ids, looked)) return kNoMemory;
            }
        }
        std::sort(ids.begin(), ids.end());  // total order
        std::size_t kept = 0;
        for (const std::uint64_t id : ids) {
            if (kept == 0 || ids[kept - 1] != id) ids[kept++] = id;
        }
        if (!ids.resize(kept)) return kNoMemory;
    }
    if (looked_at != nullptr) *looked_at = looked;
    return {};
}

}  // namespace fairlead
