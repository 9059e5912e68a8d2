// EditorData: the owner's side of a grid: which chunks may be written, which old ones a snapshot still needs.
//
// A chunk knows the edit that made it, by its stamp. It may be written in place as long as no held snapshot is as new as
// the chunk; otherwise the edit copies it and the old one is *retired* until every snapshot between its birth
// and its replacement is released. Only the editing thread allocates, retires and frees; releasing a snapshot is
// one atomic decrement, and its memory is swept up by a later edit or acquire.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>

#include "grid/hierarchy/cluster_scratch.h"
#include "grid/portals.h"
#include "grid/state.h"

namespace fairlead::grid {

struct RetiredChunk {
    std::uint64_t* payload = nullptr;
    std::uint64_t birth = 0;  ///< needed by held states with stamps in [birth, death)
    std::uint64_t death = 0;
};

inline constexpr std::int32_t kHalfRows = 12;

/// The tiles that block points and doors of a half body (half_body.h).
struct HalfBlocking {
    std::int64_t key = 0;  ///< of the disc that they are of; 0: of none
    Array<BodyRow> rows[kHalfRows];
};

/// Buffers that edits reuse.
struct EditScratch {
    explicit EditScratch(const Allocator& allocator)
        : body(allocator),
          old_tiles(allocator),
          words(allocator),
          roots(allocator),
          numbers(allocator),
          ends(allocator) {
        for (HalfBlocking& size : half) {
            for (Array<BodyRow>& rows : size.rows) rows = Array<BodyRow>(allocator);
        }
    }
    Array<BodyRow> body;
    HalfBlocking half[kBodiesMax];  ///< by half body
    Array<std::uint8_t> old_tiles;
    Array<std::uint64_t> words;
    Array<std::uint32_t> roots;
    Array<std::uint32_t> numbers;
    Array<std::uint16_t> ends;
};

/// One end of a portal: the leaf that it lies in (connectivity.h) and its cell there. Sorted by leaf.
struct PortalEnd {
    std::uint32_t leaf = 0;
    std::uint16_t cell = 0;
};

struct EditorData {
    explicit EditorData(const Allocator& a)
        : allocator(a),
          held(a),
          retired(a),
          portals(a),
          portal_tables(a),
          portal_ends(a),
          half_portal_ends(a),
          scratch(a),
          clusters(a) {}

    Allocator allocator;
    StateData* state = nullptr;  ///< the current revision
    Array<StateData*> held;      ///< older revisions that snapshots hold, or held until the last sweep
    Array<RetiredChunk> retired;
    Array<Portal> portals;
    PortalTables portal_tables;
    Array<PortalEnd> portal_ends;
    Array<PortalEnd> half_portal_ends;    ///< in the leaves of half bodies
    std::uint64_t* guard = nullptr;       ///< one band of walls, shared by all tables
    std::uint64_t* half_guard = nullptr;  ///< the same for the half lattice's; null until one is made
    EditScratch scratch;
    ClusterScratch clusters;

    /// One past the newest stamp that a snapshot holds, 0 if none does, as of begin_edit(). Chunks born
    /// before it may be shared; those born in it or later are ours alone.
    std::uint64_t held_limit = 0;

    /// Of a draft (draft.h): the state is a copy that nobody else sees, `held_limit` stands, nothing is ever swept.
    bool draft = false;
    std::uint32_t bodies_wanted = UINT32_MAX;  ///< bit i: body i is kept up to date. All but in drafts
    std::uint32_t halves_wanted = UINT32_MAX;
    [[nodiscard]] bool wants(std::int32_t body) const { return ((bodies_wanted >> body) & 1U) != 0; }
    [[nodiscard]] bool wants_half(std::int32_t body) const { return ((halves_wanted >> body) & 1U) != 0; }

    /// Frees what no snapshot needs any more.
    void sweep();

    /// Finds the leaves of the state's portals' ends. False: out of memory.
    [[nodiscard]] bool list_portal_ends();

    /// Makes state one that no snapshot holds, with a stamp of its own. False: out of memory, nothing changed. The
    /// revision stays what it is until the edit has come to its end: one that fails is none.
    [[nodiscard]] bool begin_edit();
    void end_edit() { ++state->revision; }

    /// A new chunk with a zeroed payload, born in the current edit; null when memory runs out.
    [[nodiscard]] std::uint64_t* make_chunk(std::size_t words);
    /// The same, its payload unset.
    [[nodiscard]] std::uint64_t* make_raw_chunk(std::size_t words);
    void free_chunk(std::uint64_t* payload);

    /// Makes chunks[index] writable in place, copying it if a snapshot needs it. Null chunks stay null.
    [[nodiscard]] bool own(std::uint32_t index);

    /// Replaces chunks[index] by a copy of `words`, in place if it is ours and large enough.
    [[nodiscard]] bool put(std::uint32_t index, std::span<const std::uint64_t> words);

    void retire(std::uint64_t* payload);

    /// Ends the life of everything. All snapshots must have been released.
    void destroy();
};

/// Makes `to` another state with the same chunks, not held by anybody. False: out of memory.
[[nodiscard]] bool copy_state(StateData& to, const StateData& from);

[[nodiscard]] inline ChunkHeader& header_of(std::uint64_t* payload) {
    static_assert(sizeof(ChunkHeader) == 32);
    return *(reinterpret_cast<ChunkHeader*>(payload) - 1);
}

}  // namespace fairlead::grid
