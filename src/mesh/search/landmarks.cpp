#include "mesh/search/landmarks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/search/any_angle.h"

namespace fairlead::mesh {

namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

/// A vertex, as the side that starts there.
struct Sample {
    std::uint32_t slot = kNone;
    std::uint32_t edge = 0;
};

class Surveyor {
  public:
    Surveyor(StateData& draft, std::uint32_t count, Watch* watch, const Allocator& allocator)
        : draft_(draft),
          count_(count),
          watch_(watch),
          distances_(allocator),
          columns_(allocator),
          nearest_(allocator),
          firsts_(allocator),
          sizes_(allocator),
          seeds_(allocator),
          group_(allocator),
          space_(allocator),
          open_(allocator),
          nodes_(allocator) {}

    [[nodiscard]] bool run() {
        if (!lay_out() || !join_groups() || !list_components()) return false;
        for (std::uint32_t i = 0; i < draft_.components.size(); ++i) {
            if (sizes_[i] >= kLandmarkPolygons && !survey(i, seeds_[i])) return false;
        }
        return true;
    }

  private:
    [[nodiscard]] bool lay_out() {
        std::size_t vertices = 0;
        if (!firsts_.resize(draft_.tiles.size()) || !columns_.resize(draft_.tiles.size())) return false;
        for (const std::uint32_t slot : draft_.order) {
            firsts_[slot] = vertices;
            vertices += draft_.tiles[slot].tile->count.vertices;
        }
        if (!distances_.resize_uninitialized(vertices) || !nearest_.resize_uninitialized(vertices))
            return false;
        for (const std::uint32_t slot : draft_.order) columns_[slot] = distances_.data() + firsts_[slot];
        return true;
    }

    // Components that links join, in whatever direction, are one group: the floods go through links both ways, so that what they
    // measure bounds ways in both directions, and with links closed.
    [[nodiscard]] bool join_groups() {
        if (!group_.resize_uninitialized(draft_.components.size())) return false;
        for (std::uint32_t i = 0; i < group_.size(); ++i) group_[i] = i;
        const auto root_of = [&](std::uint32_t i) {
            while (group_[i] != i) i = group_[i] = group_[group_[i]];
            return i;
        };
        for (const LinkPiece& piece : draft_.links.pieces) {
            const std::uint32_t a = root_of(draft_.component(piece.polygon_in));
            const std::uint32_t b = root_of(draft_.component(piece.polygon_out));
            if (a < b) group_[b] = a;
            if (b < a) group_[a] = b;
        }
        for (std::uint32_t i = 0; i < group_.size(); ++i) group_[i] = root_of(i);
        return true;
    }
    [[nodiscard]] std::uint32_t group_of(std::uint32_t polygon) const {
        return group_[draft_.component(polygon)];
    }

    // How many polygons each group has, and its first one.
    [[nodiscard]] bool list_components() {
        if (!sizes_.resize(group_.size()) || !seeds_.resize(group_.size())) return false;
        for (const std::uint32_t slot : draft_.order) {
            const TileView& view = draft_.tiles[slot];
            for (std::uint32_t polygon = 0; polygon < view.tile->count.polygons; ++polygon) {
                const std::uint32_t component = group_of(draft_.ref(slot, polygon));
                if (sizes_[component]++ == 0) seeds_[component] = {slot, view.polygons[polygon].first};
            }
        }
        return true;
    }

    [[nodiscard]] bool survey(std::uint32_t component, Sample spot) {
        for (float& far : nearest_) far = kFar;
        // The first landmark is the vertex farthest from the first one met.
        if (!flood(spot)) return false;
        spot = farthest(component, distances_);
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (!flood(spot)) return false;
            keep(component, i);
            spot = farthest(component, nearest_);
        }
        return true;
    }

    [[nodiscard]] bool flood(Sample from) {
        for (float& far : distances_) far = kFar;
        const MeshEdge& edge = draft_.tiles[from.slot].edges[from.edge];
        if (!space_.prepare_flood(draft_, {edge.from, draft_.ref(from.slot, edge.polygon)}, columns_.span()))
            return false;
        space_.set_open(&open_);
        BestFirst<AnyAngleSpace, AStarKey, HeapOpen, ListedNodes> engine(space_, open_, nodes_);
        engine.begin();
        SearchProgress progress = SearchProgress::running;
        while (progress == SearchProgress::running) {
            if (watch_ != nullptr && !watch_->goes_on()) return false;
            progress = engine.step(kFloodSlice);
        }
        if (watch_ != nullptr && watch_->done + 1 < watch_->all) ++watch_->done;
        return progress == SearchProgress::exhausted && !space_.failed();
    }

    template <class Visit>
    void each_vertex(std::uint32_t component, Visit visit) const {
        for (const std::uint32_t slot : draft_.order) {
            const TileView& view = draft_.tiles[slot];
            for (std::uint32_t e = 0; e < view.tile->count.edges; ++e) {
                if (group_of(draft_.ref(slot, view.edges[e].polygon)) != component) continue;
                visit(Sample{slot, e}, view.tile->vertices()[e]);
            }
        }
    }

    [[nodiscard]] Sample farthest(std::uint32_t component, const Array<float>& far) const {
        Sample best{};
        float most = -1.0F;
        each_vertex(component, [&](Sample spot, std::uint32_t vertex) {
            const float here = far[firsts_[spot.slot] + vertex];
            if (here < kFar && here > most) {
                most = here;
                best = spot;
            }
        });
        return best;
    }

    void keep(std::uint32_t component, std::uint32_t landmark) {
        each_vertex(component, [&](Sample spot, std::uint32_t vertex) {
            const std::size_t at = firsts_[spot.slot] + vertex;
            draft_.far[spot.slot]->at()[std::size_t{vertex} * draft_.landmark_stride() + landmark] =
                distances_[at];
            if (distances_[at] < nearest_[at]) nearest_[at] = distances_[at];
        });
    }

    static constexpr std::uint64_t kFloodSlice = 4096;

    StateData& draft_;
    std::uint32_t count_;
    Watch* watch_;
    Array<float> distances_;  ///< of all vertices, tile by tile
    Array<float*> columns_;
    Array<float> nearest_;  ///< distance to the nearest landmark so far
    Array<std::size_t> firsts_;
    Array<std::uint32_t> sizes_;
    Array<Sample> seeds_;
    Array<std::uint32_t> group_;  ///< by component: the smallest one that it hangs together with over links
    AnyAngleSpace space_;
    HeapOpen open_;
    ListedNodes nodes_;
};

}  // namespace

namespace {

[[nodiscard]] TileLandmarks* make_block_of_rows(Revisions<StateData>& revisions, std::uint32_t vertices) {
    void* const block =
        revisions.make_block(TileLandmarks::bytes(vertices, revisions.draft->landmark_stride()));
    if (block == nullptr) return nullptr;
    auto* const out = static_cast<TileLandmarks*>(block);
    out->vertices = vertices;
    return out;
}

[[nodiscard]] bool make_rows(Revisions<StateData>& revisions, std::uint32_t count) {
    StateData& draft = *revisions.draft;
    draft.landmarks = count;
    if (count == 0) return true;
    for (const std::uint32_t slot : draft.order) {
        draft.far[slot] = make_block_of_rows(revisions, draft.tiles[slot].tile->count.vertices);
        if (draft.far[slot] == nullptr) return false;
    }
    return true;
}

// The links that are there are those that the landmarks know.
void note_links(StateData& draft) {
    for (LinkRecord& record : draft.links.records) record.measured = record.count != 0;
    draft.links.fresh.clear();
}

// In steps, rounded to the nearest; what is no number of steps makes the whole row unknown.
void count_steps(const StateData& state, TileLandmarks& rows) {
    const std::uint32_t stride = state.landmark_stride();
    rows.exact = 1;
    for (std::uint32_t v = 0; v < rows.vertices; ++v) {
        const float* const row = rows.at() + std::size_t{v} * stride;
        const double off = std::ceil(double{row[state.landmarks]} / state.landmark_step);
        bool known = off < TileLandmarks::kStepsUnknown;
        for (std::uint32_t i = 0; i < state.landmarks; ++i) {
            const double steps = std::floor(double{row[i]} / state.landmark_step + 0.5);
            const bool fits = steps >= 0.0 && steps < TileLandmarks::kStepsUnknown;
            known &= fits;
            rows.steps()[std::size_t{v} * kLandmarksMax + i] =
                fits ? static_cast<std::int16_t>(steps) : std::int16_t{0};
        }
        rows.steps_off()[v] = static_cast<std::int16_t>(known ? off : TileLandmarks::kStepsUnknown);
        if (rows.steps_off()[v] != 0) rows.exact = 0;
    }
}

void show_rows(StateData& draft) {
    if (draft.landmarks == 0) return;
    float most = 0.0F;
    for (const std::uint32_t slot : draft.order) {
        const TileLandmarks& rows = *draft.far[slot];
        for (std::size_t i = 0; i < std::size_t{rows.vertices} * draft.landmark_stride(); ++i) {
            const float far = rows.at()[i];
            if (far < kFar && far > most) most = far;
        }
    }
    draft.landmark_step = most > 0.0F ? double{most} / TileLandmarks::kStepsMost : 1.0;
    for (const std::uint32_t slot : draft.order) {
        count_steps(draft, *draft.far[slot]);
        draft.show_landmarks(slot);
    }
}

}  // namespace

bool measure_landmarks(Revisions<StateData>& revisions, std::uint32_t count, Watch* watch) {
    if (!make_rows(revisions, count)) return false;
    if (count == 0) return true;
    if (!Surveyor(*revisions.draft, count, watch, revisions.allocator).run()) return false;
    note_links(*revisions.draft);
    show_rows(*revisions.draft);
    return true;
}

bool adopt_landmarks(Revisions<StateData>& revisions, std::uint32_t count, std::span<const float> rows) {
    if (!make_rows(revisions, count)) return false;
    StateData& draft = *revisions.draft;
    const float* from = rows.data();
    for (std::uint32_t slot = 0; slot < draft.tiles.size(); ++slot) {
        const std::uint32_t vertices = draft.tiles[slot].tile->count.vertices;
        for (std::uint32_t v = 0; v < vertices; ++v, from += count) {
            std::copy(from, from + count, draft.far[slot]->at() + std::size_t{v} * draft.landmark_stride());
        }
    }
    note_links(draft);
    show_rows(draft);
    return true;
}

namespace {

/// A place is `unsure` steps or less from one with this row. `high` is kept as what it is less than kStepsUnknown, so that all
/// of it are numbers of 16 bits. Not inline, as steps_between.
FAIRLEAD_NOINLINE void narrow_range(const std::int16_t* row, std::int32_t unsure, LandmarkRange& range) {
    const auto off = static_cast<std::int16_t>(unsure);
    const auto room = static_cast<std::int16_t>(TileLandmarks::kStepsUnknown - unsure);
    for (std::uint32_t i = 0; i < kLandmarksMax; ++i) {
        const auto least = static_cast<std::int16_t>(row[i] - off);
        const auto most = static_cast<std::int16_t>(row[i] - room);
        range.low[i] = least > range.low[i] ? least : range.low[i];
        range.high[i] = most < range.high[i] ? most : range.high[i];
    }
}

}  // namespace

void find_landmark_range(const StateData& state, std::uint32_t polygon, Vec2 at, LandmarkRange& out) {
    const TileView& view = state.tile_of(polygon);
    const MeshPolygon* const p = view.polygons + state.local(polygon);
    const double scale = 1.0 / state.landmark_step;
    out = {};
    for (std::uint32_t e = p[0].first; e < p[1].first; ++e) {
        const std::uint32_t vertex = view.vertices[e];
        // Rounded up, and another one for the rounding of the row.
        const double unsure = distance(view.edges[e].from, at) * scale + 2.0 +
                              (view.far_off != nullptr ? view.far_off[vertex] : 0);
        if (unsure < TileLandmarks::kStepsUnknown) {
            narrow_range(view.far + std::size_t{vertex} * kLandmarksMax, static_cast<std::int32_t>(unsure),
                         out);
        }
    }
    for (std::int16_t& high : out.high) high = static_cast<std::int16_t>(high + TileLandmarks::kStepsUnknown);
}

std::int32_t steps_between(const std::int16_t* row, const LandmarkRange& range) {
    std::int16_t most = 0;
    for (std::uint32_t i = 0; i < kLandmarksMax; ++i) {
        const auto beyond = static_cast<std::int16_t>(row[i] - range.high[i]);
        const auto before = static_cast<std::int16_t>(range.low[i] - row[i]);
        const std::int16_t more = beyond > before ? beyond : before;
        most = more > most ? more : most;
    }
    return most;
}

double landmark_distance(const StateData& state, std::uint32_t polygon_a, Vec2 a, std::uint32_t polygon_b,
                         Vec2 b) {
    if (state.tile_of(polygon_a).far == nullptr || state.tile_of(polygon_b).far == nullptr) return 0.0;
    LandmarkRange from, to;
    find_landmark_range(state, polygon_a, a, from);
    find_landmark_range(state, polygon_b, b, to);
    std::int32_t most = 0;
    for (std::uint32_t i = 0; i < kLandmarksMax; ++i)
        most = std::max({most, from.low[i] - to.high[i], to.low[i] - from.high[i]});
    return most * state.landmark_step;
}

TileLandmarks* carve_landmarks(Revisions<StateData>& revisions, const CarvedTile& carved) {
    const StateData& draft = *revisions.draft;
    const std::uint32_t stride = draft.landmark_stride();
    TileLandmarks* const out =
        make_block_of_rows(revisions, static_cast<std::uint32_t>(carved.sources.size()));
    if (out == nullptr) return nullptr;
    const Tile& baked = *carved.baked;
    for (std::size_t i_out = 0; i_out < carved.sources.size(); ++i_out) {
        const std::uint32_t v = carved.sources[i_out];
        float* const row = out->at() + i_out * stride;
        if (carved.baked_vertices[v] != kNone) {
            const float* from = carved.far->at() + std::size_t{carved.baked_vertices[v]} * stride;
            for (std::uint32_t i = 0; i < stride; ++i) row[i] = from[i];
            continue;
        }
        // Somewhere in a baked polygon: as far as its corners say, give or take.
        const MeshPolygon* polygon = baked.polygons() + carved.baked_polygons[v];
        const Vec2 at = ground(carved.vertices[v]);
        float low[kLandmarksMax] = {}, high[kLandmarksMax];
        std::fill_n(high, kLandmarksMax, kFar);
        for (std::uint32_t e = polygon[0].first; e < polygon[1].first; ++e) {
            const float* const known = carved.far->at() + std::size_t{baked.vertices()[e]} * stride;
            const auto off = static_cast<float>(distance(at, baked.edges()[e].from));
            for (std::uint32_t i = 0; i + 1 < stride; ++i) {
                low[i] = std::max(low[i], known[i] - off);
                high[i] = std::min(high[i], known[i] + off);
            }
        }
        float unsure = 0.0F;
        for (std::uint32_t i = 0; i + 1 < stride; ++i) {
            row[i] = (low[i] + high[i]) / 2.0F;
            unsure = std::max(unsure, high[i] - row[i]);
        }
        row[stride - 1] = unsure;
    }
    count_steps(draft, *out);
    return out;
}

}  // namespace fairlead::mesh
