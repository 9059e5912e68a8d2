#include "drive/ground/fine_ground.h"

#include <cstddef>

namespace fairlead::drive {

namespace {

// Each of the low 32 bits twice.
std::uint64_t doubled(std::uint64_t bits) {
    bits &= 0xffffffffU;
    bits = (bits | (bits << 16)) & 0x0000ffff0000ffffU;
    bits = (bits | (bits << 8)) & 0x00ff00ff00ff00ffU;
    bits = (bits | (bits << 4)) & 0x0f0f0f0f0f0f0f0fU;
    bits = (bits | (bits << 2)) & 0x3333333333333333U;
    bits = (bits | (bits << 1)) & 0x5555555555555555U;
    return bits | (bits << 1);
}

}  // namespace

DriveGround FineGround::rows() const {
    if (pitch_ == 1) return ground_;
    DriveGround out{
        .width = ground_.width * 2, .height = ground_.height * 2, .read_free = read_free, .user = this};
    if (ground_.read_costs != nullptr) out.read_costs = read_costs;
    if (ground_.read_roads != nullptr) out.read_roads = read_roads;
    return out;
}

// The coarse row is read into the front of the fine one, which has room for it, and spread from the back.
void FineGround::read_free(const void* user, std::int32_t y, std::span<std::uint64_t> row) {
    const DriveGround& ground = static_cast<const FineGround*>(user)->ground_;
    const auto words = static_cast<std::size_t>(ground.words());
    ground.read_free(ground.user, y / 2, row.first(words));
    for (std::size_t w = words; w-- > 0;) {
        const std::uint64_t coarse = row[w];
        if (2 * w + 1 < row.size()) row[2 * w + 1] = doubled(coarse >> 32);
        row[2 * w] = doubled(coarse);
    }
}

void FineGround::read_costs(const void* user, std::int32_t y, std::span<std::uint16_t> row) {
    const DriveGround& ground = static_cast<const FineGround*>(user)->ground_;
    const auto width = static_cast<std::size_t>(ground.width);
    ground.read_costs(ground.user, y / 2, row.first(width));
    for (std::size_t x = width; x-- > 0;) row[2 * x + 1] = row[2 * x] = row[x];
}

void FineGround::read_roads(const void* user, std::int32_t y, std::span<std::uint8_t> row) {
    const DriveGround& ground = static_cast<const FineGround*>(user)->ground_;
    const auto width = static_cast<std::size_t>(ground.width);
    ground.read_roads(ground.user, y / 2, row.first(width));
    for (std::size_t x = width; x-- > 0;) row[2 * x + 1] = row[2 * x] = row[x];
}

}  // namespace fairlead::drive
