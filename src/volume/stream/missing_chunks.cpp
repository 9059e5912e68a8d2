// Which chunks a query waits for. What is not there is solid: so a way that needs it leaves the free space of the start, or of a goal,
// through a face of a chunk that is there. Where no such face is left on one side, nothing that could be loaded helps.
#include <fairlead/volume/stream.h>

#include <algorithm>
#include <bit>

#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/sight.h>

#include "base/no_memory.h"
#include "volume/components/joins.h"
#include "volume/sight/check_unit.h"
#include "volume/sight/walk.h"
#include "volume/stream/chunk_box.h"

namespace fairlead {

namespace volume {

namespace {

/// The layer of a chunk at a face: of its bricks' voxels, cells and bricks.
struct FaceLayer {
    std::int32_t axis;
    bool high;

    [[nodiscard]] std::uint64_t voxels() const {
        const std::uint64_t low[3] = {kLowX, kLowY, kLowZ};
        const std::uint32_t shift[3] = {3, 12, 48};
        return high ? low[axis] << shift[axis] : low[axis];
    }
};

constexpr std::uint32_t kStart = 1;  ///< sides of a query
constexpr std::uint32_t kGoals = 2;

/// A component of free space, and whose it is.
struct SideOf {
    std::uint32_t label = 0;
    std::uint32_t sides = 0;
};

// Whose free space touches the face of a chunk that is there.
std::uint32_t sides_at(const StateData& state, Voxel chunk, FaceLayer face, std::span<const SideOf> of) {
    const std::uint64_t layer = face.voxels();
    std::uint32_t found = 0;
    for (std::int32_t i = 0; i < 256; ++i) {
        std::int32_t at[3];
        at[face.axis] = face.high ? 15 : 0;
        at[(face.axis + 1) % 3] = i & 15;
        at[(face.axis + 2) % 3] = i >> 4;
        const std::int32_t x = chunk.x * 16 + at[0], y = chunk.y * 16 + at[1], z = chunk.z * 16 + at[2];
        for (std::uint64_t left = state.free_bits(x, y, z) & layer; left != 0; left &= left - 1) {
            const std::int32_t b = std::countr_zero(left);
            const std::uint32_t label =
                label_of(state, {x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4)});
            for (const SideOf& side : of) found |= side.label == label ? side.sides : 0;
            if (found == (kStart | kGoals)) return found;
        }
    }
    return found;
}

// Whose is it that a missing chunk lies beside?
std::uint32_t sides_beside(const StateData& state, Voxel chunk, std::span<const SideOf> of) {
    std::uint32_t found = 0;
    for (std::int32_t face = 0; face < 6; ++face) {
        const std::int32_t* step = kFaceStep[face];
        const Voxel other{chunk.x + step[0], chunk.y + step[1], chunk.z + step[2]};
        if (state.is_chunk(other) && state.is_loaded(state.chunk_index(other.x, other.y, other.z)))
            found |= sides_at(state, other, {face >> 1, (face & 1) == 0}, of);
    }
    return found;
}

/// A missing chunk, and how long a way through it would be.
struct Candidate {
    double length = 0.0;
    Voxel chunk{};
};

class Missing {
  public:
    Missing(const VolumeState& volume, const VolumeQuery& query, Scratch& scratch)
        : volume_(volume),
          state_(volume.data()),
          query_(query),
          scratch_(scratch),
          found_(scratch.allocator()),
          sides_(scratch.allocator()) {}

    [[nodiscard]] Result<void> run(std::size_t most, Array<Voxel>& out) {
        if (!find_at_ends()) return kNoMemory;
        if (found_.empty()) {
            if (const Result<void> done = find_beside(); !done) return done;
        }
        const auto before = [](const Candidate& a, const Candidate& b) {
            if (a.length != b.length) return a.length < b.length;
            if (a.chunk.z != b.chunk.z) return a.chunk.z < b.chunk.z;
            return a.chunk.y != b.chunk.y ? a.chunk.y < b.chunk.y : a.chunk.x < b.chunk.x;
        };
        std::sort(found_.begin(), found_.end(), before);  // total order
        for (const Candidate& one : found_) {
            if (out.size() == most) break;
            if (!out.empty() && out.back() == one.chunk) continue;
            if (!out.push_back(one.chunk)) return kNoMemory;
        }
        return {};
    }

  private:
    [[nodiscard]] std::size_t goals() const {
        return query_.goal.is_list() ? query_.goal.list.size() : std::size_t{1};
    }
    [[nodiscard]] Vec3 goal(std::size_t i) const {
        return query_.goal.is_list() ? query_.goal.list[i].position : query_.goal.at.position;
    }
    [[nodiscard]] double length_by(Voxel chunk) const {
        const auto middle = [](std::int32_t at, std::int32_t size) {
            return 0.5 * (at * 64.0 + std::min(at * 64.0 + 64.0, 1.0 * size));
        };
        const Vec3 at = state_.in_world(
            {middle(chunk.x, state_.size.x), middle(chunk.y, state_.size.y), middle(chunk.z, state_.size.z)});
        double rest = distance(at, goal(0));
        for (std::size_t i = 1; i < goals(); ++i) rest = std::min(rest, distance(at, goal(i)));
        return distance(query_.start.position, at) + rest;
    }

    // Missing chunks that the unit meets at a place; where it does not fit there, all to which it may be moved.
    [[nodiscard]] bool add_around(Vec3 place) {
        const Agent& agent = query_.agent;
        const double most = circumscribed_sphere(agent);
        const double reach = fits(volume_, place, agent) ? most : most + query_.reach;
        return each_chunk_of(ChunkBox::of(state_, voxels_around(volume_, place, reach)), [&](Voxel chunk) {
            return volume_.is_loaded(chunk) || found_.push_back({length_by(chunk), chunk});
        });
    }
    [[nodiscard]] bool find_at_ends() {
        bool good = add_around(query_.start.position);
        for (std::size_t i = 0; good && i < goals(); ++i) good = add_around(goal(i));
        return good;
    }

    // The component in which the unit is at a place, or is put from there.
    [[nodiscard]] Result<void> note_side(Vec3 place, std::uint32_t side) {
        Voxel v;
        Vec3 at = place;
        if (query_.reach > 0.0) {
            const VolumeFreeQuery near{.place = place, .agent = query_.agent, .reach = query_.reach};
            const Result<VolumeFree> spot = nearest_free(volume_, near, scratch_);
            if (!spot) return spot.error();
            if (spot->found) at = spot->position;
        }
        if (!free_voxel_at(state_, state_.in_voxels(at), v)) return {};
        return sides_.push_back({label_of(state_, v), side}) ? Result<void>{} : Result<void>{kNoMemory};
    }

    // Beside what the start and the goals can come to. None where either side is shut in by what is there.
    [[nodiscard]] Result<void> find_beside() {
        if (const Result<void> done = note_side(query_.start.position, kStart); !done) return done;
        for (std::size_t i = 0; i < goals(); ++i) {
            if (const Result<void> done = note_side(goal(i), kGoals); !done) return done;
        }
        // Of a range around a place that is solid nobody knows which side it is.
        std::uint32_t open = query_.goal.kind == Goal::Kind::within ? kGoals : 0;
        const bool good = each_chunk_of(ChunkBox::all(state_), [&](Voxel chunk) {
            if (volume_.is_loaded(chunk)) return true;
            const std::uint32_t beside = sides_beside(state_, chunk, sides_.span());
            open |= beside;
            return beside == 0 || found_.push_back({length_by(chunk), chunk});
        });
        if (open != (kStart | kGoals)) found_.clear();
        return good ? Result<void>{} : Result<void>{kNoMemory};
    }

    const VolumeState& volume_;
    const StateData& state_;
    const VolumeQuery& query_;
    Scratch& scratch_;
    Array<Candidate> found_;
    Array<SideOf> sides_;
};

Result<void> check_ends(const StateData& state, const VolumeQuery& query) {
    if (const Result<void> good = check_place(query.start, Field::start); !good) return good;
    if (const Result<void> good = check_upright(state, query.agent); !good) return good;
    if (!(query.reach >= 0.0)) return Error{ErrorCode::out_of_range, Field::reach};
    if (!query.goal.is_list()) return check_place(query.goal.at, Field::goal);
    if (query.goal.list.size() == 0) return Error{ErrorCode::size_zero, Field::goal_list};
    for (std::size_t i = 0; i < query.goal.list.size(); ++i) {
        const Result<void> good = check_place(query.goal.list[i], Field::goal_list);
        if (!good) return Error{good.error().code, Field::goal_list, static_cast<std::int64_t>(i), 0};
    }
    return {};
}

}  // namespace

}  // namespace volume

Result<void> missing_chunks(const VolumeState& volume, const VolumeQuery& query, Scratch& scratch,
                            std::size_t most, Array<Voxel>& out) {
    out.clear();
    if (const Result<void> good = volume::check_ends(volume.data(), query); !good) return good;
    if (volume.data().unloaded == 0) return {};
    return volume::Missing(volume, query, scratch).run(most, out);
}

}  // namespace fairlead
