// One place of many: a free voxel is drawn by its number, until one fits; where none of a few does, all places are counted.
#include <bit>

#include "base/no_memory.h"
#include "search/run_search.h"
#include "volume/places/free_places.h"

namespace fairlead {

namespace {

using volume::Chunk;
using volume::StateData;

constexpr int kDraws = 64;

// Voxels from low on, `side` on each axis, that lie in bounds.
std::uint64_t in_bounds(const StateData& state, Voxel low, std::int32_t side) {
    const std::int32_t at[3] = {low.x, low.y, low.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    std::uint64_t count = 1;
    for (int k = 0; k < 3; ++k) {
        const std::int32_t left = size[k] - at[k];
        count *= static_cast<std::uint64_t>(left <= 0 ? 0 : left < side ? left : side);
    }
    return count;
}

// Chunk by chunk, cell by cell, brick by brick: the free voxel with a number.
class ByNumber {
  public:
    ByNumber(const StateData& state, std::uint64_t number) : state_(state), left_(number) {}

    [[nodiscard]] Voxel find() {
        std::size_t chunk = 0;
        for (std::int32_t z = 0; z < state_.chunk_count.z; ++z) {
            for (std::int32_t y = 0; y < state_.chunk_count.y; ++y) {
                for (std::int32_t x = 0; x < state_.chunk_count.x; ++x, ++chunk) {
                    const Voxel low{x * 64, y * 64, z * 64};
                    const Chunk* at = state_.chunks[chunk];
                    const std::uint64_t free =
                        state_.is_loaded(chunk) ? in_bounds(state_, low, 64) - (at == nullptr ? 0 : at->solid)
                                                : 0;
                    if (!passes(free)) return in_chunk(low);
                }
            }
        }
        return {-1, -1, -1};
    }

  private:
    // Is it behind so many?
    [[nodiscard]] bool passes(std::uint64_t free) {
        if (left_ < free) return false;
        left_ -= free;
        return true;
    }
    [[nodiscard]] Voxel in_chunk(Voxel low) {
        for (std::int32_t i = 0; i < 64; ++i) {
            const Voxel cell{low.x + (i & 3) * 16, low.y + (i >> 2 & 3) * 16, low.z + (i >> 4) * 16};
            if (!state_.in_bounds(cell)) continue;
            const volume::CellEntry& entry = state_.cell_entry(cell.x >> 4, cell.y >> 4, cell.z >> 4);
            if (entry.node == volume::CellEntry::kFull) continue;
            if (!entry.is_mixed() && passes(in_bounds(state_, cell, 16))) continue;
            Voxel v;
            if (in_cell(cell, v)) return v;
        }
        return {-1, -1, -1};
    }
    [[nodiscard]] bool in_cell(Voxel cell, Voxel& v) {
        for (std::int32_t i = 0; i < 64; ++i) {
            const std::int32_t x = (cell.x >> 2) + (i & 3), y = (cell.y >> 2) + (i >> 2 & 3),
                               z = (cell.z >> 2) + (i >> 4);
            std::uint64_t bits = state_.free_bits(x, y, z);
            if (passes(volume::count_bits(bits))) continue;
            for (; left_ > 0; --left_) bits &= bits - 1;
            const std::int32_t b = std::countr_zero(bits);
            v = {x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4)};
            return true;
        }
        return false;
    }

    const StateData& state_;
    std::uint64_t left_;
};

// All places, by z, y and x of their bricks; visit(Voxel) until it says true.
template <class Visit>
bool each_place(volume::FreePlaces& places, Visit visit) {
    const StateData& state = places.state();
    for (std::int32_t z = 0; z * 4 < state.size.z; ++z) {
        for (std::int32_t y = 0; y * 4 < state.size.y; ++y) {
            for (std::int32_t x = 0; x * 4 < state.size.x; ++x) {
                for (std::uint64_t left = places.bits(x, y, z); left != 0; left &= left - 1) {
                    const std::int32_t b = std::countr_zero(left);
                    const Voxel v{x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4)};
                    if (places.accepts(v) && visit(v)) return true;
                }
            }
        }
    }
    return false;
}

// False: there is none.
bool draw(volume::FreePlaces& places, Rng& dice, Voxel& out) {
    const StateData& state = places.state();
    const auto all = static_cast<std::uint64_t>(state.size.x) * static_cast<std::uint64_t>(state.size.y) *
                     static_cast<std::uint64_t>(state.size.z);
    const std::uint64_t free =
        all - static_cast<std::uint64_t>(state.solid) - static_cast<std::uint64_t>(state.missing);
    if (free == 0) return false;
    for (int i = 0; i < kDraws; ++i) {
        out = ByNumber(state, dice.next() % free).find();
        const std::uint64_t bits = places.bits(out.x >> 2, out.y >> 2, out.z >> 2);
        if ((bits >> volume::place64(out.x, out.y, out.z) & 1) != 0 && places.accepts(out)) return true;
    }
    std::uint64_t count = 0;
    (void)each_place(places, [&](Voxel) {
        ++count;
        return false;
    });
    if (count == 0) return false;
    std::uint64_t left = dice.next() % count;
    return each_place(places, [&](Voxel v) {
        out = v;
        return left-- == 0;
    });
}

}  // namespace

Result<VolumeFree> random_place(const VolumeState& volume, const RandomPlaceQuery& query, Rng& dice,
                                Scratch& scratch) {
    if (scratch.in_use()) return kScratchInUse;
    auto* kept = scratch.get<volume::FreePlaces>();
    if (kept == nullptr) return kNoMemory;
    volume::FreePlaces& places = *kept;
    const Spot* from = query.connected ? &query.from : nullptr;
    if (const Result<void> good = places.begin(volume, query.agent, from); !good) return good.error();
    Voxel voxel;
    const bool found = places.any() && draw(places, dice, voxel);
    if (places.failed()) return kNoMemory;
    if (!found) return VolumeFree{};
    const Vec3 at = volume.centre(voxel);
    return VolumeFree{true, at, from == nullptr ? 0.0 : distance(from->position, at)};
}

}  // namespace fairlead
