// Hierarchies to bytes and back. Sections OPTS (width, height, layers, sizes), GRND (level 0) and UPPR (the others); in both the clusters
// of each size, level, layer, row.
#include "grid/hierarchy/hierarchy_file.h"

#include <fairlead/base/digest.h>

#include "base/no_memory.h"
#include "grid/hierarchy/hierarchy.h"
#include "grid/portals.h"

namespace fairlead {

namespace grid {

namespace {

void hash_cells(const StateData& state, const Body& body, Digest& digest) {
    const std::int32_t words = (state.width + 63) / 64;
    for (std::int32_t layer = 0; layer < state.layers; ++layer) {
        const Lines lines = state.row_lines(body, layer);
        for (std::int32_t y = 0; y < state.height; ++y) {
            const std::uint64_t* line = lines.line(y);
            for (std::int32_t w = 0; w < words; ++w) digest.add(line[w]);
        }
    }
}

// Calls visit(level, chunk) for each cluster of a size, in the order of the file.
template <class Visit>
void each_cluster(const StateData& state, const Body& body, const Visit& visit) {
    for (std::int32_t level = 0; level < body.cluster_levels; ++level) {
        for (std::int32_t layer = 0; layer < state.layers; ++layer) {
            const ClusterGrid grid = ClusterGrid::of(state, body, level, layer);
            for (std::int32_t y = 0; y < grid.down; ++y) {
                for (std::int32_t x = 0; x < grid.across; ++x) visit(level, state.chunks[grid.chunk(x, y)]);
            }
        }
    }
}

std::int64_t stale(HierarchyStale what) { return static_cast<std::int64_t>(what); }

}  // namespace

HierarchyKey HierarchyKey::of(const StateData& state) {
    Digest options, tiles;
    for (const std::int32_t side : {state.width, state.height, state.layers}) options.add(side);
    options.add(std::int32_t{state.wrap_x ? 1 : 0} + (state.wrap_y ? 2 : 0));
    if (state.portal_count != 0) {
        for (const PortalPlace& place : state.portal_tables->places) options.add(place.state);
    }
    for (std::int32_t b = 0; b < state.body_count; ++b) {
        options.add(static_cast<std::int64_t>(state.bodies[b].key));
        hash_cells(state, state.bodies[b], tiles);
    }
    return {options.value(), tiles.value()};
}

Result<HierarchyFile> HierarchyFile::open(const GridState& grid, std::span<const std::uint8_t> bytes) {
    const Result<BakedFile> file =
        BakedFile::open(bytes, {.kind = kBakedHierarchy, .major = kHierarchyMajor});
    if (!file) return file.error();
    const HierarchyKey key = HierarchyKey::of(grid.data());
    if (file->header().options_hash != key.options)
        return Error{ErrorCode::incompatible, -1, stale(HierarchyStale::options)};
    if (file->header().source_hash != key.tiles)
        return Error{ErrorCode::incompatible, -1, stale(HierarchyStale::tiles)};
    const Result<BakedSection> ground = file->section(kGroundSection.id, kGroundSection.stride);
    if (!ground) return ground.error();
    const Result<BakedSection> upper = file->section(kUpperSection.id, kUpperSection.stride);
    if (!upper) return upper.error();
    return HierarchyFile(StoredClusters(ground->reader, upper->reader));
}

Result<void> HierarchyFile::load(EditorData& editor, const Body& body) {
    constexpr std::int64_t kGroundAt = 1, kUpperAt = 2;
    const bool good = load_hierarchy(editor, body, stored_);
    if (!good && !stored_.wrong()) return kNoMemory;
    const StateData& state = *editor.state;
    const bool last = &body == state.bodies + state.body_count - 1;
    if (good && (!last || stored_.at_end())) return {};
    return Error{ErrorCode::baked_value, stored_.in_upper() ? kUpperAt : kGroundAt, 0};
}

}  // namespace grid

Result<void> save_hierarchy(const GridState& grid, Array<std::uint8_t>& out) {
    using namespace grid;
    const StateData& state = grid.data();
    if (!state.hierarchy) return Error{ErrorCode::unsupported, -1, 0};
    const HierarchyKey key = HierarchyKey::of(state);
    BakedWriter file({.kind = kBakedHierarchy,
                      .major = kHierarchyMajor,
                      .options_hash = key.options,
                      .source_hash = key.tiles},
                     out.allocator());
    ByteWriter& options = file.begin(kHierarchyOptions.id, kHierarchyOptions.stride);
    for (const std::int32_t n : {state.width, state.height, state.layers, state.body_count}) options.put(n);
    for (const bool upper : {false, true}) {
        const SectionKind& kind = upper ? kUpperSection : kGroundSection;
        ByteWriter& writer = file.begin(kind.id, kind.stride);
        for (std::int32_t b = 0; b < state.body_count; ++b) {
            each_cluster(state, state.bodies[b], [&](std::int32_t level, const std::uint64_t* chunk) {
                if ((level > 0) != upper) return;
                if (upper) put_stored(writer, UpperCluster::at(chunk));
                if (!upper) put_stored(writer, Cluster::at(chunk));
            });
        }
    }
    return file.finish(out);
}

}  // namespace fairlead
