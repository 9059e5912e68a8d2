// See polish.h.
#include "volume/search/polish.h"

#include <algorithm>
#include <cmath>

#include "volume/search/metric.h"

namespace fairlead::volume {

namespace {

constexpr int kSweepsMax = 6;
constexpr int kTriesMax = 7;            ///< of one move
constexpr double kStandOff = 1.0 / 64;  ///< sides: a bend stays this far before what stops it
constexpr double kTautEnough = 1.015;   ///< times the straight distance
constexpr double kSweepGain = 0.005;
constexpr int kFiner = 4;  ///< sweeps at least, as the steps get smaller

double* axes(Vec3& v, int k) { return k == 0 ? &v.x : k == 1 ? &v.y : &v.z; }
double axis_of(const Vec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

/// Where the triangle a, p, p + s (q - p) meets an edge of a voxel first.
struct Contact {
    double share = 2.0;
    int axis = -1;
};

// The edge of a voxel along axis k, at corner i of the other two, against the plane of the triangle.
void meet_edge(const Vec3& a, const Vec3& u, const Vec3& w, const Vec3& normal, const double low[3], int k,
               int corner, Contact& out) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double across = axis_of(normal, k);
    if (across == 0.0) return;
    const double xi = low[i] + (corner & 1) - axis_of(a, i), xj = low[j] + (corner >> 1) - axis_of(a, j);
    const double xk = -(axis_of(normal, i) * xi + axis_of(normal, j) * xj) / across;
    const double from = low[k] - axis_of(a, k);
    if (xk < from || xk > from + 1.0) return;
    // The point of the edge as alpha u + beta w, on the two axes across it.
    const double ui = axis_of(u, i), uj = axis_of(u, j), wi = axis_of(w, i), wj = axis_of(w, j);
    const double area = ui * wj - uj * wi;
    if (area == 0.0) return;
    const double alpha = (xi * wj - xj * wi) / area, beta = (ui * xj - uj * xi) / area;
    if (!(alpha > 0.0) || alpha > 1.0 || beta < 0.0) return;
    const double share = beta / alpha;
    if (share < out.share) out = {share, k};
}

Contact meet_voxel(const Vec3& a, const Vec3& p, const Vec3& q, Voxel v) {
    const Vec3 u = p - a, w = q - p, normal = cross(u, w);
    const double low[3] = {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    Contact out;
    for (int k = 0; k < 3; ++k) {
        for (int corner = 0; corner < 4; ++corner) meet_edge(a, u, w, normal, low, k, corner, out);
    }
    return out;
}

}  // namespace

double Polisher::cost() const {
    double sum = 0.0;
    for (std::size_t i = 1; i < points_.size(); ++i) sum += price(points_[i - 1], points_[i]);
    return sum;
}

bool Polisher::begin(const StateData& state, const Body& body, Prices* prices, const Array<Vec3>& way,
                     std::uint32_t tests_base, std::uint32_t tests_bend) {
    state_ = &state;
    body_ = &body;
    prices_ = prices;
    metric_ = metric_of(state);
    failed_ = !points_.assign(way.span()) || !next_.reserve(way.size());
    tests_ = 0;
    tests_base_ = tests_base;
    tests_bend_ = tests_bend;
    stage_ = failed_ ? Stage::done : Stage::pull;
    next_.clear();
    at_ = 0;
    far_ = 1;
    step_ = 1;
    ceiling_ = points_.size();
    sweeps_ = 0;
    return !failed_;
}

bool Polisher::sees_from(Vec3 from, Vec3 to) {
    ++tests_;
    return sees(*state_, *body_, from, to);
}

// One test: is a place farther along the way in sight of the one at hand? Twice as far each time, then between.
void Polisher::pull() {
    if (points_.size() < 3) {
        stage_ = Stage::sweep;
    } else if (far_ + 1 >= ceiling_) {
        // Taken: from here on it goes on.
        if (!next_.push_back(points_[at_])) failed_ = true;
        at_ = far_;
        if (at_ + 1 >= points_.size()) {
            if (!next_.push_back(points_[at_]) || !points_.assign(next_.span())) failed_ = true;
            stage_ = Stage::sweep;
        }
        far_ = at_ + 1;
        step_ = 1;
        ceiling_ = points_.size();
    } else {
        const std::size_t to = std::min(far_ + step_, ceiling_ - 1);
        if (is_cheaper(at_, to) && sees_from(points_[at_], points_[to])) {
            far_ = to;
            step_ *= 2;
        } else {
            ceiling_ = to;
            step_ = std::max<std::size_t>((ceiling_ - far_) / 2, 1);
        }
        return;
    }
    if (stage_ != Stage::sweep) return;
    straight_ = away(points_[0], points_.back()) * (prices_ == nullptr ? 1.0 : prices_->least());
    tests_max_ = tests_ + tests_base_ * (prices_ == nullptr ? 1 : 4) +
                 tests_bend_ * (points_.size() < 2 ? 0 : points_.size() - 2);
    before_ = cost();
    tolerance_ = std::max(0.002, 0.001 * before_);
    begin_sweep();
    if (before_ <= kTautEnough * straight_) stage_ = Stage::done;
}

void Polisher::drop(std::size_t bend) {
    for (std::size_t i = bend; i + 1 < points_.size(); ++i) points_[i] = points_[i + 1];
    points_.pop_back();
}

// The share of the move that is left where a voxel stops the line from the bend to one of its neighbours. False: none.
bool Polisher::shorten(Vec3 to, Vec3 p, Vec3 target, const SightHit& hit, double& share) {
    double next = 0.5 * share;
    if (body_->radius == 0.0) {
        const Contact contact = meet_voxel(to, p, target, hit.voxel);
        if (contact.axis >= 0) {
            stopped_ = contact.axis;
            const double before = contact.share - kStandOff / std::max(away(p, target), 1e-9);
            if (before < share) next = before;
        }
    }
    share = next;
    return share > 1e-6;
}

double Polisher::advance(Vec3 a, Vec3 p, Vec3 b, Vec3 target) {
    double share = 1.0;
    for (int i = 0; i < kTriesMax; ++i) {
        const Vec3 m = p + (target - p) * share;
        ++tests_;
        SightHit hit = look(*state_, *body_, m, a);
        if (hit.blocked) {
            if (!shorten(a, p, target, hit, share)) return 0.0;
            continue;
        }
        ++tests_;
        hit = look(*state_, *body_, m, b);
        if (!hit.blocked) return share;
        if (!shorten(b, p, target, hit, share)) return 0.0;
    }
    return 0.0;
}

bool Polisher::move_to(std::size_t bend, Vec3 target) {
    Vec3& p = points_[bend];
    const Vec3 a = points_[bend - 1], b = points_[bend + 1];
    const double now = price(a, p) + price(p, b);
    if (now - price(a, target) - price(target, b) < tolerance_) return false;
    const double share = advance(a, p, b, target);
    if (share <= 0.0) return false;
    const Vec3 moved = p + (target - p) * share;
    if (now - price(a, moved) - price(moved, b) <= 0.0) return false;
    p = moved;
    return true;
}

// Along an axis: where the way from neighbour to neighbour over a line along it is shortest.
Vec3 Polisher::target_on(std::size_t bend, int axis) const {
    const Vec3 a = points_[bend - 1], b = points_[bend + 1];
    Vec3 p = points_[bend];
    Vec3 da = a - p, db = b - p;
    *axes(da, axis) = *axes(db, axis) = 0.0;
    const double near = metric_length(metric_, da), far = metric_length(metric_, db);
    if (near + far > 0.0) *axes(p, axis) = (axis_of(a, axis) * far + axis_of(b, axis) * near) / (near + far);
    return p;
}

// One target of one bend.
void Polisher::sweep() {
    if (at_ + 1 >= points_.size()) {
        at_ = 1;
        cut_ = 0;
        stage_ = Stage::chamfer;
        return;
    }
    if (target_ < 0) {
        target_ = 0;
        stopped_ = -1;
        if (is_cheaper(at_ - 1, at_ + 1) && sees_from(points_[at_ - 1], points_[at_ + 1])) {
            drop(at_);
            target_ = -1;
            return;
        }
    }
    if (target_ == 0) {
        const Vec3 a = points_[at_ - 1], b = points_[at_ + 1], p = points_[at_];
        const Vec3 m2{metric_.x * metric_.x, metric_.y * metric_.y, metric_.z * metric_.z};
        const Vec3 ab = b - a, ap = p - a;
        const double squared = ab.x * ab.x * m2.x + ab.y * ab.y * m2.y + ab.z * ab.z * m2.z;
        const double along = ab.x * ap.x * m2.x + ab.y * ap.y * m2.y + ab.z * ap.z * m2.z;
        if (squared > 0.0) move_bend(a + ab * std::clamp(along / squared, 0.0, 1.0));
    } else if (target_ <= 3) {
        const int first = stopped_ < 0 ? 0 : stopped_;
        move_bend(target_on(at_, (first + target_ - 1) % 3));
    } else {
        const Vec3 aside = target_aside(at_, target_ - 4);
        if (inside(*state_, *body_, aside)) (void)move_to(at_, aside);
    }
    if (++target_ <= (prices_ == nullptr ? 3 : 9)) return;
    target_ = -1;
    ++at_;
}

bool Polisher::insert(std::size_t before, Vec3 place) {
    if (!points_.push_back(place)) {
        failed_ = true;
        return false;
    }
    for (std::size_t i = points_.size() - 1; i > before; --i) points_[i] = points_[i - 1];
    points_[before] = place;
    return true;
}

// One corner, at one share.
void Polisher::chamfer() {
    if (at_ + 1 >= points_.size()) return end_sweep();
    constexpr double kShares[] = {0.5, 0.25, 0.125};
    const Vec3 a = points_[at_ - 1], b = points_[at_ + 1], p = points_[at_];
    const double share = kShares[cut_];
    const Vec3 from = p + (a - p) * share, to = p + (b - p) * share;
    const double gain = price(from, p) + price(p, to) - price(from, to);
    bool cut = false;
    if (gain >= tolerance_ && sees_from(from, to)) {
        cut = true;
        points_[at_] = from;
        if (!insert(at_ + 1, to)) return;
    }
    if (!cut && gain >= tolerance_ && ++cut_ < 3) return;
    cut_ = 0;
    at_ += cut ? 2 : 1;
}

// Among prices with bulges first.
void Polisher::begin_sweep() {
    at_ = prices_ == nullptr ? 1 : 0;
    target_ = -1;
    stage_ = prices_ != nullptr ? Stage::bulge : points_.size() < 3 ? Stage::done : Stage::sweep;
}

void Polisher::end_sweep() {
    const double now = cost();
    const bool gained = before_ - now >= kSweepGain * before_;
    before_ = now;
    ++sweeps_;
    begin_sweep();
    const bool goes_finer = prices_ != nullptr && sweeps_ < kFiner;
    if ((!gained && !goes_finer) || sweeps_ >= kSweepsMax || now <= kTautEnough * straight_)
        stage_ = Stage::done;
}

bool Polisher::step(std::uint64_t& budget) {
    while (budget > 0 && stage_ != Stage::done && !failed_) {
        const std::uint64_t before = tests_;
        switch (stage_) {
            case Stage::pull: pull(); break;
            case Stage::bulge: bulge(); break;
            case Stage::sweep: sweep(); break;
            case Stage::chamfer: chamfer(); break;
            case Stage::done: break;
        }
        if (stage_ != Stage::pull && tests_ >= tests_max_ && tests_max_ > 0) stage_ = Stage::done;
        budget -= std::min<std::uint64_t>(budget, std::max<std::uint64_t>(tests_ - before, 1));
    }
    return stage_ != Stage::done && !failed_;
}

}  // namespace fairlead::volume
