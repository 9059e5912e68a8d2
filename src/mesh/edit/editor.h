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
#include <fairlead/mesh/save_mesh.h>

#include "base/revisions.h"
#include "mesh/data/state.h"
#include "mesh/data/stitch.h"
#include "mesh/data/tile_builder.h"
#include "mesh/edit/carve.h"
#include "mesh/edit/components.h"
#include "mesh/edit/footprint.h"

namespace fairlead::mesh {

/// Where the footprint of an obstacle is kept. Ordered by id.
struct ObstacleEntry {
    std::int64_t id = 0;
    std::uint32_t place = 0;
};

/// A wall as something to compare.
struct WallEnds {
    Vec2 a{};
    Vec2 b{};
    double za = 0.0;
    double zb = 0.0;
};

struct StoredLink;  // mesh/files/link_records.h

/// What a saved mesh knows beyond its options.
struct StoredParts {
    std::int32_t quantum_exponent = 0;   ///< of StateData::quantum
    std::span<const float> landmarks{};  ///< checked; by tile and vertex a row. Empty: they are measured
    std::uint32_t* at_tile = nullptr;    ///< where to say which tile is being built
    const StoredLink* links =
        nullptr;  ///< checked, by id. They are put in here, not by NavMeshOptions::links
    std::uint32_t link_count = 0;
    std::uint64_t* link_room = nullptr;  ///< parts of links that there may be; 0 afterwards: there are more
    std::uint64_t gate_work_max = UINT64_MAX;  ///< GateFinder::work_max
    bool* too_many_gates = nullptr;            ///< where to say that this was not enough
};

/// Are the numbers in their ranges? Errors: not_finite, out_of_range.
[[nodiscard]] Result<void> check_frame(const MeshFrame& frame);
[[nodiscard]] Result<void> check_link(const MeshLink& link);

/// Bits of references in a tile that belongs to no mesh.
inline constexpr std::uint32_t kLoneTileBits = 31;

/// Does a tile name its vertices in the order in which their first sides come, each in one fan? From
/// TileBuilder::source_vertices.
[[nodiscard]] bool numbers_in_order(std::span<const std::uint32_t> source_vertices, const NavMeshTile& tile);

/// Of the lattice of new vertices.
inline constexpr int kQuantumExponentMin = -1000;
inline constexpr int kQuantumExponentMax = -10;

struct EditorData {
    explicit EditorData(const Allocator& a)
        : revisions(a),
          builder(a),
          carver(a),
          gate_finder(a),
          gates(a),
          components(a),
          rules{},
          footprints(a),
          given(a),
          entries(a),
          draft_entries(a),
          free_places(a),
          touched(a),
          places(a),
          changes(a),
          walls_before(a),
          walls_after(a),
          regated(a),
          recut(a),
          at_hand(a),
          marks(a),
          old_pieces(a) {}

    ~EditorData();
    EditorData(const EditorData&) = delete;
    EditorData& operator=(const EditorData&) = delete;

    Revisions<StateData> revisions;
    EditorData* plain = nullptr;  ///< the layer without gates; null: this is it
    TileBuilder builder;
    Carver carver;
    GateFinder gate_finder;
    Watch watch;        ///< of a mesh that is being made
    Array<Gate> gates;  ///< of one tile
    ComponentFinder components;
    FootprintRules rules;
    Array<Footprint> footprints;  ///< of all obstacles, with gaps
    Array<MeshObstacle> given;    ///< what they were made from; not of the layer without gates
    Array<ObstacleEntry> entries;
    Array<ObstacleEntry> draft_entries;  ///< what they become
    Array<std::uint32_t> free_places;    ///< gaps in footprints
    Array<std::uint32_t> touched;        ///< slots whose tile must be cut anew
    Array<TilePlace> places;             ///< and where they are
    Array<Aabb> changes;                 ///< where walls may have changed
    Array<WallEnds> walls_before;        ///< of one tile
    Array<WallEnds> walls_after;
    Array<std::uint32_t> regated;        ///< slots where gates may have changed, x 2; + 1: only they may
    Array<TilePlace> recut;              ///< tiles that were cut anew for them
    Array<Footprint> at_hand;            ///< those of one tile
    Array<std::uint32_t> marks;          ///< of one pass over obstacles or links
    Array<LinkPiece> old_pieces;         ///< of the revision before
    std::uint64_t* link_room = nullptr;  ///< of a mesh that is being loaded: StoredParts::link_room
    bool links_edited = false;           ///< since their pieces were made
    bool is_under =
        false;  ///< it is the layer without gates of another one: links and heights are not its business

    /// The first revision, from checked options.
    [[nodiscard]] Result<void> build(const NavMeshOptions& options, const StoredParts* stored = nullptr);
    [[nodiscard]] Result<void> apply(std::span<const MeshEdit> edits);
    [[nodiscard]] Result<void> set_tile(const NavMeshTile& tile);
    [[nodiscard]] Result<void> remove_tile(std::int32_t x, std::int32_t y);
    [[nodiscard]] Result<void> survey(std::uint32_t landmarks);

  private:
    [[nodiscard]] Result<Tile*> build_tile(const NavMeshTile& source, std::uint32_t slot,
                                           std::span<const float> gaps = {});
    [[nodiscard]] bool place_heights(const NavMeshTile& source, std::uint32_t slot);
    [[nodiscard]] Result<void> edit_entries(std::span<const MeshEdit> edits);
    [[nodiscard]] Result<void> edit_entry(const MeshEdit& edit, std::int64_t number);
    [[nodiscard]] Result<void> edit_link(const MeshEdit& edit, std::int64_t number);
    [[nodiscard]] Result<void> put_links(std::span<const MeshLink> links);
    [[nodiscard]] Result<void> put_stored_links(const StoredParts& stored);
    void wake_stored_links(const StoredParts& stored);
    void place_links();
    [[nodiscard]] bool renew_links(std::span<const TilePlace> changed);
    [[nodiscard]] bool touch(const Footprint& footprint);
    [[nodiscard]] Result<void> cut_tile(std::uint32_t slot);
    [[nodiscard]] Result<void> renew_tile(std::uint32_t slot);
    [[nodiscard]] Result<void> gate_tiles(std::span<const TilePlace> changed);
    [[nodiscard]] bool note_changes();
    [[nodiscard]] bool note_square(TilePlace place);
    [[nodiscard]] bool compare_walls(const Tile& before, const Tile& after);
    [[nodiscard]] bool list_regated(std::span<const TilePlace> changed);
    [[nodiscard]] Result<void> join_tiles(std::span<const TilePlace> changed);
    [[nodiscard]] bool own_around(TilePlace place);
    [[nodiscard]] Result<void> settle(std::span<const TilePlace> changed, bool whole = false);
    void renew_box(std::span<const TilePlace> changed);
    [[nodiscard]] Result<void> prepare(std::span<const MeshEdit> edits);
    [[nodiscard]] Result<void> prepare_tile(const NavMeshTile& tile);
    [[nodiscard]] Result<void> prepare_removal(TilePlace place);
    [[nodiscard]] Result<void> build_plain(const NavMeshOptions& options, const StoredParts* stored);
    Result<void> finish(const Result<void>& prepared);
    [[nodiscard]] Result<void> survey_draft(std::uint32_t landmarks);
    [[nodiscard]] bool list_free_places();
    [[nodiscard]] bool clear_slot(std::uint32_t slot);
    [[nodiscard]] Result<void> place_tile(const NavMeshTile& source);
    [[nodiscard]] bool drop_landmarks();
    [[nodiscard]] bool order_tiles();
    void free_work();
};

}  // namespace fairlead::mesh
