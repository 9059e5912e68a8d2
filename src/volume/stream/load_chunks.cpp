// Chunks from a source into a volume, and out of it: all of a call as one revision.
#include <fairlead/volume/stream.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/no_memory.h"
#include "volume/data/state.h"
#include "volume/stream/chunk_box.h"

namespace fairlead {

namespace {

using volume::ChunkBox;
using volume::StateData;

/// What a source told of several chunks, one behind the other.
class Told {
  public:
    explicit Told(const Allocator& allocator) : one_(allocator), all_(allocator), places_(allocator) {}

    [[nodiscard]] Result<void> ask(const VolumeSource& source, Voxel chunk) {
        one_.clear();
        if (const Result<void> told = source.chunk(chunk, one_, source.user); !told) return told;
        for (const VoxelBrick& brick : one_) {
            if (!all_.push_back(brick)) return kNoMemory;
        }
        return places_.push_back({chunk, all_.size()}) ? Result<void>{} : Result<void>{kNoMemory};
    }
    [[nodiscard]] Result<std::size_t> put_into(Volume& volume) const {
        Array<VolumeEdit> edits(places_.allocator());
        std::size_t from = 0;
        for (const Place& place : places_) {
            const Borrowed<VoxelBrick> bricks(all_.data() + from, place.end - from);
            if (!edits.push_back(VolumeEdit::load(place.chunk, bricks))) return kNoMemory;
            from = place.end;
        }
        if (const Result<void> done = volume.apply(edits.span()); !done) return done.error();
        return places_.size();
    }

  private:
    struct Place {
        Voxel chunk{};
        std::size_t end = 0;  ///< of its bricks among all
    };
    Array<VoxelBrick> one_, all_;
    Array<Place> places_;
};

}  // namespace

Result<std::size_t> load_chunks(Volume& volume, std::span<const Voxel> chunks, const VolumeSource& source) {
    Told told({});
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const Voxel& chunk = chunks[i];
        const auto same = [&](const Voxel& other) { return other == chunk; };
        if (!volume.state().data().is_chunk(chunk) || volume.state().is_loaded(chunk) ||
            std::any_of(chunks.begin(), chunks.begin() + static_cast<std::ptrdiff_t>(i), same))
            continue;
        if (const Result<void> good = told.ask(source, chunk); !good) return good.error();
    }
    return told.put_into(volume);
}

Result<std::size_t> load_box(Volume& volume, const VoxelBox& box, const VolumeSource& source) {
    Told told({});
    Result<void> good;
    (void)volume::each_chunk_of(ChunkBox::of(volume.state().data(), box), [&](Voxel chunk) {
        if (!volume.state().is_loaded(chunk)) good = told.ask(source, chunk);
        return good.has_value();
    });
    if (!good) return good.error();
    return told.put_into(volume);
}

Result<std::size_t> unload_outside(Volume& volume, const VoxelBox& keep) {
    const StateData& state = volume.state().data();
    const ChunkBox kept = ChunkBox::of(state, keep);
    Array<VolumeEdit> edits;
    const bool done = volume::each_chunk_of(ChunkBox::all(state), [&](Voxel chunk) {
        if (kept.contains(chunk) || !volume.state().is_loaded(chunk)) return true;
        return edits.push_back(VolumeEdit::unload(chunk));
    });
    if (!done) return kNoMemory;
    if (const Result<void> out = volume.apply(edits.span()); !out) return out.error();
    return edits.size();
}

VoxelBox voxels_around(const VolumeState& volume, Vec3 place, double reach) {
    const StateData& state = volume.data();
    if (!is_finite(place) || !(reach >= 0.0)) return {};
    const Vec3 at = state.in_voxels(place);
    const double p[3] = {at.x, at.y, at.z},
                 grow[3] = {reach * state.inverse.x, reach * state.inverse.y, reach * state.inverse.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    std::int32_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        const double most = size[k];
        low[k] = static_cast<std::int32_t>(std::clamp(std::floor(p[k] - grow[k]), 0.0, most));
        high[k] = static_cast<std::int32_t>(std::clamp(std::floor(p[k] + grow[k]) + 1.0, 0.0, most));
    }
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

}  // namespace fairlead
