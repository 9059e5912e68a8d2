// Points in a hashed grid of lists. A point that lies beside one of its own tunnel is not kept, so the map grows with the tunnels and not
// with the number of ways through them.
#include "crowd/space/tunnel_map.h"

namespace fairlead::crowd {

namespace {

constexpr double kCell = 4.0;          // radii of the first unit
constexpr double kBesideTunnel = 0.5;  // radii: a point so near stands for another

}  // namespace

void TunnelMap::clear() {
    points_.clear();
    orders_.clear();
    for (std::uint32_t& head : heads_) head = kNone;
    current_ = kNone;
}

std::uint32_t TunnelMap::root(std::uint32_t tunnel) const {
    while (orders_[tunnel].parent != kNone) tunnel = orders_[tunnel].parent;
    return tunnel;
}

std::size_t TunnelMap::slot(Vec3 at, int x, int y, int z) const {
    const auto cell = [&](double on, int by) {
        const double number = std::floor(on / cell_);
        constexpr double kFar = 1e15;
        const double held = number < -kFar ? -kFar : number > kFar ? kFar : number;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(held) + by);
    };
    const std::uint64_t mixed = cell(at.x, x) * 0x9E3779B97F4A7C15u ^ cell(at.y, y) * 0xC2B2AE3D27D4EB4Fu ^
                                cell(at.z, z) * 0x165667B19E3779F9u;
    return static_cast<std::size_t>(mixed >> 32 ^ mixed) & (heads_.size() - 1);
}

bool TunnelMap::grow() {
    if (!heads_.empty() && points_.size() < heads_.size()) return true;
    const std::size_t size = heads_.empty() ? 64 : heads_.size() * 2;
    if (!heads_.resize(size)) return false;
    for (std::uint32_t& head : heads_) head = kNone;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
        const std::size_t s = slot(points_[i].at, 0, 0, 0);
        points_[i].next = heads_[s];
        heads_[s] = i;
    }
    return true;
}

void TunnelMap::join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    const std::uint32_t low = a < b ? a : b;
    const std::uint32_t high = a < b ? b : a;
    TunnelOrder& kept = orders_[low];
    TunnelOrder& gone = orders_[high];
    gone.parent = low;
    if (!kept.has_side && gone.has_side) {
        kept.in_at = gone.in_at;
        kept.out_at = gone.out_at;
        kept.has_side = true;
    }
    kept.on_way += gone.on_way;
    kept.batch += gone.batch;
}

bool TunnelMap::begin(double radius) {
    if (cell_ == 0.0) cell_ = kCell * radius;
    if (radius > widest_) widest_ = radius;
    radius_ = radius;
    kept_ = false;
    current_ = static_cast<std::uint32_t>(orders_.size());
    return orders_.push_back({});
}

bool TunnelMap::add(Vec3 at) {
    if (!grow()) return false;
    const double reach = radius_ + widest_;
    const int cells = static_cast<int>(std::ceil(reach / cell_ < 8.0 ? reach / cell_ : 8.0));
    bool known = false;
    for (int z = -cells; z <= cells; ++z) {
        for (int y = -cells; y <= cells; ++y) {
            for (int x = -cells; x <= cells; ++x) {
                for (std::uint32_t i = heads_[slot(at, x, y, z)]; i != kNone; i = points_[i].next) {
                    const Point& point = points_[i];
                    const double apart = distance(point.at, at);
                    if (!(apart < radius_ + point.radius)) continue;
                    join(point.tunnel, current_);
                    known = known || (apart < kBesideTunnel * radius_ && point.radius >= radius_);
                }
            }
        }
    }
    if (known) return true;
    const std::size_t s = slot(at, 0, 0, 0);
    if (!points_.push_back({at, radius_, current_, heads_[s]})) return false;
    heads_[s] = static_cast<std::uint32_t>(points_.size() - 1);
    kept_ = true;
    return true;
}

std::uint32_t TunnelMap::end() {
    const std::uint32_t tunnel = root(current_);
    if (!kept_ && tunnel != current_) orders_.pop_back();  // nothing bears its number
    return tunnel;
}

}  // namespace fairlead::crowd
