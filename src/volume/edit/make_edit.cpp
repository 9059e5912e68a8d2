// One edit: the bricks that it meets, cell by cell, chunk by chunk.
#include <algorithm>
#include <bit>
#include <cmath>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

VoxelBox clamped(const VoxelBox& box, Voxel size) {
    const auto low = [](std::int32_t v) { return std::max(v, 0); };
    return {{low(box.low.x), low(box.low.y), low(box.low.z)},
            {std::min(box.high.x, size.x), std::min(box.high.y, size.y), std::min(box.high.z, size.z)}};
}

std::uint64_t box_bits(const VoxelBox& box, Voxel corner) {
    return bits_between(box.low.x - corner.x, box.high.x - corner.x - 1, kLowX, 1) &
           bits_between(box.low.y - corner.y, box.high.y - corner.y - 1, kLowY, 4) &
           bits_between(box.low.z - corner.z, box.high.z - corner.z - 1, kLowZ, 16);
}

// Of the cell from `corner` on, the bricks that a box meets.
std::uint64_t bricks_in(const VoxelBox& box, Voxel corner) {
    const auto first = [](std::int32_t low, std::int32_t from) { return (low - from) >> 2; };
    const auto last = [](std::int32_t high, std::int32_t from) { return (high - from - 1) >> 2; };
    return bits_between(first(box.low.x, corner.x), last(box.high.x, corner.x), kLowX, 1) &
           bits_between(first(box.low.y, corner.y), last(box.high.y, corner.y), kLowY, 4) &
           bits_between(first(box.low.z, corner.z), last(box.high.z, corner.z), kLowZ, 16);
}

constexpr double kFar = 1e150;  // the square of a larger number may be infinite

/// What an edit makes of a brick.
struct Change {
    const StateData& state;
    const VolumeEdit& edit;
    VoxelBox box;

    [[nodiscard]] std::uint64_t in_ball(Voxel corner, std::uint64_t bits) const {
        const double unit = edit.radius > kFar ? 1e-160 : 1.0;
        const double most = edit.radius * unit * (edit.radius * unit);
        for (std::int32_t i = 0; i < 64; ++i) {
            if ((bits >> i & 1) == 0) continue;
            const Vec3 middle =
                state.in_world(middle_of({corner.x + (i & 3), corner.y + (i >> 2 & 3), corner.z + (i >> 4)}));
            const Vec3 d = (middle - edit.centre) * unit;
            if (!(dot(d, d) <= most)) bits &= ~(std::uint64_t{1} << i);
        }
        return bits;
    }
    [[nodiscard]] std::uint64_t operator()(Voxel corner, std::uint64_t old) const {
        std::uint64_t bits = box_bits(box, corner);
        if (edit.kind == VolumeEdit::Kind::brick) return (old & ~bits) | (edit.brick.solid & bits);
        if (edit.kind == VolumeEdit::Kind::sphere) bits = in_ball(corner, bits);
        return edit.solid ? old | bits : old & ~bits;
    }
};

bool change_chunk(EditorData& editor, const Change& change, std::int32_t x, std::int32_t y, std::int32_t z) {
    if (!change.state.is_loaded(change.state.chunk_index(x, y, z))) return true;
    ChunkWriter writer(editor, x, y, z);
    const auto first = [](std::int32_t low, std::int32_t chunk) { return std::max(low >> 4, chunk * 4); };
    const auto last = [](std::int32_t high, std::int32_t chunk) {
        return std::min((high - 1) >> 4, chunk * 4 + 3);
    };
    const VoxelBox& box = change.box;
    CellBits bits;
    for (std::int32_t cz = first(box.low.z, z); cz <= last(box.high.z, z); ++cz) {
        for (std::int32_t cy = first(box.low.y, y); cy <= last(box.high.y, y); ++cy) {
            for (std::int32_t cx = first(box.low.x, x); cx <= last(box.high.x, x); ++cx) {
                const std::uint32_t cell = place64(cx, cy, cz);
                writer.read(cell, bits);
                const Voxel low{cx * 16, cy * 16, cz * 16};
                for (std::uint64_t left = bricks_in(box, low); left != 0; left &= left - 1) {
                    const int b = std::countr_zero(left);
                    bits.bricks[b] =
                        change({low.x + (b & 3) * 4, low.y + (b >> 2 & 3) * 4, low.z + (b >> 4) * 4},
                               bits.bricks[b]);
                }
                if (!writer.write(cell, bits)) return false;
            }
        }
    }
    return writer.finish();
}

// The voxels that a ball may hold; empty if none in the bounds.
VoxelBox ball_box(const StateData& state, const VolumeEdit& edit) {
    const Vec3 at = state.in_voxels(edit.centre);
    const auto low = [&](double p, double inverse) {
        return static_cast<std::int32_t>(std::floor(std::clamp(p - edit.radius * inverse - 1.0, -1.0, 2e8)));
    };
    const auto high = [&](double p, double inverse) {
        return static_cast<std::int32_t>(std::ceil(std::clamp(p + edit.radius * inverse + 1.0, -1.0, 2e8)));
    };
    const Vec3& inverse = state.inverse;
    return {{low(at.x, inverse.x), low(at.y, inverse.y), low(at.z, inverse.z)},
            {high(at.x, inverse.x), high(at.y, inverse.y), high(at.z, inverse.z)}};
}

Result<VoxelBox> box_of(const StateData& state, const VolumeEdit& edit) {
    switch (edit.kind) {
        case VolumeEdit::Kind::box: return edit.voxels;
        case VolumeEdit::Kind::sphere:
            if (!is_finite(edit.centre)) return Error{ErrorCode::not_finite, Field::origin};
            if (!std::isfinite(edit.radius)) return Error{ErrorCode::not_finite, Field::range};
            if (edit.radius < 0.0) return Error{ErrorCode::out_of_range, Field::range};
            return ball_box(state, edit);
        case VolumeEdit::Kind::brick: {
            const VoxelBrick& brick = edit.brick;
            const auto near = [](std::int32_t b) { return b >= 0 && b < kVolumeSideMax / 4; };
            if (!near(brick.x) || !near(brick.y) || !near(brick.z) ||
                !state.brick_in_bounds(brick.x, brick.y, brick.z))
                return Error{ErrorCode::out_of_range, Field::rect};
            const Voxel low{brick.x * 4, brick.y * 4, brick.z * 4};
            return VoxelBox{low, {low.x + 4, low.y + 4, low.z + 4}};
        }
        case VolumeEdit::Kind::load:
        case VolumeEdit::Kind::unload: {
            const Voxel& at = edit.chunk;
            if (!state.is_chunk(at)) return Error{ErrorCode::out_of_range, Field::chunks};
            const Voxel low{at.x * 64, at.y * 64, at.z * 64};
            return VoxelBox{low, {low.x + 64, low.y + 64, low.z + 64}};
        }
        case VolumeEdit::Kind::count_: break;
    }
    return Error{ErrorCode::out_of_range};
}

}  // namespace

Result<VoxelBox> edit_box(const StateData& state, const VolumeEdit& edit) {
    const Result<VoxelBox> asked = box_of(state, edit);
    if (!asked) return asked.error();
    return asked->empty() ? VoxelBox{} : clamped(*asked, state.size);
}

Result<void> make_edit(EditorData& editor, const VolumeEdit& edit) {
    const StateData& state = *editor.draft;
    const Result<VoxelBox> asked = edit_box(state, edit);
    if (!asked) return asked.error();
    if (edit.kind == VolumeEdit::Kind::load) return load_chunk(editor, edit.chunk, edit.bricks.span());
    if (edit.kind == VolumeEdit::Kind::unload) return unload_chunk(editor, edit.chunk);
    const VoxelBox& box = *asked;
    if (box.empty()) return {};
    const Change change{state, edit, box};
    for (std::int32_t z = box.low.z >> 6; z <= (box.high.z - 1) >> 6; ++z) {
        for (std::int32_t y = box.low.y >> 6; y <= (box.high.y - 1) >> 6; ++y) {
            for (std::int32_t x = box.low.x >> 6; x <= (box.high.x - 1) >> 6; ++x) {
                if (!change_chunk(editor, change, x, y, z)) return Error{ErrorCode::out_of_memory};
            }
        }
    }
    return {};
}

}  // namespace fairlead::volume
