// Which face is seen in each triangle of the isometric lattice. Along the diagonal from a triangle a line of sight leaves each layer of
// blocks through three blocks, in an order that is the same for all triangles of one kind.
#include <fairlead/debug/block_view.h>

#include <cmath>

namespace fairlead::debug {
namespace {

std::size_t as_size(std::int32_t n) { return static_cast<std::size_t>(n); }

}  // namespace

Vec3 BlockView::turned(Vec3 p) const {
    const Voxel size = blocks_->size();
    switch (options_.quarter) {
        case 1: return {size.y - p.y, p.x, p.z};
        case 2: return {size.x - p.x, size.y - p.y, p.z};
        case 3: return {p.y, size.x - p.x, p.z};
        default: return p;
    }
}

Voxel BlockView::unturned(Voxel t) const {
    const Voxel size = blocks_->size();
    switch (options_.quarter) {
        case 1: return {t.y, size.y - 1 - t.x, t.z};
        case 2: return {size.x - 1 - t.x, size.y - 1 - t.y, t.z};
        case 3: return {size.x - 1 - t.y, t.x, t.z};
        default: return t;
    }
}

// `axis`: of the face through which the block is entered, on its high side.
bool BlockView::take(Voxel at, int axis, Face& out) const {
    if (at.x < 0 || at.y < 0 || at.x >= size_.x || at.y >= size_.y) return false;
    const std::uint32_t value = blocks_->value_at(unturned(at));
    const auto paint = static_cast<std::uint8_t>(value);
    if (paint == BlockPaint::kNone || paint == BlockPaint::kCutAway) return false;
    const std::int32_t planes[3] = {at.x + 1, at.y + 1, at.z + 1};
    Voxel before = at;
    (axis == 0 ? before.x : axis == 1 ? before.y : before.z) += 1;
    const bool cut =
        paint == BlockPaint::kSolid && blocks_->paint_at(unturned(before)) == BlockPaint::kCutAway;
    out = {planes[axis], static_cast<std::int8_t>(axis), cut ? BlockPaint::kSection : paint,
           static_cast<std::uint16_t>(value >> 8)};
    return true;
}

BlockView::Face BlockView::first_face(std::int32_t i, std::int32_t j, std::int32_t half) const {
    Face face;
    for (std::int32_t z = size_.z - 1; z >= 0; --z) {
        if (take({i + z + 1, j + z + 1, z}, 2, face)) return face;
        if (half == 0 ? take({i + z + 1, j + z, z}, 1, face) : take({i + z, j + z + 1, z}, 0, face))
            return face;
        if (take({i + z, j + z, z}, half == 0 ? 0 : 1, face)) return face;
    }
    return face;
}

const BlockView::Face& BlockView::face(std::int32_t i, std::int32_t j, std::int32_t half) const {
    static constexpr Face kNothing{};
    const std::int32_t a = i + size_.z, b = j + size_.z, width = size_.x + size_.z,
                       height = size_.y + size_.z;
    if (a < 0 || b < 0 || a >= width || b >= height) return kNothing;
    return faces_[2 * (as_size(b) * as_size(width) + as_size(a)) + as_size(half)];
}

Result<BlockView> BlockView::make(const Blocks& blocks, const BlockViewOptions& options) {
    BlockView view(options.allocator);
    view.blocks_ = &blocks;
    view.options_ = options;
    view.options_.quarter = options.quarter & 3;
    const Voxel size = blocks.size();
    view.size_ = (options.quarter & 1) != 0 ? Voxel{size.y, size.x, size.z} : size;
    const std::int32_t width = view.size_.x + size.z, height = view.size_.y + size.z;
    if (!view.faces_.resize_uninitialized(2 * as_size(width) * as_size(height)))
        return Error{ErrorCode::out_of_memory};
    std::size_t n = 0;
    for (std::int32_t j = -size.z; j < view.size_.y; ++j) {
        for (std::int32_t i = -size.z; i < view.size_.x; ++i) {
            for (std::int32_t half = 0; half < 2; ++half) view.faces_[n++] = view.first_face(i, j, half);
        }
    }
    return view;
}

Aabb BlockView::bounds() const {
    const Vec3 high{static_cast<double>(size_.x), static_cast<double>(size_.y), static_cast<double>(size_.z)};
    const Aabb all{{flat({high.x, 0, 0}).x, flat({high.x, high.y, 0}).y},
                   {flat({0, high.y, 0}).x, flat({0, 0, high.z}).y}};
    const double rim = 0.02 * (all.high.x - all.low.x);
    return {all.low - Vec2{rim, rim}, all.high + Vec2{rim, rim}};
}

bool BlockView::hides(const Face& face, Vec3 at) const {
    if (face.axis < 0) return false;
    const double p[3] = {at.x, at.y, at.z};
    return p[face.axis] < face.plane - 1e-9;
}

bool BlockView::is_hidden(Vec3 world) const {
    const Vec3 at = turned(blocks_->in_blocks(world));
    const double x = at.x - at.z, y = at.y - at.z;
    const double i = std::floor(x), j = std::floor(y);
    if (!(std::fabs(i) < 1e9 && std::fabs(j) < 1e9)) return false;
    return hides(face(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), x - i > y - j ? 0 : 1), at);
}

}  // namespace fairlead::debug
