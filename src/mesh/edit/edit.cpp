// How revisions are made.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>

#include <fairlead/math/contact.h>

#include "base/no_memory.h"
#include "mesh/data/plane.h"
#include "mesh/data/stitch.h"
#include "mesh/edit/editor.h"
#include "mesh/search/landmarks.h"

namespace fairlead::mesh {

namespace {

// Bits for the place in a tile: enough for the largest, and four more where the slots leave room.
std::uint32_t reference_bits(const NavMeshOptions& options) {
    std::size_t most = 1;
    for (const NavMeshTile& tile : options.tiles) most = std::max(most, tile.polygon_corners.size());
    const auto needed = static_cast<std::uint32_t>(std::bit_width(most));
    // Room for twice the tiles, to stream some in.
    const auto slots = static_cast<std::uint32_t>(std::bit_width(2 * options.tiles.size() + 1));
    if (needed + slots >= 31) return 31 - std::min(slots, 30U);
    return std::min(std::max(needed + 4, 8U), 31 - slots);
}

// A power of two that is 2^-40 of the largest coordinate.
double lattice(const NavMeshOptions& options) {
    double most = options.tile_size;
    for (const NavMeshTile& tile : options.tiles) {
        for (const Vec3& v : tile.vertices) most = std::max({most, std::fabs(v.x), std::fabs(v.y)});
    }
    int exponent = 0;
    (void)std::frexp(most > 0.0 ? most : 1.0, &exponent);
    return std::ldexp(1.0, std::max(exponent - 40, kQuantumExponentMin));
}

// Is what touching may be off by small beside the radii that the mesh was made for? Point units have none.
bool serves_radii(const StateData& draft) {
    const double slack = draft.touching(), more = draft.radius_max - draft.agent_radius;
    return (draft.agent_radius <= 0.0 || contact_serves(slack, draft.agent_radius)) &&
           (more <= 0.0 || contact_serves(slack, draft.radius_max));
}

}  // namespace

bool numbers_in_order(std::span<const std::uint32_t> source_vertices, const NavMeshTile& tile) {
    if (source_vertices.size() != tile.vertices.size()) return false;
    for (std::uint32_t i = 0; i < source_vertices.size(); ++i) {
        if (source_vertices[i] != i) return false;
    }
    return true;
}

Result<Tile*> EditorData::build_tile(const NavMeshTile& source, std::uint32_t slot,
                                     std::span<const float> gaps) {
    const StateData& draft = *revisions.draft;
    NavMeshTile read_from = source;
    if (is_under || (source.heights.field.layers.empty() && draft.heights[slot] == nullptr))
        read_from.heights = {};
    const Result<void> read = builder.read(read_from, draft.tile_size, slot, draft.bits, gaps);
    if (!read) return read.error();
    void* const block = revisions.make_block(builder.bytes());
    if (block == nullptr) return kNoMemory;
    const Block head = *static_cast<Block*>(block);
    Tile* const tile = new (block) Tile;
    tile->block = head;
    builder.write(*tile);
    return Result<Tile*>(tile);
}

// The ground of a tile that is put in place; it stays when the tile is cut. False: out of memory.
bool EditorData::place_heights(const NavMeshTile& source, std::uint32_t slot) {
    StateData& draft = *revisions.draft;
    TileHeights* const old = draft.heights[slot];
    draft.heights[slot] = nullptr;
    if (old != nullptr && !revisions.give_up(&old->block)) return false;
    const HeightField& field = source.heights.field;
    if (is_under || field.layers.empty()) return true;
    void* const memory = revisions.make_block(TileHeights::bytes(field));
    if (memory == nullptr) return false;
    auto* const out = static_cast<TileHeights*>(memory);
    const Block head = out->block;
    *out = {.block = head,
            .cell_size = source.heights.cell_size,
            .cell_height = source.heights.cell_height,
            .low_x = source.heights.low_x,
            .low_y = source.heights.low_y,
            .layers = static_cast<std::uint32_t>(field.layers.size()),
            .rows = static_cast<std::uint32_t>(field.rows.size()),
            .blocks = static_cast<std::uint32_t>(field.blocks.size()),
            .words = static_cast<std::uint32_t>(field.words.size())};
    auto* at = reinterpret_cast<std::byte*>(out + 1);
    const auto copy = [&at](const auto& part) {
        if (!part.empty()) std::memcpy(at, part.data(), part.size_bytes());
        at += part.size_bytes();
    };
    copy(field.layers);
    copy(field.rows);
    copy(field.blocks);
    copy(field.words);
    draft.heights[slot] = out;
    return true;
}

// The slots in use by place. False: out of memory, or two tiles have one place.
bool EditorData::order_tiles() {
    StateData& draft = *revisions.draft;
    draft.order.clear();
    draft.raster = {{kMeshSpan, kMeshSpan}, {-kMeshSpan, -kMeshSpan}};
    for (std::uint32_t slot = 0; slot < draft.tiles.size(); ++slot) {
        const Tile* const tile = draft.tiles[slot].tile;
        if (tile == nullptr) continue;
        if (!draft.order.push_back(slot)) return false;
        include(draft.raster, Vec2{static_cast<double>(tile->x), static_cast<double>(tile->y)});
    }
    // total order: places differ, or it is an error
    std::sort(draft.order.begin(), draft.order.end(), [&](std::uint32_t i, std::uint32_t k) {  // total order
        const TileSummary &p = draft.summaries[i], &q = draft.summaries[k];
        return p.y != q.y ? p.y < q.y : p.x != q.x ? p.x < q.x : i < k;
    });
    return true;
}

Result<void> EditorData::build(const NavMeshOptions& options, const StoredParts* stored) {
    if (!revisions.begin()) return kNoMemory;
    StateData& draft = *revisions.draft;
    draft.origin = options.origin;
    draft.tile_size = options.tile_size;
    draft.step_height = options.step_height;
    draft.bits = reference_bits(options);
    draft.mask = (1U << draft.bits) - 1;
    draft.quantum = stored != nullptr ? std::ldexp(1.0, stored->quantum_exponent) : lattice(options);
    draft.agent_radius = options.agent_radius;
    draft.agent_height = options.agent_height;
    draft.radius_max = options.radius_max;
    draft.gap_max =
        options.radius_max > options.agent_radius ? 2.0 * (options.radius_max - options.agent_radius) : 0.0;
    rules = {options.origin, options.agent_radius, options.agent_height, draft.quantum};
    const auto tiles = static_cast<std::uint32_t>(options.tiles.size());
    if (!draft.tiles.resize(tiles) || !draft.far.resize(tiles) || !draft.baked.resize(tiles) ||
        !draft.baked_far.resize(tiles) || !draft.gate_keys.resize(tiles) || !draft.heights.resize(tiles) ||
        !draft.summaries.resize(tiles) || !draft.labels.resize(tiles)) {
        return kNoMemory;
    }
    for (std::uint32_t slot = 0; slot < tiles; ++slot) {
        if (stored != nullptr) *stored->at_tile = slot;
        const Result<Tile*> tile = build_tile(options.tiles[slot], slot);
        if (!tile) return tile.error();
        draft.set_tile(slot, *tile);
        if (stored != nullptr && !numbers_in_order(builder.source_vertices(), options.tiles[slot]))
            return Error{ErrorCode::incompatible, -1, 0};
        if (!place_heights(options.tiles[slot], slot)) return kNoMemory;
    }
    free_work();
    if (!order_tiles()) return kNoMemory;
    for (std::size_t i = 1; i < draft.order.size(); ++i) {
        const Tile& p = *draft.tiles[draft.order[i - 1]].tile;
        const Tile& q = *draft.tiles[draft.order[i]].tile;
        if (p.x == q.x && p.y == q.y) {
            return Error{ErrorCode::incompatible, draft.order[i],
                         static_cast<std::int64_t>(NavMeshRule::tile_twice)};
        }
    }
    stitch_all(draft);
    number_tiles(draft);
    bound_tiles(draft);
    if (!serves_radii(draft)) return Error{ErrorCode::out_of_range, -1, 0};
    if (!components.find_all(revisions)) return kNoMemory;
    link_room = stored != nullptr ? stored->link_room : nullptr;
    // A landmark is one part, and so is a tile with gates.
    watch.progress = options.progress;
    watch.all =
        (options.landmarks > 0 ? options.landmarks + 1 : 0) + (draft.gap_max > 0.0 ? draft.order.size() : 0);
    const Result<void> linked = stored != nullptr ? put_stored_links(*stored) : put_links(options.links);
    if (!linked) return linked;
    if (!renew_links({})) return kNoMemory;
    const bool marked = stored != nullptr && !stored->landmarks.empty()
                            ? adopt_landmarks(revisions, options.landmarks, stored->landmarks)
                            : mesh::measure_landmarks(revisions, options.landmarks, &watch);
    if (watch.stopped) return Error{ErrorCode::cancelled};
    if (!marked) return kNoMemory;
    if (stored != nullptr) wake_stored_links(*stored);
    if (stored != nullptr && !renew_links({})) return kNoMemory;
    if (draft.gap_max > 0.0) {
        const Result<void> under = build_plain(options, stored);
        if (!under) return under;
        places.clear();
        changes.clear();
        for (const std::uint32_t slot : draft.order) {
            if (!places.push_back({draft.tiles[slot].tile->x, draft.tiles[slot].tile->y})) return kNoMemory;
        }
        const std::uint64_t work_max = stored != nullptr ? stored->gate_work_max : options.gate_work_max;
        gate_finder.work_max = work_max;
        gate_finder.watch = carver.watch = &watch;
        watch.done = watch.all - draft.order.size();
        const Result<void> settled = settle(places.span());
        if (!settled) {
            if (stored == nullptr && gate_finder.exhausted())
                return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(work_max)};
            if (stored != nullptr) *stored->too_many_gates = settled.error().code == ErrorCode::size_limit;
            return settled;
        }
        free_work();
    }
    watch = {};
    if (!revisions.ready()) return kNoMemory;
    revisions.commit();
    link_room = nullptr;
    return {};
}

// What tiles are built with may be as large as the largest tile: many meshes are never edited.
void EditorData::free_work() {
    const Allocator& a = revisions.allocator;
    builder = TileBuilder(a);
    carver = Carver(a);
    gate_finder = GateFinder(a);
    for (Array<WallEnds>* walls : {&walls_before, &walls_after}) walls->free_memory();
    gates.free_memory();
}

// The layer without gates: the same tiles, nothing else.
Result<void> EditorData::build_plain(const NavMeshOptions& options, const StoredParts* stored) {
    const Allocator& a = revisions.allocator;
    void* memory = a.allocate(sizeof(EditorData), alignof(EditorData), a.user);
    if (memory == nullptr) return kNoMemory;
    plain = new (memory) EditorData(a);
    NavMeshOptions bare = options;
    bare.radius_max = 0.0;
    bare.landmarks = 0;
    bare.links = {};
    plain->is_under = true;
    StoredParts bare_parts;
    if (stored != nullptr) {
        bare_parts.quantum_exponent = stored->quantum_exponent;
        bare_parts.at_tile = stored->at_tile;
    }
    return plain->build(bare, stored != nullptr ? &bare_parts : nullptr);
}

EditorData::~EditorData() {
    revisions.drop();
    revisions.destroy();
    if (plain == nullptr) return;
    const Allocator a = revisions.allocator;
    plain->~EditorData();
    a.release(plain, sizeof(EditorData), alignof(EditorData), a.user);
}

// What was prepared becomes the current revision, or is forgotten; on both layers.
Result<void> EditorData::finish(const Result<void>& prepared) {
    if (plain != nullptr) (void)plain->finish(prepared);
    if (prepared && revisions.draft != nullptr) {
        revisions.commit();
        std::swap(entries, draft_entries);
    } else {
        revisions.drop();
    }
    // Without memory for the list the gaps are filled after the next edit.
    if (entries.size() + free_places.size() != footprints.size() && !list_free_places()) free_places.clear();
    return prepared ? Result<void>{} : Result<void>{prepared.error()};
}

// ---- obstacles -----------------------------------------------------------------------------------------------

Result<void> EditorData::edit_entry(const MeshEdit& edit, std::int64_t number) {
    const auto before = [](const ObstacleEntry& entry, std::int64_t id) { return entry.id < id; };
    ObstacleEntry* at = std::lower_bound(draft_entries.begin(), draft_entries.end(), edit.id, before);
    const bool known = at != draft_entries.end() && at->id == edit.id;
    if (edit.kind == MeshEdit::Kind::add && known) return Error{ErrorCode::duplicate_id, number, edit.id};
    if (edit.kind != MeshEdit::Kind::add && !known) return Error{ErrorCode::unknown_id, number, edit.id};
    if (known && !touch(footprints[at->place])) return kNoMemory;
    if (edit.kind == MeshEdit::Kind::remove) {
        std::copy(at + 1, draft_entries.end(), at);
        draft_entries.pop_back();
        return {};
    }
    const Result<void> good = check_obstacle(edit.obstacle);
    if (!good) return Error{good.error().code, number, good.error().detail};
    const Footprint footprint = make_footprint(edit.obstacle, rules);
    if (footprint.count < 3)
        return Error{ErrorCode::incompatible, number, static_cast<std::int64_t>(NavMeshRule::not_convex)};
    auto place = static_cast<std::uint32_t>(footprints.size());
    if (!free_places.empty()) {
        place = free_places.back();
        free_places.pop_back();
        footprints[place] = footprint;
    } else if (!footprints.push_back(footprint)) {
        return kNoMemory;
    }
    if (!is_under) {
        if (given.size() <= place && !given.resize(std::size_t{place} + 1)) return kNoMemory;
        given[place] = edit.obstacle;
    }
    if (!touch(footprint)) return kNoMemory;
    if (known) {
        at->place = place;
        return {};
    }
    const auto index = static_cast<std::size_t>(at - draft_entries.begin());
    if (!draft_entries.push_back({})) return kNoMemory;
    for (std::size_t i = draft_entries.size() - 1; i > index; --i) draft_entries[i] = draft_entries[i - 1];
    draft_entries[index] = {edit.id, place};
    return {};
}

Result<void> EditorData::edit_entries(std::span<const MeshEdit> edits) {
    touched.clear();
    if (!draft_entries.assign(entries.span())) return kNoMemory;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        const bool of_link = edits[i].kind >= MeshEdit::Kind::add_link;
        if (of_link && is_under) continue;
        const Result<void> done = of_link ? edit_link(edits[i], number) : edit_entry(edits[i], number);
        if (!done) return done;
    }
    // total order: numbers
    std::sort(touched.begin(), touched.end());  // total order
    const auto kept = static_cast<std::size_t>(std::unique(touched.begin(), touched.end()) - touched.begin());
    while (touched.size() > kept) touched.pop_back();
    return {};
}

// The tiles whose square, border included, the footprint meets.
bool EditorData::touch(const Footprint& footprint) {
    return revisions.draft->each_slot(footprint.box,
                                      [this](std::uint32_t slot) { return touched.push_back(slot); });
}

// Cuts a tile anew from its baked form, without gates.
Result<void> EditorData::cut_tile(std::uint32_t slot) {
    gates.clear();
    return renew_tile(slot);
}

// From the baked form, the obstacles and the gates at hand.
Result<void> EditorData::renew_tile(std::uint32_t slot) {
    StateData& draft = *revisions.draft;
    Tile* const active = draft.tiles[slot].tile;
    TileLandmarks* const active_far = draft.far[slot];
    const bool was_cut = draft.baked[slot] != nullptr;
    Tile* const baked = was_cut ? draft.baked[slot] : active;
    TileLandmarks* const baked_far = was_cut ? draft.baked_far[slot] : active_far;
    const double size = draft.tile_size;
    const Aabb square = size > 0.0 ? tile_square(baked->x, baked->y, size) : baked->box;
    draft.gate_keys[slot] = key_of(gates.span());
    at_hand.clear();
    for (const ObstacleEntry& entry : draft_entries) {
        const Footprint& footprint = footprints[entry.place];
        if (overlaps(footprint.box, square) && !at_hand.push_back(footprint)) return kNoMemory;
    }
    if (at_hand.empty() && gates.empty()) {
        if (!was_cut) return {};
        // As it was baked; its border is joined anew, so it is a copy.
        Tile* const copy = static_cast<Tile*>(revisions.copy_block(&baked->block));
        if (copy == nullptr) return kNoMemory;
        draft.baked[slot] = nullptr;
        draft.baked_far[slot] = nullptr;
        draft.far[slot] = baked_far;
        draft.set_tile(slot, copy);
        if (!revisions.give_up(&active->block)) return kNoMemory;
        return active_far == nullptr || revisions.give_up(&active_far->block) ? Result<void>{}
                                                                              : Result<void>{kNoMemory};
    }
    const CarveRules carve_rules{size, draft.quantum, rules.height, draft.mask};
    const Result<void> carved = carver.carve(*baked, at_hand.span(), gates.span(), carve_rules);
    if (!carved) return Error{carved.error().code, -1, carved.error().detail};
    const Result<Tile*> tile = build_tile(carver.result(), slot, carver.gaps());
    if (!tile) return Error{tile.error().code, -1, tile.error().detail};
    TileLandmarks* far = nullptr;
    if (baked_far != nullptr) {
        far =
            carve_landmarks(revisions, {baked, baked_far, builder.source_vertices(), carver.result().vertices,
                                        carver.baked_vertices(), carver.baked_polygons()});
    }
    // From here on the draft knows all blocks, so that dropping it frees them.
    draft.far[slot] = far;
    draft.set_tile(slot, *tile);
    if (was_cut) {
        if (!revisions.give_up(&active->block)) return kNoMemory;
        if (active_far != nullptr && !revisions.give_up(&active_far->block)) return kNoMemory;
    } else {
        draft.baked[slot] = baked;
        draft.baked_far[slot] = baked_far;
    }
    return baked_far != nullptr && far == nullptr ? Result<void>{kNoMemory} : Result<void>{};
}

// Borders and corners at places that have other tiles now.
Result<void> EditorData::join_tiles(std::span<const TilePlace> changed) {
    StateData& draft = *revisions.draft;
    if (draft.tile_size <= 0.0) return {};
    for (const TilePlace place : changed) {
        if (!own_around(place)) return kNoMemory;
    }
    for (const TilePlace place : changed) stitch_around(draft, place);
    for (const TilePlace place : changed) find_corners_around(draft, place);
    return {};
}

// The tiles around a place that changed get copies that may be written: their twins and corners change.
bool EditorData::own_around(TilePlace place) {
    StateData& draft = *revisions.draft;
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::uint32_t slot = draft.find_tile(place.x + dx, place.y + dy);
            if (slot == kNone || revisions.is_new(&draft.tiles[slot].tile->block)) continue;
            Tile* const copy = static_cast<Tile*>(revisions.copy_block(&draft.tiles[slot].tile->block));
            if (copy == nullptr) return false;
            draft.set_tile(slot, copy);
        }
    }
    return true;
}

// Borders, gates, numbers and components of a draft that has changed at some places. `whole`: its components are not those of the
// current revision.
Result<void> EditorData::settle(std::span<const TilePlace> changed, bool whole) {
    StateData& draft = *revisions.draft;
    const Result<void> done = plain != nullptr ? gate_tiles(changed) : join_tiles(changed);
    if (!done) return done;
    const std::span<const TilePlace> renewed = plain != nullptr ? recut.span() : changed;
    number_tiles(draft);
    renew_box(renewed);
    if (!serves_radii(draft)) return Error{ErrorCode::out_of_range, -1, 0};
    const bool joined = whole || revisions.state == nullptr ? components.find_all(revisions)
                                                            : components.renew(revisions, renewed);
    return joined && renew_links(renewed) && revisions.ready() ? Result<void>{} : Result<void>{kNoMemory};
}

// The box around all polygons. All tiles are asked only where one was on its border.
void EditorData::renew_box(std::span<const TilePlace> changed) {
    StateData& draft = *revisions.draft;
    if (revisions.state == nullptr) return bound_tiles(draft);
    for (const TilePlace place : changed) {
        const std::uint32_t before = revisions.state->find_tile(place.x, place.y);
        const std::uint32_t slot = draft.find_tile(place.x, place.y);
        if (before != kNone) {
            const Aabb& old = revisions.state->tiles[before].tile->box;
            if (old.low.x == draft.box.low.x || old.low.y == draft.box.low.y ||
                old.high.x == draft.box.high.x || old.high.y == draft.box.high.y) {
                return bound_tiles(draft);
            }
        }
        if (slot != kNone) include(draft.box, draft.tiles[slot].tile->box);
    }
}

// The places of footprints that no obstacle has.
bool EditorData::list_free_places() {
    free_places.clear();
    if (!marks.resize(0) || !marks.resize(footprints.size()) || !free_places.reserve(footprints.size()))
        return false;
    for (const ObstacleEntry& entry : entries) marks[entry.place] = 1;
    for (std::uint32_t place = 0; place < footprints.size(); ++place) {
        if (marks[place] == 0 && !free_places.push_back(place)) return false;
    }
    return true;
}

Result<void> EditorData::apply(std::span<const MeshEdit> edits) {
    return edits.empty() ? Result<void>{} : finish(prepare(edits));
}

Result<void> EditorData::prepare(std::span<const MeshEdit> edits) {
    if (plain != nullptr) {
        const Result<void> under = plain->prepare(edits);
        if (!under) return under;
    }
    if (!revisions.begin()) return kNoMemory;
    const Result<void> edited = edit_entries(edits);
    if (!edited) return edited;
    places.clear();
    for (const std::uint32_t slot : touched) {
        const Tile& tile = *revisions.draft->tiles[slot].tile;
        if (!places.push_back({tile.x, tile.y})) return kNoMemory;
        if (plain != nullptr) continue;  // the gates come first
        const Result<void> cut = cut_tile(slot);
        if (!cut) return cut;
    }
    if (plain != nullptr && !note_changes()) return kNoMemory;
    return settle(places.span());
}

}  // namespace fairlead::mesh
