#include "mesh/data/tile_builder.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/swept.h>

#include "base/no_memory.h"
#include "mesh/data/plane.h"

namespace fairlead::mesh {

namespace {

constexpr std::uint32_t kBucketsPerPolygon = 2;
constexpr std::uint64_t kBucketItemsPerPolygon = 64;
constexpr std::int32_t kRasterMax = 1 << 30;
constexpr std::uint32_t kLargeTile = 1U << 14;  // edges
constexpr std::size_t kFewEdges = 16;           // from a vertex: looked at one after the other

Error rule_error(NavMeshRule rule, std::uint32_t polygon) {
    return {ErrorCode::incompatible, polygon, static_cast<std::int64_t>(rule)};
}

bool in_span(double value) { return value >= -kMeshSpan && value <= kMeshSpan; }

}  // namespace

Result<void> TileBuilder::read(const NavMeshTile& source, double tile_size, std::uint32_t slot,
                               std::uint32_t bits, std::span<const float> gaps) {
    source_ = source;
    gaps_ = gaps;
    tile_size_ = tile_size;
    slot_ = slot;
    bits_ = bits;
    count_ = {};
    count_.gaps = static_cast<std::uint32_t>(gaps.size());
    count_.layers = static_cast<std::uint32_t>(source.heights.polygon_layers.size());
    square_ = tile_square(source.x, source.y, tile_size);
    Result<void> done = read_polygons();
    if (done) done = check_heights();
    if (done) done = join();
    if (!done) return done;
    const bool large = count_.edges >= kLargeTile;
    if (large) firsts_.free_memory();
    if (!number_vertices() || !find_parts() || !find_border()) return kNoMemory;
    if (large) blocks_.free_work();
    if (!find_corners() || !note_areas()) return kNoMemory;
    if (large) queue_.free_memory();
    plan_buckets();
    return {};
}

Result<void> TileBuilder::read_polygons() {
    const auto polygons = source_.polygon_sizes.size();
    const std::uint64_t place_max = 1ULL << bits_;
    if (source_.vertices.size() >= kNone || polygons >= place_max ||
        source_.polygon_corners.size() >= place_max) {
        return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(place_max - 1)};
    }
    for (const std::int32_t place : {source_.x, source_.y}) {
        if (place > kRasterMax || place < -kRasterMax) return Error{ErrorCode::out_of_range, -1, place};
    }
    if (!source_.areas.empty() && source_.areas.size() != polygons) {
        return Error{ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(polygons)};
    }
    for (std::size_t i = 0; i < source_.vertices.size(); ++i) {
        const Vec3 v = source_.vertices[i];
        const auto at = static_cast<std::int64_t>(i);
        if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
            return Error{ErrorCode::not_finite, at, 0};
        if (!in_span(v.x) || !in_span(v.y) || !in_span(v.z)) return Error{ErrorCode::out_of_range, at, 0};
        if (tile_size_ > 0.0 && !square_.contains({v.x, v.y})) {
            return Error{ErrorCode::incompatible, at, static_cast<std::int64_t>(NavMeshRule::outside_tile)};
        }
    }
    if (!edges_.resize_uninitialized(source_.polygon_corners.size()) ||
        !vertex_of_.assign(source_.polygon_corners) || !polygons_.resize_uninitialized(polygons + 1)) {
        return kNoMemory;
    }
    count_.polygons = static_cast<std::uint32_t>(polygons);
    count_.edges = static_cast<std::uint32_t>(edges_.size());
    std::size_t first = 0;
    for (std::uint32_t polygon = 0; polygon < count_.polygons; ++polygon) {
        const std::size_t size = source_.polygon_sizes[polygon];
        if (size > edges_.size() - first) {
            return Error{ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(edges_.size())};
        }
        const std::uint8_t area = source_.areas.empty() ? std::uint8_t{0} : source_.areas[polygon];
        if (area >= kAreasMax) return Error{ErrorCode::out_of_range, polygon, area};
        polygons_[polygon] = {static_cast<std::uint32_t>(first), area};
        for (std::size_t i = first; i < first + size; ++i) {
            const std::uint32_t vertex = vertex_of_[i];
            if (vertex >= source_.vertices.size()) return Error{ErrorCode::unknown_id, polygon, vertex};
            edges_[i] = {};
            edges_[i].from = ground(source_.vertices[vertex]);
            edges_[i].polygon = polygon;
        }
        first += size;
    }
    if (first != edges_.size()) return Error{ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(first)};
    polygons_[polygons] = {count_.edges, 0};
    box_ = {{kMeshSpan, kMeshSpan}, {-kMeshSpan, -kMeshSpan}};
    for (std::uint32_t polygon = 0; polygon < count_.polygons; ++polygon) {
        const Result<void> done = check_polygon(polygon);
        if (!done) return done;
    }
    for (const MeshEdge& edge : edges_) include(box_, edge.from);
    return {};
}

Result<void> TileBuilder::check_heights() const {
    const NavMeshHeights& heights = source_.heights;
    if (heights.polygon_layers.empty() && heights.field.layers.empty()) return {};
    if (heights.polygon_layers.size() != count_.polygons)
        return Error{ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(heights.polygon_layers.size())};
    if (heights.field.layers.empty()) return {};
    if (heights.field.layers.size() > kHeightLayersMax)
        return Error{ErrorCode::size_limit, -1, kHeightLayersMax};
    for (const double size : {heights.cell_size, heights.cell_height}) {
        if (!(size > 0.0) || !(size <= kMeshSpan)) return Error{ErrorCode::out_of_range, -1, 0};
    }
    for (std::uint32_t polygon = 0; polygon < count_.polygons; ++polygon) {
        const std::uint32_t layer = heights.polygon_layers[polygon];
        if (layer >= heights.field.layers.size()) return Error{ErrorCode::out_of_range, polygon, layer};
    }
    return fairlead::check_heights(heights.field);
}

// Convex: no corner turns right, and the directions of the sides go round once, so the sign of their y changes twice.
Result<void> TileBuilder::check_polygon(std::uint32_t polygon) const {
    const std::uint32_t first = polygons_[polygon].first;
    const std::uint32_t size = polygons_[polygon + 1].first - first;
    if (size < 3) return rule_error(NavMeshRule::too_few_corners, polygon);
    std::uint32_t left_turns = 0;
    std::uint32_t climbs = 0;
    bool up = false;
    for (std::uint32_t i = 0; i < size; ++i) {
        const Vec2 a = edges_[first + i].from;
        const Vec2 b = edges_[first + (i + 1 < size ? i + 1 : 0)].from;
        const Vec2 c = edges_[first + (i + 2) % size].from;
        if (a == b) return rule_error(NavMeshRule::repeated_corner, polygon);
        const double turn = math::orient2d(a, b, c);
        if (turn < 0.0) return rule_error(NavMeshRule::not_convex, polygon);
        if (turn > 0.0) ++left_turns;
        // Sides that go straight on must not turn back.
        if (turn == 0.0 && dot(b - a, c - b) < 0.0) return rule_error(NavMeshRule::not_convex, polygon);
        const bool rises = b.y > a.y || (b.y == a.y && b.x > a.x);
        if (rises && !up) ++climbs;
        up = rises;
    }
    // The first side may only have gone on with a climb that the last one began.
    const Vec2 p = edges_[first].from, q = edges_[first + 1].from;
    if ((q.y > p.y || (q.y == p.y && q.x > p.x)) && up) --climbs;
    if (left_turns < 3 || climbs != 1) return rule_error(NavMeshRule::not_convex, polygon);
    return {};
}

// Twins: the side from a to b of one polygon and the side from b to a of another, found among the sides that
// start at b.
Result<void> TileBuilder::join() {
    const std::size_t vertices = source_.vertices.size();
    Array<std::uint32_t>& bucketed = fan_of_;  // edges by the vertex where they start
    firsts_.clear();
    if (!firsts_.resize(vertices + 1) || !bucketed.resize_uninitialized(edges_.size())) return kNoMemory;
    for (const std::uint32_t vertex : vertex_of_) ++firsts_[vertex + 1];
    for (std::size_t i = 0; i < vertices; ++i) firsts_[i + 1] += firsts_[i];
    for (std::uint32_t edge = count_.edges; edge-- > 0;) bucketed[--firsts_[vertex_of_[edge] + 1]] = edge;
    // firsts_[v + 1] is where v's edges begin now; they end where those of v + 1 begin.
    const auto edges_from = [&](std::uint32_t vertex) {
        const std::size_t end = vertex + 2 < firsts_.size() ? firsts_[vertex + 2] : edges_.size();
        const std::size_t first = firsts_[vertex + 1];
        return bucketed.span().subspan(first, end - first);
    };
    const auto end_of = [this](std::uint32_t edge) { return vertex_of_[next(edge)]; };
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t p = end_of(a), q = end_of(b);
        return p != q ? p < q : a < b;
    };
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
        const std::span<std::uint32_t> around = edges_from(vertex);
        if (around.size() > kFewEdges)
            std::sort(around.begin(), around.end(), before);  // total order: by number at last
    }
    // Those of a vertex that lead to another one.
    const auto each_between = [&](std::uint32_t from, std::uint32_t to, auto visit) {
        const std::span<const std::uint32_t> around = edges_from(from);
        std::size_t i = 0;
        if (around.size() > kFewEdges) {
            const auto less = [&](std::uint32_t edge, std::uint32_t wanted) { return end_of(edge) < wanted; };
            i = static_cast<std::size_t>(std::lower_bound(around.begin(), around.end(), to, less) -
                                         around.begin());
        }
        for (; i < around.size(); ++i) {
            if (end_of(around[i]) == to) {
                visit(around[i]);
            } else if (around.size() > kFewEdges) {
                break;
            }
        }
    };
    for (std::uint32_t edge = 0; edge < count_.edges; ++edge) {
        const std::uint32_t from = vertex_of_[edge];
        const std::uint32_t to = end_of(edge);
        bool twice = false;
        each_between(from, to, [&](std::uint32_t other) { twice = twice || other != edge; });
        if (twice) return rule_error(NavMeshRule::edge_used_twice, edges_[edge].polygon);
        each_between(to, from, [&](std::uint32_t other) { edges_[edge].twin = (slot_ << bits_) | other; });
    }
    return {};
}

// Where polygons touch at a vertex without sharing a side, it is several places: one for each fan of polygons around it.
bool TileBuilder::number_vertices() {
    const auto mask = static_cast<std::uint32_t>((1ULL << bits_) - 1);
    fan_vertex_.clear();
    if (!fan_of_.resize_uninitialized(edges_.size())) return false;
    for (std::uint32_t& fan : fan_of_) fan = kNone;
    for (std::uint32_t first = 0; first < count_.edges; ++first) {
        if (fan_of_[first] != kNone) continue;
        const auto fan = static_cast<std::uint32_t>(fan_vertex_.size());
        if (!fan_vertex_.push_back(vertex_of_[first])) return false;
        // Counter-clockwise to a wall or all the way round, then clockwise from the first.
        for (std::uint32_t e = first; e != kNone && fan_of_[e & mask] == kNone;
             e = edges_[previous(e & mask)].twin) {
            fan_of_[e & mask] = fan;
        }
        for (std::uint32_t twin = edges_[first].twin; twin != kNone;) {
            const std::uint32_t e = next(twin & mask);
            if (fan_of_[e] != kNone) break;
            fan_of_[e] = fan;
            twin = edges_[e].twin;
        }
    }
    count_.vertices = static_cast<std::uint32_t>(fan_vertex_.size());
    return true;
}

bool TileBuilder::find_parts() {
    const std::uint32_t mask = static_cast<std::uint32_t>((1ULL << bits_) - 1);
    constexpr std::uint32_t kUnknown = kNone >> 8;
    for (std::uint32_t polygon = 0; polygon < count_.polygons; ++polygon)
        polygons_[polygon].tag |= kUnknown << 8;
    count_.parts = 0;
    for (std::uint32_t seed = 0; seed < count_.polygons; ++seed) {
        if (polygons_[seed].part() != kUnknown) continue;
        const std::uint32_t part = count_.parts++;
        queue_.clear();
        const auto take = [&](std::uint32_t polygon) {
            polygons_[polygon].tag = part << 8 | polygons_[polygon].area();
            return queue_.push_back(polygon);
        };
        if (!take(seed)) return false;
        while (!queue_.empty()) {
            const std::uint32_t polygon = queue_.back();
            queue_.pop_back();
            for (std::uint32_t e = polygons_[polygon].first; e < polygons_[polygon + 1].first; ++e) {
                if (edges_[e].twin == kNone) continue;
                const std::uint32_t other = edges_[edges_[e].twin & mask].polygon;
                if (polygons_[other].part() == kUnknown && !take(other)) return false;
            }
        }
    }
    return true;
}

bool TileBuilder::on_border(Vec2 p) const {
    return tile_size_ > 0.0 &&
           (p.x == square_.low.x || p.x == square_.high.x || p.y == square_.low.y || p.y == square_.high.y);
}

bool TileBuilder::find_border() {
    for (Array<std::uint32_t>& side : border_) side.clear();
    if (tile_size_ > 0.0) {
        for (std::uint32_t e = 0; e < count_.edges; ++e) {
            if (edges_[e].twin != kNone) continue;
            const Vec2 a = edges_[e].from;
            const Vec2 b = edges_[next(e)].from;
            const bool on[4] = {
                a.x == square_.low.x && b.x == square_.low.x, a.x == square_.high.x && b.x == square_.high.x,
                a.y == square_.low.y && b.y == square_.low.y, a.y == square_.high.y && b.y == square_.high.y};
            for (int side = 0; side < 4; ++side) {
                if (on[side] && !border_[side].push_back(e)) return false;
            }
        }
        for (int side = 0; side < 4; ++side) {
            const auto along = [&](std::uint32_t e) {
                const Vec2 a = edges_[e].from, b = edges_[next(e)].from;
                return side < 2 ? std::min(a.y, b.y) : std::min(a.x, b.x);
            };
            const auto before = [&](std::uint32_t a, std::uint32_t b) {
                const double p = along(a), q = along(b);
                return p != q ? p < q : a < b;
            };
            std::sort(border_[side].begin(), border_[side].end(), before);  // total order: by number at last
            count_.border[side] = static_cast<std::uint32_t>(border_[side].size());
        }
    }
    queue_.clear();
    for (const Array<std::uint32_t>& side : border_) {
        for (const std::uint32_t e : side) {
            if (!queue_.push_back(e)) return false;
        }
    }
    const auto mask = static_cast<std::uint32_t>((1ULL << bits_) - 1);
    if (!blocks_.find(edges_.span(), polygons_.span(), mask, queue_.span())) return false;
    count_.blocks = static_cast<std::uint32_t>(blocks_.block_top.size());
    return true;
}

// A corner is where the free space around a vertex, from the wall that leaves it round to the wall that comes in, is
// more than half a turn. On the border that is for stitch.h to say; its walls get a number in any case.
bool TileBuilder::find_corners() {
    const auto mask = static_cast<std::uint32_t>((1ULL << bits_) - 1);
    corners_.clear();
    for (std::uint32_t wall = 0; wall < count_.edges; ++wall) {
        if (edges_[wall].twin != kNone) continue;
        const Vec2 at = edges_[wall].from;
        const bool border = on_border(at);
        bool reflex = false;
        if (!border) {
            const Vec2 out = edges_[next(wall)].from;
            for (std::uint32_t e = wall;;) {
                const std::uint32_t before = previous(e);
                const double turn = math::orient2d(at, out, edges_[before].from);
                reflex = turn < 0.0;
                e = edges_[before].twin;
                if (reflex || e == kNone) break;
                e &= mask;
                reflex = turn == 0.0;  // half a turn, and it goes on
                if (reflex) break;
            }
            if (!reflex) continue;
        }
        const auto number = static_cast<std::uint32_t>(corners_.size());
        if (!corners_.push_back(wall)) return false;
        if (border) continue;
        for (std::uint32_t e = wall;;) {
            edges_[e].corner = (slot_ << bits_) | number;
            e = edges_[previous(e)].twin;
            if (e == kNone) break;
            e &= mask;
        }
    }
    count_.corners = static_cast<std::uint32_t>(corners_.size());
    return true;
}

// Marks the sides that start where several areas meet (on the border: perhaps). False: out of memory.
bool TileBuilder::note_areas() {
    constexpr std::uint32_t kMixed = kAreasMax;
    if (!queue_.resize_uninitialized(count_.vertices)) return false;
    for (std::uint32_t& area : queue_) area = kNone;
    for (std::uint32_t e = 0; e < count_.edges; ++e) {
        std::uint32_t& area = queue_[fan_of_[e]];
        const std::uint32_t here = polygons_[edges_[e].polygon].area();
        area = (area == kNone || area == here) && !on_border(edges_[e].from) ? here : kMixed;
    }
    for (std::uint32_t e = 0; e < count_.edges; ++e) {
        if (queue_[fan_of_[e]] == kMixed) edges_[e].block |= kAreaEdgeFlag;
    }
    return true;
}

Aabb TileBuilder::polygon_box(std::uint32_t polygon) const {
    Aabb box{edges_[polygons_[polygon].first].from, edges_[polygons_[polygon].first].from};
    for (std::uint32_t e = polygons_[polygon].first + 1; e < polygons_[polygon + 1].first; ++e) {
        include(box, edges_[e].from);
    }
    return box;
}

// Square buckets, about kBucketsPerPolygon for each polygon: a point then has few polygons to be tested against.
void TileBuilder::plan_buckets() {
    count_.buckets_x = count_.buckets_y = 1;
    bucket_size_ = 1.0;
    if (count_.polygons == 0) return;
    const double width = box_.high.x - box_.low.x;
    const double height = box_.high.y - box_.low.y;
    const double wanted = static_cast<double>(count_.polygons) * kBucketsPerPolygon;
    bucket_size_ = std::max(std::sqrt(width * height / wanted), std::max(width, height) / wanted);
    if (!(bucket_size_ > 0.0)) bucket_size_ = std::max(width, height);  // smaller than a double can tell
    // Polygons that lie over each other, long and askew, would fill any number of buckets: larger ones then.
    for (;; bucket_size_ *= 2.0) {
        count_.buckets_x = static_cast<std::uint32_t>(width / bucket_size_) + 1;
        count_.buckets_y = static_cast<std::uint32_t>(height / bucket_size_) + 1;
        std::uint64_t items = 0;
        for (std::uint32_t polygon = 0; polygon < count_.polygons; ++polygon) {
            const BucketRange at = buckets_of(polygon_box(polygon), box_.low, bucket_size_);
            items += std::uint64_t{at.high_x - at.low_x + 1} * (at.high_y - at.low_y + 1);
        }
        count_.bucket_items = static_cast<std::uint32_t>(items);
        const bool one = count_.buckets_x == 1 && count_.buckets_y == 1;
        if (one || items <= std::max<std::uint64_t>(kBucketItemsPerPolygon * count_.polygons, 4096)) return;
    }
}

void TileBuilder::fill_buckets(Tile& out) const {
    std::uint32_t* const firsts = out.bucket_firsts();
    std::uint32_t* const items = out.bucket_items();
    const std::size_t buckets = std::size_t{count_.buckets_x} * count_.buckets_y;
    const auto each = [&](std::uint32_t polygon, auto visit) {
        const BucketRange at = buckets_of(polygon_box(polygon), box_.low, bucket_size_);
        for (std::uint32_t y = at.low_y; y <= at.high_y; ++y) {
            for (std::uint32_t x = at.low_x; x <= at.high_x; ++x)
                visit(std::size_t{y} * count_.buckets_x + x);
        }
    };
    for (std::uint32_t polygon = 0; polygon < count_.polygons; ++polygon) {
        each(polygon, [&](std::size_t bucket) { ++firsts[bucket]; });
    }
    std::uint32_t sum = 0;
    for (std::size_t bucket = 0; bucket <= buckets; ++bucket) {
        sum += firsts[bucket];
        firsts[bucket] = sum;
    }
    for (std::uint32_t polygon = count_.polygons; polygon-- > 0;) {
        each(polygon, [&](std::size_t bucket) { items[--firsts[bucket]] = polygon; });
    }
}

void TileBuilder::write(Tile& out) const {
    out.x = source_.x;
    out.y = source_.y;
    out.count = count_;
    out.box = box_;
    out.bucket_size = bucket_size_;
    out.key = source_.key;
    std::copy(edges_.begin(), edges_.end(), out.edges());
    std::copy(polygons_.begin(), polygons_.end(), out.polygons());
    out.z_low = kMeshSpan;
    out.z_high = -kMeshSpan;
    std::copy(fan_of_.begin(), fan_of_.end(), out.vertices());
    for (std::uint32_t v = 0; v < count_.vertices; ++v) {
        out.vertex_heights()[v] = static_cast<float>(source_.vertices[fan_vertex_[v]].z);
    }
    for (const std::uint32_t vertex : vertex_of_) {
        out.z_low = std::min(out.z_low, source_.vertices[vertex].z);
        out.z_high = std::max(out.z_high, source_.vertices[vertex].z);
    }
    std::copy(blocks_.top_block.begin(), blocks_.top_block.end(), out.top_blocks());
    std::copy(blocks_.block_top.begin(), blocks_.block_top.end(), out.block_tops());
    std::copy(blocks_.block_depth.begin(), blocks_.block_depth.end(), out.block_depths());
    std::copy(corners_.begin(), corners_.end(), out.corner_walls());
    std::uint32_t* border = out.borders();
    for (const Array<std::uint32_t>& side : border_) border = std::copy(side.begin(), side.end(), border);
    fill_buckets(out);
    std::copy(gaps_.begin(), gaps_.end(), out.gaps());
    const std::span<const std::uint32_t> layers = source_.heights.polygon_layers;
    std::copy(layers.begin(), layers.end(), out.layers());
}

}  // namespace fairlead::mesh
