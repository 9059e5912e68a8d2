// Tiles that come and go, and landmarks measured anew.
#include "base/no_memory.h"
#include "mesh/data/stitch.h"
#include "mesh/edit/editor.h"
#include "mesh/search/landmarks.h"

namespace fairlead::mesh {

// New ways may be shorter than the landmarks know.
bool EditorData::drop_landmarks() {
    StateData& draft = *revisions.draft;
    draft.landmarks = 0;
    for (std::uint32_t slot = 0; slot < draft.tiles.size(); ++slot) {
        for (TileLandmarks** far : {&draft.far[slot], &draft.baked_far[slot]}) {
            TileLandmarks* const old = *far;
            *far = nullptr;
            if (old != nullptr && !revisions.give_up(&old->block)) return false;
        }
        draft.set_tile(slot, draft.tiles[slot].tile);
    }
    return true;
}

// Takes the tile of a slot out of the draft.
bool EditorData::clear_slot(std::uint32_t slot) {
    StateData& draft = *revisions.draft;
    Tile* const active = draft.tiles[slot].tile;
    Tile* const baked = draft.baked[slot];
    draft.set_tile(slot, nullptr);
    draft.baked[slot] = nullptr;
    draft.gate_keys[slot] = {};
    TileHeights* const heights = draft.heights[slot];
    draft.heights[slot] = nullptr;
    return (active == nullptr || revisions.give_up(&active->block)) &&
           (baked == nullptr || revisions.give_up(&baked->block)) &&
           (heights == nullptr || revisions.give_up(&heights->block));
}

// All of a tile has changed.
bool EditorData::note_square(TilePlace place) {
    changes.clear();
    return changes.push_back(tile_square(place.x, place.y, revisions.draft->tile_size));
}

Result<void> EditorData::place_tile(const NavMeshTile& source) {
    StateData& draft = *revisions.draft;
    std::uint32_t slot = draft.find_tile(source.x, source.y);
    if (slot != kNone) {
        if (!clear_slot(slot)) return kNoMemory;
    } else {
        slot = 0;
        while (slot < draft.tiles.size() && draft.tiles[slot].tile != nullptr) ++slot;
        if (slot == draft.tiles.size()) {
            if (std::uint64_t{slot} << draft.bits >= kNone >> 1)
                return Error{ErrorCode::size_limit, -1, slot};
            if (!draft.tiles.push_back({}) || !draft.far.push_back(nullptr) ||
                !draft.baked.push_back(nullptr) || !draft.baked_far.push_back(nullptr) ||
                !draft.gate_keys.push_back({}) || !draft.heights.push_back(nullptr) ||
                !draft.summaries.push_back({}) || !draft.labels.push_back(nullptr)) {
                return kNoMemory;
            }
        }
    }
    const Result<Tile*> tile = build_tile(source, slot);
    if (!tile) return tile.error();
    draft.set_tile(slot, *tile);
    if (!place_heights(source, slot) || !order_tiles()) return kNoMemory;
    return plain != nullptr ? Result<void>{} : cut_tile(slot);
}

Result<void> EditorData::set_tile(const NavMeshTile& source) {
    if (revisions.state->tile_size <= 0.0)
        return Error{ErrorCode::incompatible, -1, static_cast<std::int64_t>(NavMeshRule::tile_twice)};
    return finish(prepare_tile(source));
}

Result<void> EditorData::prepare_tile(const NavMeshTile& source) {
    if (plain != nullptr) {
        const Result<void> under = plain->prepare_tile(source);
        if (!under) return under;
    }
    if (!revisions.begin() || !draft_entries.assign(entries.span()) || !drop_landmarks()) return kNoMemory;
    const TilePlace place{source.x, source.y};
    const Result<void> placed = place_tile(source);
    if (!note_square(place)) return kNoMemory;
    return placed ? settle({&place, 1}) : placed;
}

Result<void> EditorData::remove_tile(std::int32_t x, std::int32_t y) {
    if (revisions.state->find_tile(x, y) == kNone) return Error{ErrorCode::unknown_id, -1, 0};
    return finish(prepare_removal({x, y}));
}

Result<void> EditorData::prepare_removal(TilePlace place) {
    if (plain != nullptr) {
        const Result<void> under = plain->prepare_removal(place);
        if (!under) return under;
    }
    if (!revisions.begin() || !draft_entries.assign(entries.span())) return kNoMemory;
    StateData& draft = *revisions.draft;
    const std::uint32_t slot = draft.find_tile(place.x, place.y);
    TileLandmarks* const old[] = {draft.far[slot], draft.baked_far[slot]};
    draft.far[slot] = draft.baked_far[slot] = nullptr;
    if (!clear_slot(slot) || !order_tiles()) return kNoMemory;
    for (TileLandmarks* far : old) {
        if (far != nullptr && !revisions.give_up(&far->block)) return kNoMemory;
    }
    if (!note_square(place)) return kNoMemory;
    return settle({&place, 1});
}

Result<void> EditorData::survey(std::uint32_t landmarks) {
    if (landmarks > kLandmarksMax) return Error{ErrorCode::out_of_range, Field::landmarks, landmarks};
    if (!revisions.begin()) return kNoMemory;
    return finish(survey_draft(landmarks));
}

// Obstacles go, and a bound must hold without them: they are taken out first, with the gates, and put back afterwards.
Result<void> EditorData::survey_draft(std::uint32_t landmarks) {
    StateData& draft = *revisions.draft;
    if (!drop_landmarks()) return kNoMemory;
    touched.clear();
    places.clear();
    draft_entries.clear();
    for (const std::uint32_t slot : draft.order) {
        if (draft.baked[slot] == nullptr) continue;
        const Tile& tile = *draft.baked[slot];
        if (!touched.push_back(slot) || !places.push_back({tile.x, tile.y})) return kNoMemory;
    }
    for (const std::uint32_t slot : touched) {
        const Result<void> bare = cut_tile(slot);
        if (!bare) return bare;
    }
    const Result<void> joined = join_tiles(places.span());
    if (!joined) return joined;
    number_tiles(draft);
    bound_tiles(draft);
    if (!components.find_all(revisions) || !renew_links(places.span()) ||
        !mesh::measure_landmarks(revisions, landmarks))
        return kNoMemory;
    if (!draft_entries.assign(entries.span())) return kNoMemory;
    for (std::size_t i = 0; i < touched.size() && plain == nullptr; ++i) {
        const Result<void> cut = cut_tile(touched[i]);
        if (!cut) return cut;
    }
    changes.clear();
    return settle(places.span(), true);
}

}  // namespace fairlead::mesh
