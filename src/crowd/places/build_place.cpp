// One place from its runs and mouths: where the mouths' middles are and what they open to, the axis, its width and length.
#include <algorithm>
#include <cmath>

#include "crowd/places/build.h"

namespace fairlead::crowd {

/// The point of contact that is farthest from walls; of several the one in the middle of them. `middle`: that of the points in a
/// row that are as far, where there are two.
PieceRun PlaceBuild::middle_of(const RawMouths& mouths, const RawMouth& mouth, Vec2& middle) const {
    const auto contact = [&](std::uint32_t i) -> const Contact& {
        return mouths.contacts[mouths.order[mouth.first + i]];
    };
    std::int32_t most = -1;
    std::int64_t count = 0;
    std::int64_t sum_x = 0;
    std::int64_t sum_y = 0;
    for (std::uint32_t i = 0; i < mouth.count; ++i) {
        const Contact& at = contact(i);
        const std::int32_t d = field_->distance[field_->index(at.x, at.y)];
        if (d < most) continue;
        if (d > most) {
            most = d;
            count = sum_x = sum_y = 0;
        }
        ++count;
        sum_x += at.x;
        sum_y += at.y;
    }
    std::int64_t nearest = INT64_MAX;
    PieceRun best{};
    for (std::uint32_t i = 0; i < mouth.count; ++i) {
        const Contact& at = contact(i);
        if (field_->distance[field_->index(at.x, at.y)] != most) continue;
        const std::int64_t dx = count * at.x - sum_x;
        const std::int64_t dy = count * at.y - sum_y;
        const std::int64_t off = dx * dx + dy * dy;
        if (off >= nearest) continue;
        nearest = off;
        best = {at.y, at.x, at.x + 1, 0};
    }
    middle = world(best.x0, best.y);
    if (nearest <= 2 * count * count) {
        middle = world(static_cast<double>(sum_x) / static_cast<double>(count),
                       static_cast<double>(sum_y) / static_cast<double>(count));
    }
    return best;
}

/// Towards the middles of discs that pass and reach the mouth; where none does (it opens to a token place) along the axis.
Vec2 PlaceBuild::outward_of(const PieceRun& middle, PlaceKind kind, std::uint32_t node) const {
    const int level = kind == PlaceKind::token ? 0 : 1;
    const std::int32_t reach = field_->limits.reach_cap[level] + 1;
    std::int64_t sum_x = 0;
    std::int64_t sum_y = 0;
    for (std::int32_t dy = -reach; dy <= reach; ++dy) {
        const std::int32_t y = middle.y + dy;
        if (y < 0 || y >= field_->height) continue;
        for (std::int32_t dx = -reach; dx <= reach; ++dx) {
            const std::int32_t x = middle.x0 + dx;
            if (x < 0 || x >= field_->width || dx * dx + dy * dy > reach * reach) continue;
            if (field_->distance[field_->index(x, y)] < field_->limits.seed[level]) continue;
            sum_x += dx;
            sum_y += dy;
        }
    }
    if (sum_x != 0 || sum_y != 0) {
        return normalized(Vec2{static_cast<double>(sum_x), static_cast<double>(sum_y)});
    }
    const std::span<const PlaceNode> nodes = out_->nodes_.span();
    const PlaceNode& here = nodes[node];
    if (here.parent != node) return normalized(here.at - nodes[here.parent].at);
    for (std::uint32_t i = node + 1; i < nodes.size(); ++i) {
        if (nodes[i].parent == node) return normalized(here.at - nodes[i].at);
    }
    return {1.0, 0.0};
}

bool PlaceBuild::make_axis(const Pieces& pieces, const RawMouths& mouths, const Parts& parts) {
    ends_.clear();
    middles_.clear();
    for (const std::uint32_t i : parts.mouths) {
        Vec2 middle{};
        const PieceRun end = middle_of(mouths, mouths.mouths[i], middle);
        if (!ends_.push_back(end) || !middles_.push_back(middle)) return false;
    }
    PointRect box{INT32_MAX, INT32_MAX, 0, 0};
    for (const std::uint32_t i : parts.runs) {
        const PieceRun& run = pieces.runs[i];
        box = {std::min(box.x0, run.x0), std::min(box.y0, run.y), std::max(box.x1, run.x1),
               std::max(box.y1, run.y + 1)};
    }
    if (!axis_.begin(box)) return false;
    for (const std::uint32_t i : parts.runs) axis_.allow(pieces.runs[i]);
    for (std::size_t i = 0; i < parts.mouths.size(); ++i) {
        const std::uint32_t beyond = mouths.mouths[parts.mouths[i]].beyond;
        ends_[i].piece = pieces.pieces[beyond].kind == kToken ? 1 : 0;
        if (ends_[i].piece != 0) axis_.ease(*field_, ends_[i]);
    }
    return axis_.make(*field_, ends_.span());
}

bool PlaceBuild::add_axis(NarrowPlace& place) {
    place.node = static_cast<std::uint32_t>(out_->nodes_.size());
    place.nodes = static_cast<std::uint32_t>(axis_.nodes.size());
    for (const AxisPoint& node : axis_.nodes) {
        const double clearance =
            options_.cell * std::sqrt(static_cast<double>(field_->distance[field_->index(node.x, node.y)]));
        const PlaceNode added{world(node.x, node.y), clearance, place.node + node.parent};
        if (!out_->nodes_.push_back(added)) return false;
    }
    place.width = 2.0 * options_.cell * std::sqrt(static_cast<double>(axis_.clearance()));
    return farthest_mouths(place, place.length);
}

/// The longest way in a tree joins the end that is farthest from anywhere with the one farthest from that.
bool PlaceBuild::farthest_mouths(const NarrowPlace& place, double& length) {
    const std::span<const PlaceNode> nodes = out_->nodes_.span().subspan(place.node, place.nodes);
    const auto parent = [&](std::uint32_t i) { return nodes[i].parent - place.node; };
    if (!depth_.resize_uninitialized(2 * nodes.size())) return false;
    double* from_root = depth_.data();
    double* from_end = depth_.data() + nodes.size();
    std::uint32_t end = 0;
    from_root[0] = 0.0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (i > 0) from_root[i] = from_root[parent(i)] + distance(nodes[i].at, nodes[parent(i)].at);
        if (from_root[i] > from_root[end]) end = i;
        from_end[i] = -1.0;
    }
    for (std::uint32_t i = end;; i = parent(i)) {
        from_end[i] = from_root[end] - from_root[i];
        if (i == 0) break;
    }
    length = 0.0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (from_end[i] < 0.0) {
            from_end[i] = from_end[parent(i)] + distance(nodes[i].at, nodes[parent(i)].at);
        }
        length = std::max(length, from_end[i]);
    }
    return true;
}

bool PlaceBuild::add_mouths(const RawMouths& mouths, const Parts& parts, const NarrowPlace& place) {
    for (std::uint32_t i = 0; i < parts.mouths.size(); ++i) {
        const RawMouth& raw = mouths.mouths[parts.mouths[i]];
        const PieceRun& end = ends_[i];
        PlaceMouth mouth;
        mouth.middle = middles_[i];
        mouth.node = place.node + axis_.of_mouth[i];
        mouth.outward = outward_of(end, parts.kind, mouth.node);
        mouth.half_width =
            options_.cell * std::sqrt(static_cast<double>(field_->distance[field_->index(end.x0, end.y)]));
        if (parts.kind == PlaceKind::token) {
            mouth.room = room_of_[raw.beyond];
        } else {
            mouth.beyond = place_of_loose_[raw.beyond];
            mouth.room = room_at(end.x0, end.y);
        }
        out_->nodes_[mouth.node].at = mouth.middle;
        if (!out_->mouths_.push_back(mouth)) return false;
    }
    return true;
}

bool PlaceBuild::add_place(const Pieces& pieces, const RawMouths& mouths, const Parts& parts, bool& added) {
    if (!make_axis(pieces, mouths, parts)) return false;
    NarrowPlace place{.kind = parts.kind, .pockets = parts.pockets};
    place.mouth = static_cast<std::uint32_t>(out_->mouths_.size());
    place.mouths = static_cast<std::uint32_t>(parts.mouths.size());
    if (!add_axis(place)) return false;
    added = place.length >= parts.length_min;
    if (!added) {
        while (out_->nodes_.size() > place.node) out_->nodes_.pop_back();
        return true;
    }
    std::int64_t points = 0;
    for (const std::uint32_t i : parts.runs) points += pieces.runs[i].x1 - pieces.runs[i].x0;
    place.centre_space = options_.cell * options_.cell * static_cast<double>(points);
    return add_mouths(mouths, parts, place) && out_->places_.push_back(place);
}

}  // namespace fairlead::crowd
