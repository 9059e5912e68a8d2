// Floors and links of a DriveMap: what the user says of places in the map's cells becomes moves between places of the lattice.
#include <algorithm>

#include "drive/map/map_data.h"

namespace fairlead::drive {

namespace {

constexpr double kLinkCostMax = 1e6;

bool leads_first(const LatticeLink& a, const LatticeLink& b) {
    if (a.y != b.y) return a.y < b.y;
    if (a.x != b.x) return a.x < b.x;
    if (a.id != b.id) return a.id < b.id;
    return a.to_y != b.to_y ? a.to_y < b.to_y : a.to_x < b.to_x;
}

void sort_links(Array<LatticeLink>& links) {
    std::sort(links.begin(), links.end(), leads_first);  // total order
}

}  // namespace

Result<void> MapData::set_links(std::span<const DriveLink> links) {
    const std::int32_t count = options_.floors.count;
    options_.floors.links = {};
    if (count < 1 || (height() + 1) % count != 0 || (height() + 1) / count < 2)
        return Error{ErrorCode::size_mismatch, Field::floors};
    if (count > 1 && table().ground_factor() == 0.0) return Error{ErrorCode::incompatible, Field::floors};
    if (!links.empty() && table().nodes() == DriveNodes::corners)
        return Error{ErrorCode::incompatible, Field::floors};
    const std::int32_t pitch = table().pitch();
    const std::int32_t rows = (height() + 1) / count - 1;
    const std::int32_t middle = pitch == 2 ? 1 : 0;
    const auto inside = [&](const DriveLinkEnd& end) {
        return end.x >= 0 && end.x < width() && end.y >= 0 && end.y < (count == 1 ? height() : rows) &&
               end.floor >= 0 && end.floor < count;
    };
    const auto column = [&](const DriveLinkEnd& end) { return end.x * pitch + middle; };
    const auto row = [&](const DriveLinkEnd& end) {
        return end.floor * floor_rows() + end.y * pitch + middle;
    };
    for (std::size_t i = 0; i < links.size(); ++i) {
        const DriveLink& link = links[i];
        if (!inside(link.from) || !inside(link.to) || !(link.cost > 0.0 && link.cost <= kLinkCostMax))
            return Error{ErrorCode::out_of_range, Field::floors, static_cast<std::int64_t>(i), 0};
        const double cost = std::max(link.cost * pitch, kLinkCostMin);
        const LatticeLink there{column(link.from), row(link.from), column(link.to),
                                row(link.to),      cost,           link.id};
        const LatticeLink back{there.to_x, there.to_y, there.x, there.y, cost, link.id};
        bool good = links_.push_back(there) && links_back_.push_back(back);
        if (link.two_way) good = good && links_.push_back(back) && links_back_.push_back(there);
        if (!good) return Error{ErrorCode::out_of_memory, -1, 0};
    }
    sort_links(links_);
    sort_links(links_back_);
    return {};
}

std::span<const LatticeLink> MapData::links() const { return links_.span(); }
std::span<const LatticeLink> MapData::links_back() const { return links_back_.span(); }
std::span<const LatticeLink> MapData::links_from(std::int32_t x, std::int32_t y) const {
    return links_at(links_.span(), x, y);
}

std::span<const LatticeLink> links_at(std::span<const LatticeLink> links, std::int32_t x, std::int32_t y) {
    const auto first = std::partition_point(
        links.begin(), links.end(), [&](const LatticeLink& l) { return l.y != y ? l.y < y : l.x < x; });
    auto last = first;
    while (last != links.end() && last->x == x && last->y == y) ++last;
    return {first, last};
}

}  // namespace fairlead::drive
