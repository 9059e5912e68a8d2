#include "cli/volume_edits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/failure.h"

namespace fairlead::cli {

namespace {

/// The voxels on one axis that lie between two places, in voxels; half open.
void span_of(double low, double high, std::int32_t size, std::int32_t& from, std::int32_t& to) {
    const double most = size;
    from = static_cast<std::int32_t>(std::clamp(std::floor(low), 0.0, most));
    to = static_cast<std::int32_t>(std::clamp(std::ceil(high), 0.0, most));
}

/// Which of a brick's voxels lie in a box.
std::uint64_t bits_in(const VoxelBox& box, const VoxelBrick& brick) {
    std::uint64_t bits = 0;
    for (std::int32_t i = 0; i < 64; ++i) {
        const Voxel v{4 * brick.x + i % 4, 4 * brick.y + i / 4 % 4, 4 * brick.z + i / 16};
        if (box.contains(v)) bits |= std::uint64_t{1} << i;
    }
    return bits;
}

}  // namespace

VolumeEdits::VolumeEdits(const std::string& path, Volume& volume)
    : volume_(volume), file_(volume.acquire()), path_(path), lines_(box_lines(path)) {}

VoxelBox VolumeEdits::voxels_of(const BoxLine& line) const {
    const Vec3 origin = file_->origin();
    const Vec3 side = file_->voxel_size();
    const Voxel size = file_->size();
    VoxelBox box;
    span_of((line.low.x - origin.x) / side.x, (line.high.x - origin.x) / side.x, size.x, box.low.x,
            box.high.x);
    span_of((line.low.y - origin.y) / side.y, (line.high.y - origin.y) / side.y, size.y, box.low.y,
            box.high.y);
    span_of((line.low.z - origin.z) / side.z, (line.high.z - origin.z) / side.z, size.z, box.low.z,
            box.high.z);
    return box;
}

std::vector<VolumeEdit> VolumeEdits::without(const VoxelBox& gone) const {
    std::vector<VolumeEdit> edits;
    if (gone.empty()) return edits;
    for (std::int32_t z = gone.low.z / 4; z <= (gone.high.z - 1) / 4; ++z) {
        for (std::int32_t y = gone.low.y / 4; y <= (gone.high.y - 1) / 4; ++y) {
            for (std::int32_t x = gone.low.x / 4; x <= (gone.high.x - 1) / 4; ++x) {
                VoxelBrick brick{x, y, z, file_->solid_bits(x, y, z)};
                for (const Box& box : boxes_) brick.solid |= bits_in(box.voxels, brick);
                edits.push_back(VolumeEdit::set(brick));
            }
        }
    }
    return edits;
}

void VolumeEdits::apply(const BoxLine& line) {
    const std::string where = fmt::format("{}:{}", path_, line.line);
    const auto known =
        std::find_if(boxes_.begin(), boxes_.end(), [&](const Box& box) { return box.id == line.id; });
    std::vector<VolumeEdit> edits;
    if (line.add) {
        if (known != boxes_.end()) fail_at(where, fmt::format("id: box {} is there already", line.id));
        boxes_.push_back({line.id, voxels_of(line)});
        edits.push_back(VolumeEdit::fill(boxes_.back().voxels));
    } else {
        if (known == boxes_.end()) fail_at(where, fmt::format("id: there is no box {}", line.id));
        const VoxelBox gone = known->voxels;
        boxes_.erase(known);
        edits = without(gone);
    }
    if (const Result<void> done = volume_.apply(edits); !done) fail_at(where, query_error_text(done.error()));
}

bool VolumeEdits::apply_until(double now) {
    bool changed = false;
    for (; next_ < lines_.size() && lines_[next_].at <= now; ++next_) {
        apply(lines_[next_]);
        changed = true;
    }
    return changed;
}

}  // namespace fairlead::cli
