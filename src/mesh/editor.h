// EditorData: the owner's side of a mesh: its obstacles, and how a revision is made from the one before.
//
// With gates there are two layers: a plain mesh, baked tiles with obstacles cut out, where the gates are found; and the
// mesh that is published, the same with gates as sides of polygons. So gates never depend on gates that were there before.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>

#include "base/revisions.h"
#include "mesh/carve.h"
#include "mesh/footprint.h"
#include "mesh/state.h"
#include "mesh/stitch.h"
#include "mesh/tile_builder.h"

namespace fairlead::mesh {

/// Where the footprint of an obstacle is kept. Ordered by id.
struct ObstacleEntry {
    std::int64_t id = 0;
    std::uint32_t place = 0;
};

struct EditorData {
    explicit EditorData(const Allocator& a)
        : revisions(a),
          builder(a),
          carver(a),
          gate_finder(a),
          gates(a),
          rules{},
          footprints(a),
          entries(a),
          draft_entries(a),
          free_places(a),
          touched(a),
          places(a),
          gated(a),
          at_hand(a),
          parent(a),
          old_pieces(a) {}

    ~EditorData();
    EditorData(const EditorData&) = delete;
    EditorData& operator=(const EditorData&) = delete;

    Revisions<StateData> revisions;
    EditorData* plain = nullptr;  ///< the layer without gates; null: this is it
    TileBuilder builder;
    Carver carver;
    GateFinder gate_finder;
    Array<Gate> gates;  ///< of one tile
    FootprintRules rules;
    Array<Footprint> footprints;  ///< of all obstacles, with gaps
    Array<ObstacleEntry> entries;
    Array<ObstacleEntry> draft_entries;  ///< what they become
    Array<std::uint32_t> free_places;    ///< gaps in footprints
    Array<std::uint32_t> touched;        ///< slots whose tile must be cut anew
    Array<TilePlace> places;             ///< and where they are
    Array<TilePlace> gated;              ///< where gates may have changed
    Array<Footprint> at_hand;            ///< those of one tile
    Array<std::uint32_t> parent;
    Array<LinkPiece> old_pieces;  ///< of the revision before
    bool is_under = false;  ///< it is the layer without gates of another one: links are not its business

    /// The first revision, from checked options.
    [[nodiscard]] Result<void> build(const NavMeshOptions& options);
    [[nodiscard]] Result<void> apply(std::span<const MeshEdit> edits);
    [[nodiscard]] Result<void> set_tile(const NavMeshTile& tile);
    [[nodiscard]] Result<void> remove_tile(std::int32_t x, std::int32_t y);
    [[nodiscard]] Result<void> survey(std::uint32_t landmarks);

  private:
    [[nodiscard]] Result<Tile*> build_tile(const NavMeshTile& source, std::uint32_t slot,
                                           std::span<const float> gaps = {});
    [[nodiscard]] Result<void> edit_entries(std::span<const MeshEdit> edits);
    [[nodiscard]] Result<void> edit_entry(const MeshEdit& edit, std::int64_t number);
    [[nodiscard]] Result<void> edit_link(const MeshEdit& edit, std::int64_t number);
    [[nodiscard]] Result<void> put_links(std::span<const MeshLink> links);
    void place_links();
    [[nodiscard]] bool renew_links(std::span<const TilePlace> changed);
    [[nodiscard]] bool touch(const Footprint& footprint);
    [[nodiscard]] Result<void> cut_tile(std::uint32_t slot);
    [[nodiscard]] Result<void> renew_tile(std::uint32_t slot);
    [[nodiscard]] Result<void> gate_tiles(std::span<const TilePlace> changed);
    [[nodiscard]] Result<void> join_tiles(std::span<const TilePlace> changed);
    [[nodiscard]] bool own_around(TilePlace place);
    [[nodiscard]] Result<void> settle(std::span<const TilePlace> changed);
    [[nodiscard]] Result<void> prepare(std::span<const MeshEdit> edits);
    [[nodiscard]] Result<void> prepare_tile(const NavMeshTile& tile);
    [[nodiscard]] Result<void> prepare_removal(TilePlace place);
    [[nodiscard]] Result<void> build_plain(const NavMeshOptions& options);
    Result<void> finish(const Result<void>& prepared);
    [[nodiscard]] Result<void> survey_draft(std::uint32_t landmarks);
    [[nodiscard]] bool number_components();
    [[nodiscard]] bool list_free_places();
    [[nodiscard]] bool clear_slot(std::uint32_t slot);
    [[nodiscard]] Result<void> place_tile(const NavMeshTile& source);
    [[nodiscard]] bool drop_landmarks();
    [[nodiscard]] bool order_tiles();
};

}  // namespace fairlead::mesh
