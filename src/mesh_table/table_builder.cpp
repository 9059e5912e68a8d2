#include "mesh_table/table_builder.h"

#include <algorithm>

#include "base/no_memory.h"
#include "base/run_jobs.h"
#include "mesh_table/hub_order.h"

namespace fairlead::mesh {

namespace {

constexpr std::uint32_t kCornersAGroup = 16;
constexpr std::size_t kGroupsARound = 32;
constexpr Error kStopped{ErrorCode::cancelled};

}  // namespace

Result<void> TableBuilder::build() {
    if (!out_.number(state_) || !find_fans()) return kNoMemory;
    out_.surface = surface_digest(state_);
    if (const Result<void> looked = look_from_all(); !looked) return looked;
    LineGraph graph(options_.allocator);
    if (!sort_sights() || !join_lines(graph)) return kNoMemory;
    return label(graph);
}

bool TableBuilder::report(std::size_t done) const {
    const Progress& progress = options_.progress;
    return progress.report == nullptr ||
           progress.report(progress.user, done, std::size_t{2} * out_.corners());
}

Error TableBuilder::too_large() const {
    return {ErrorCode::size_limit, -1, static_cast<std::int64_t>(options_.bytes_max)};
}

bool TableBuilder::find_fans() {
    Array<EdgeRef> sides(options_.allocator);
    if (!fans_.resize(out_.corners())) return false;
    for (std::uint32_t i = 0; i < out_.corners(); ++i) {
        if (!CornerView::find_fan(out_, state_, i, fans_[i], sides)) return false;
    }
    return true;
}

Result<void> TableBuilder::look_from_all() {
    const std::size_t groups = (out_.corners() + kCornersAGroup - 1) / kCornersAGroup;
    if (!groups_.reserve(groups)) return kNoMemory;
    for (std::size_t i = 0; i < groups; ++i) groups_.add(Group(options_.allocator));
    std::uint64_t parts = 0;
    for (std::size_t first = 0; first < groups; first += kGroupsARound) {
        const std::size_t end = std::min(groups, first + kGroupsARound);
        Round round{this, first};
        const auto job = [](void* context, std::size_t index) {
            const Round& at = *static_cast<const Round*>(context);
            const std::size_t group = at.first + index;
            at.builder->look_from(at.builder->groups_[group],
                                  static_cast<std::uint32_t>(group) * kCornersAGroup);
        };
        run_jobs(options_.jobs, end - first, job, &round);
        for (std::size_t i = first; i < end; ++i) {
            if (groups_[i].failed) return kNoMemory;
            if (groups_[i].too_large) return too_large();
            parts += groups_[i].parts.size();
        }
        if (parts >= kNone) return Error{ErrorCode::size_limit, -1, kNone};
        if (parts * sizeof(Sight) > options_.bytes_max) return too_large();
        if (!report(std::min<std::size_t>(end * kCornersAGroup, out_.corners()))) return kStopped;
    }
    return {};
}

void TableBuilder::look_from(Group& group, std::uint32_t first) {
    CornerView view(options_.allocator);
    const std::uint32_t end = std::min(out_.corners(), first + kCornersAGroup);
    for (std::uint32_t corner = first; corner < end; ++corner) {
        bool good = view.look(out_, state_, fans_.span(), corner);
        for (std::size_t i = 0; good && i < view.parts.size(); ++i)
            good = group.parts.push_back(view.parts[i]);
        for (std::size_t i = 0; good && i < view.corners.size(); ++i)
            good = group.corners.push_back(view.corners[i]);
        group.failed = !good || !group.part_counts.push_back(static_cast<std::uint32_t>(view.parts.size())) ||
                       !group.corner_counts.push_back(static_cast<std::uint32_t>(view.corners.size()));
        group.too_large = group.parts.size() * sizeof(Sight) > options_.bytes_max;
        if (group.failed || group.too_large) return;
    }
}

// By polygon, and in each by corner.
bool TableBuilder::sort_sights() {
    Array<std::uint32_t>& first = out_.sight_first;
    if (!first.resize(state_.polygons + std::size_t{1})) return false;
    std::size_t all = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        for (const SeenPart& part : groups_[i].parts) ++first[part.polygon];
        all += groups_[i].parts.size();
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& at : first) {
        const std::uint32_t count = at;
        at = sum;
        sum += count;
    }
    if (!out_.sights.reserve(all) || !out_.sights.resize_uninitialized(all)) return false;
    std::uint32_t corner = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const SeenPart* part = groups_[i].parts.data();
        for (const std::uint32_t count : groups_[i].part_counts) {
            for (const SeenPart* const end = part + count; part != end; ++part)
                out_.sights[first[part->polygon]++] = {corner, part->left, part->right};
            ++corner;
        }
        groups_[i].parts.free_memory();
    }
    for (std::size_t i = first.size() - 1; i > 0; --i) first[i] = first[i - 1];
    first[0] = 0;
    return true;
}

template <class Visit>
void TableBuilder::each_line(Visit visit) const {
    std::uint32_t corner = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const std::uint32_t* other = groups_[i].corners.data();
        for (const std::uint32_t count : groups_[i].corner_counts) {
            for (const std::uint32_t* const end = other + count; other != end; ++other) visit(corner, *other);
            ++corner;
        }
    }
}

// Each line at both ends, once, even if only one of them has seen it (past a corner that it touches).
bool TableBuilder::join_lines(LineGraph& graph) {
    const std::uint32_t corners = out_.corners();
    Array<std::uint32_t> place(options_.allocator);
    Array<std::uint32_t> both(options_.allocator);
    std::size_t lines = 0;
    each_line([&](std::uint32_t, std::uint32_t) { ++lines; });
    if (!graph.first.resize(corners + std::size_t{1}) || !place.resize(corners + std::size_t{1}) ||
        !both.resize_uninitialized(2 * lines))
        return false;
    each_line([&](std::uint32_t a, std::uint32_t b) {
        ++place[a];
        ++place[b];
    });
    std::uint32_t sum = 0;
    for (std::uint32_t& at : place) {
        const std::uint32_t count = at;
        at = sum;
        sum += count;
    }
    each_line([&](std::uint32_t a, std::uint32_t b) {
        both[place[a]++] = b;
        both[place[b]++] = a;
    });
    std::uint32_t begin = 0;
    for (std::uint32_t a = 0; a < corners; ++a) {
        std::sort(both.begin() + begin, both.begin() + place[a]);  // total order: numbers
        const std::uint32_t* const end = std::unique(both.begin() + begin, both.begin() + place[a]);
        for (const std::uint32_t* b = both.begin() + begin; b != end; ++b) {
            if (!graph.to.push_back(*b) ||
                !graph.length.push_back(distance(out_.corner_at[a], out_.corner_at[*b])))
                return false;
        }
        begin = place[a];
        graph.first[a + 1] = static_cast<std::uint32_t>(graph.to.size());
    }
    out_.legs = graph.to.size() / 2;
    return true;
}

Result<void> TableBuilder::label(const LineGraph& graph) {
    struct Second {
        const TableBuilder* builder = nullptr;
        bool ordered = false;
    };
    Second second{this};
    const auto told = [](void* user, std::size_t done, std::size_t) {
        const Second& at = *static_cast<const Second*>(user);
        return at.builder->report(at.builder->out_.corners() + done);
    };
    Array<std::uint32_t> order(options_.allocator);
    WorkOutcome outcome = find_hub_order(graph, options_.jobs, {told, &second}, order);
    if (outcome == WorkOutcome::done)
        outcome = make_labels(graph, order.span(), {told, &second}, out_.labels);
    switch (outcome) {
        case WorkOutcome::done: break;
        case WorkOutcome::no_memory: return kNoMemory;
        case WorkOutcome::cancelled: return kStopped;
        case WorkOutcome::too_large: return Error{ErrorCode::size_limit, -1, kNone};
    }
    if (out_.bytes() > options_.bytes_max) return too_large();
    return {};
}

}  // namespace fairlead::mesh
