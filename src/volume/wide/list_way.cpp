// The way from end to end: the links are a forest, so that there is one row of them. Within a component of a brick
// from middle to middle, within a free cell straight.
#include <algorithm>
#include <bit>

#include "volume/wide/wide_way.h"

namespace fairlead::volume {

namespace {

Vec3 middle_in(Voxel brick, std::uint32_t place) {
    const auto axis = [&](std::uint32_t k) { return static_cast<std::int32_t>(place >> (2 * k) & 3); };
    return middle_of({brick.x * 4 + axis(0), brick.y * 4 + axis(1), brick.z * 4 + axis(2)});
}

std::uint32_t place_in(Vec3 middle) {
    return place64(static_cast<std::int32_t>(middle.x), static_cast<std::int32_t>(middle.y),
                   static_cast<std::int32_t>(middle.z));
}

bool on_along(double a, double b, double c) { return (a < b && b < c) || (a > b && b > c); }

// Is b on the straight way from a to c along one axis?
bool goes_on(Vec3 a, Vec3 b, Vec3 c) {
    const bool x = a.x == b.x && b.x == c.x, y = a.y == b.y && b.y == c.y, z = a.z == b.z && b.z == c.z;
    return (y && z && on_along(a.x, b.x, c.x)) || (x && z && on_along(a.y, b.y, c.y)) ||
           (x && y && on_along(a.z, b.z, c.z));
}

bool push(Array<Vec3>& way, Vec3 p) {
    const std::size_t n = way.size();
    if (n > 0 && way[n - 1] == p) return true;
    if (n > 1 && goes_on(way[n - 2], way[n - 1], p)) {
        way[n - 1] = p;
        return true;
    }
    return way.push_back(p);
}

// Over faces inside a brick: rings around the end, until the start is in one.
bool walk(std::uint64_t bits, Voxel brick, std::uint32_t from, std::uint32_t to, Array<Vec3>& way) {
    std::uint64_t rings[64];
    int count = 0;
    rings[0] = std::uint64_t{1} << to;
    while ((rings[count] >> from & 1) == 0 && count < 63) {
        rings[count + 1] = grown_over_faces(rings[count]) & bits;
        ++count;
    }
    std::uint64_t at = std::uint64_t{1} << from;
    while (count > 0) {
        const std::uint64_t next = grown_over_faces(at) & rings[--count];
        FAIRLEAD_DEBUG_ASSERT(next != 0);
        at = next & (~next + 1);
        if (!push(way, middle_in(brick, static_cast<std::uint32_t>(std::countr_zero(at))))) return false;
    }
    return true;
}

}  // namespace

bool WideWay::sort_links() {
    const Array<SetLink>& links = sets_.links();
    if (!first_link_.resize_uninitialized(sets_.size() + 2) ||
        !links_of_.resize_uninitialized(links.size() * 2))
        return false;
    std::fill(first_link_.begin(), first_link_.end(), 0U);
    for (const SetLink& link : links) ++first_link_[link.a + 2], ++first_link_[link.b + 2];
    for (std::size_t i = 2; i < first_link_.size(); ++i) first_link_[i] += first_link_[i - 1];
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        links_of_[first_link_[links[i].a + 1]++] = i;
        links_of_[first_link_[links[i].b + 1]++] = i;
    }
    return true;
}

// From the goal out: for each node the link that leads back to it.
bool WideWay::find_links() {
    if (!came_by_.resize_uninitialized(sets_.size())) return false;
    std::fill(came_by_.begin(), came_by_.end(), kNone);
    queue_.clear();
    if (!queue_.push_back(ends_[1].node)) return false;
    const Array<SetLink>& links = sets_.links();
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t node = queue_[i];
        if (node == ends_[0].node) break;
        for (std::uint32_t j = first_link_[node]; j < first_link_[node + 1]; ++j) {
            const std::uint32_t link = links_of_[j];
            if (link == came_by_[node]) continue;
            const std::uint32_t other = links[link].a == node ? links[link].b : links[link].a;
            came_by_[other] = link;
            if (!queue_.push_back(other)) return false;
        }
    }
    return true;
}

// The first and the last place of a link.
void WideWay::ends_of(const SetLink& link, Vec3 ends[2]) const {
    if (link.count > 0) {
        ends[0] = sets_.points()[link.points];
        ends[1] = sets_.points()[link.points + link.count - 1];
        return;
    }
    const std::uint32_t face = link.points >> 6;
    ends[0] = ends[1] = middle_in(lattice_[lattice_.part(sets_[link.a].ref).brick].at, link.points & 63);
    double* const axis[3] = {&ends[1].x, &ends[1].y, &ends[1].z};
    *axis[face >> 1] += (face & 1) != 0 ? 1.0 : -1.0;
}

// Up to a place of the node.
bool WideWay::go_inside(std::uint32_t node, Vec3& at, Vec3 to, Array<Vec3>& way) const {
    if (sets_[node].kind == NodeKind::lattice) {
        const LatticePart& part = lattice_.part(sets_[node].ref);
        if (!walk(part.mask, lattice_[part.brick].at, place_in(at), place_in(to), way)) return false;
    }
    at = to;
    return push(way, to);
}

bool WideWay::list_way(Array<Vec3>& way) {
    way.clear();
    if (!sort_links() || !find_links()) return false;
    Vec3 at = ends_[0].at;
    if (!push(way, at)) return false;
    std::uint32_t node = ends_[0].node;
    while (node != ends_[1].node) {
        const SetLink& link = sets_.links()[came_by_[node]];
        const bool back = link.b == node;
        Vec3 ends[2];
        ends_of(link, ends);
        if (!go_inside(node, at, ends[back ? 1 : 0], way)) return false;
        for (std::uint32_t i = 1; i + 1 < link.count; ++i) {
            const std::uint32_t which = back ? link.count - 1 - i : i;
            if (!push(way, sets_.points()[link.points + which])) return false;
        }
        at = ends[back ? 0 : 1];
        if (!push(way, at)) return false;
        node = back ? link.a : link.b;
    }
    return go_inside(node, at, ends_[1].at, way);
}

}  // namespace fairlead::volume
