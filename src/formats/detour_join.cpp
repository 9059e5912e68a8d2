// Borders of Detour tiles: sides that overlap in parts become sides that are equal.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "formats/detour_tile.h"

namespace fairlead::formats {

namespace {

constexpr double kLineReach = 0.01;  // Detour's own tolerances, dtNavMesh::findConnectingPolys
constexpr double kOverlapMin = 0.02;
constexpr std::uint64_t kStepsPerSide = 256;

struct Span {
    const DetourSide* side = nullptr;
    double line = 0.0;             // the coordinate that is the same all along
    double low = 0.0, high = 0.0;  // along the line
    double low_z = 0.0, high_z = 0.0;
    std::uint32_t low_vertex = 0, high_vertex = 0;

    [[nodiscard]] double z_at(double place) const {
        return low_z + (high_z - low_z) * ((place - low) / (high - low));
    }
};

// Two spans that are joined over [low, high].
struct Joint {
    std::uint32_t a = 0, b = 0;  // places in the list of spans
    double low = 0.0, high = 0.0;
    double step = 0.0;  // difference of heights
};

class Joiner {
  public:
    explicit Joiner(DetourParts& parts) : parts_(parts), root_(parts.vertices.size()) {
        std::iota(root_.begin(), root_.end(), 0U);
    }

    Result<std::uint32_t> run() {
        for (const bool along_y : {false, true}) {
            collect(along_y);
            std::size_t first = 0;
            while (first < spans_.size()) {  // one line after the other
                std::size_t end = first + 1;
                while (end < spans_.size() && spans_[end].line - spans_[first].line <= kLineReach) ++end;
                if (!pair_up(first, end)) return detour_error(DetourRule::crowded, -1);
                first = end;
            }
            accept(along_y);
        }
        rewrite();
        return joined_;
    }

  private:
    void collect(bool along_y) {
        spans_.clear();
        candidates_.clear();
        for (const DetourSide& side : parts_.sides) {
            if (side.along_y != along_y) continue;
            const std::vector<std::uint32_t>& ring = parts_.rings[side.polygon];
            std::uint32_t a = ring[side.corner], b = ring[(side.corner + 1) % ring.size()];
            Vec3 p = parts_.vertices[a], q = parts_.vertices[b];
            if (along_y) {
                std::swap(p.x, p.y);
                std::swap(q.x, q.y);
            }
            if (p.x > q.x) {
                std::swap(p, q);
                std::swap(a, b);
            }
            if (std::fabs(p.y - q.y) > kLineReach || q.x - p.x < kOverlapMin) continue;
            spans_.push_back({&side, p.y, p.x, q.x, p.z, q.z, a, b});
        }
        std::stable_sort(spans_.begin(), spans_.end(),
                         [](const Span& a, const Span& b) { return a.line < b.line; });
    }

    // Heights as dtNavMesh compares them.
    static bool meets(const Span& a, const Span& b, double low, double high, double& step) {
        const double at_low = b.z_at(low) - a.z_at(low), at_high = b.z_at(high) - a.z_at(high);
        const double reach = 2.0 * std::max(a.side->climb, b.side->climb);
        step = std::fabs(at_low) + std::fabs(at_high);
        return at_low * at_high < 0 || std::fabs(at_low) <= reach || std::fabs(at_high) <= reach;
    }

    // What may be joined among the spans of one line. False: too many lie over each other.
    bool pair_up(std::size_t first, std::size_t end) {
        const double line = spans_[first].line;
        std::vector<std::uint32_t> order(end - first);
        std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
        for (const std::uint32_t i : order) spans_[i].line = line;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return spans_[a].low < spans_[b].low; });
        std::uint64_t steps = kStepsPerSide * order.size();
        std::vector<std::uint32_t> open;  // begun and not ended
        for (const std::uint32_t i : order) {
            const Span& span = spans_[i];
            std::erase_if(open, [&](std::uint32_t j) { return spans_[j].high - span.low < kOverlapMin; });
            if (open.size() > steps) return false;
            steps -= open.size();
            for (const std::uint32_t j : open) {
                const Span& other = spans_[j];
                if (other.side->low == span.side->low) continue;
                Joint joint{j, i, span.low, std::min(span.high, other.high)};
                if (joint.high - joint.low < kOverlapMin) continue;
                if (!meets(other, span, joint.low, joint.high, joint.step)) continue;
                if (candidates_.size() > 2 * spans_.size() + 64) return false;
                candidates_.push_back(joint);
            }
            open.push_back(i);
        }
        return true;
    }

    [[nodiscard]] static double slack(double place) { return 4e-6 * std::max(1.0, std::fabs(place)); }

    // What is taken of a span: begin to end, by span and begin. Parts meet in their ends at most.
    using Taken = std::map<std::pair<std::uint32_t, double>, double>;

    static bool overlaps(const Taken& taken, std::uint32_t span, const Joint& joint) {
        auto at = taken.lower_bound({span, joint.low});
        if (at != taken.end() && at->first.first == span && joint.high - at->first.second > slack(joint.low))
            return true;
        if (at == taken.begin()) return false;
        --at;
        return at->first.first == span && std::min(at->second, joint.high) - joint.low > slack(joint.low);
    }

    // Nearest in height first, each part of a side once.
    void accept(bool along_y) {
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const Joint& a, const Joint& b) { return a.step < b.step; });
        Taken taken;
        std::vector<Joint> accepted;
        for (const Joint& joint : candidates_) {
            if (overlaps(taken, joint.a, joint) || overlaps(taken, joint.b, joint)) continue;
            taken[{joint.a, joint.low}] = joint.high;
            taken[{joint.b, joint.low}] = joint.high;
            accepted.push_back(joint);
        }
        joined_ += static_cast<std::uint32_t>(accepted.size());
        for (const Joint& joint : accepted) meet(spans_[joint.a], spans_[joint.b]);
        for (const Joint& joint : accepted) {
            const Span& a = spans_[joint.a];
            const Span& b = spans_[joint.b];
            for (const std::uint32_t vertex : {a.low_vertex, a.high_vertex, b.low_vertex, b.high_vertex})
                snaps_.push_back({vertex, a.line, along_y});
            for (const auto& [to, from] : {std::pair(&a, &b), std::pair(&b, &a)}) {
                cut(*to, from->low_vertex, from->low);
                cut(*to, from->high_vertex, from->high);
            }
        }
    }

    // Ends at one place are one vertex.
    void meet(const Span& a, const Span& b) {
        const std::pair<std::uint32_t, double> ends_a[] = {{a.low_vertex, a.low}, {a.high_vertex, a.high}};
        const std::pair<std::uint32_t, double> ends_b[] = {{b.low_vertex, b.low}, {b.high_vertex, b.high}};
        for (const auto& [va, at_a] : ends_a) {
            for (const auto& [vb, at_b] : ends_b) {
                if (std::fabs(at_a - at_b) <= slack(at_a)) unite(va, vb);
            }
        }
    }

    void cut(const Span& span, std::uint32_t vertex, double place) {
        if (place - span.low > slack(place) && span.high - place > slack(place))
            cuts_[{span.side->polygon, span.side->corner}].push_back({place, vertex});
    }

    std::uint32_t find(std::uint32_t vertex) {
        while (root_[vertex] != vertex) vertex = root_[vertex] = root_[root_[vertex]];
        return vertex;
    }
    void unite(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        root_[std::max(a, b)] = std::min(a, b);
    }

    void rewrite() {
        for (const Snap& snap : snaps_) {
            Vec3& at = parts_.vertices[find(snap.vertex)];
            (snap.along_y ? at.x : at.y) = snap.line;
        }
        for (std::uint32_t p = 0; p < parts_.rings.size(); ++p) {
            std::vector<std::uint32_t> ring;
            const std::vector<std::uint32_t>& old = parts_.rings[p];
            for (std::uint32_t i = 0; i < old.size(); ++i) {
                add(ring, find(old[i]));
                if (const auto found = cuts_.find({p, i}); found != cuts_.end())
                    insert(ring, found->second, old, i);
            }
            while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
            parts_.rings[p] = std::move(ring);
        }
    }

    struct Cut {
        double place = 0.0;
        std::uint32_t vertex = 0;
    };

    static void add(std::vector<std::uint32_t>& ring, std::uint32_t vertex) {
        if (ring.empty() || ring.back() != vertex) ring.push_back(vertex);
    }

    void insert(std::vector<std::uint32_t>& ring, std::vector<Cut>& cuts,
                const std::vector<std::uint32_t>& old, std::uint32_t corner) {
        const Vec3 from = parts_.vertices[find(old[corner])],
                   to = parts_.vertices[find(old[(corner + 1) % old.size()])];
        const bool falls =
            std::fabs(to.x - from.x) > std::fabs(to.y - from.y) ? to.x < from.x : to.y < from.y;
        std::stable_sort(cuts.begin(), cuts.end(), [&](const Cut& a, const Cut& b) {
            return falls ? a.place > b.place : a.place < b.place;
        });
        for (const Cut& cut : cuts) add(ring, find(cut.vertex));
    }

    struct Snap {
        std::uint32_t vertex = 0;
        double line = 0.0;
        bool along_y = false;
    };

    DetourParts& parts_;
    std::vector<std::uint32_t> root_;
    std::vector<Span> spans_;
    std::vector<Joint> candidates_;
    std::vector<Snap> snaps_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Cut>> cuts_;
    std::uint32_t joined_ = 0;
};

}  // namespace

Result<std::uint32_t> join_detour_sides(DetourParts& parts) { return Joiner(parts).run(); }

}  // namespace fairlead::formats
