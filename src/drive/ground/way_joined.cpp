#include "drive/ground/way_joined.h"

#include <algorithm>

#include <fairlead/math/trig.h>

#include "drive/lattice/end_curves.h"
#include "drive/lattice/prepare_ends.h"

namespace fairlead::drive {

namespace {

// The different answers of the cores about several poses: a handful.
class Answers {
  public:
    explicit Answers(const DriveMap& map) : map_(map) {}
    void add(const LatticePose& pose) {
        const CoreLinks links = map_.links(pose);
        if (std::find(answer_, answer_ + count_, links) != answer_ + count_) return;
        if (count_ == kMost) {
            too_many_ = true;
        } else {
            answer_[count_++] = links;
        }
    }
    /// Is there a way from one of them?
    [[nodiscard]] DriveMap::Joined joined_to(const LatticePose& pose) const {
        const CoreLinks to = map_.links(pose);
        DriveMap::Joined out = too_many_ ? DriveMap::Joined::unknown : DriveMap::Joined::no;
        for (int i = 0; i < count_; ++i) {
            const DriveMap::Joined answer = DriveMap::joined(answer_[i], to);
            if (answer == DriveMap::Joined::yes) return answer;
            if (answer == DriveMap::Joined::unknown) out = answer;
        }
        return out;
    }

  private:
    static constexpr int kMost = 16;
    const DriveMap& map_;
    CoreLinks answer_[kMost];
    int count_ = 0;
    bool too_many_ = false;
};

// Looks for a pose of the lattice that the start is joined to by the cores and from which the goal is reached at once: it will
// do itself, or it has a short curve to an exact goal. They are what decides whether there is a way; the longer free
// curves that the search tries can only make it shorter. Poses of which the cores do not know are listed.
class Entries {
  public:
    Entries(const DriveMap& map, DriveWork& work)
        : map_(map),
          table_(map.table()),
          goal_(work.goal),
          entries_(work.entries),
          free_(map.free_cells()),
          starts_(map) {
        for (const LatticeStart& start : work.starts) starts_.add(start.pose);
        for (std::int32_t h = 0; h < table_.headings(); ++h)
            ahead_[h] = heading_direction(table_.headings(), h);
        entries_.clear();
    }

    [[nodiscard]] bool find() {
        return accepted() || any_curve(false) ||
               ((listed_ < kFewEnds || goal_.curves.can_pivot) && any_curve(true));
    }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    // Poses that will do.
    [[nodiscard]] bool accepted() {
        return any_node_near(
            free_, goal_.centre, goal_.range, goal_.node_offset, [&](std::int32_t x, std::int32_t y) {
                return any_heading(x, y, [&](const LatticePose& at) { return goal_.accepts(at); });
            });
    }
    // `all_words`: where few short curves are free, all words from poses a little farther away.
    [[nodiscard]] bool any_curve(bool all_words) {
        for (int i = 0; i < goal_.targets; ++i) {
            const EndPose to{goal_.target[i], math::direction(goal_.target[i].heading_rad)};
            const double reach = all_words ? all_words_reach(table_) : table_.primitives().reach() * 1.4143;
            const bool found = any_node_near(
                free_, to.pose.position, reach, table_.node_offset(), [&](std::int32_t x, std::int32_t y) {
                    return any_heading(x, y, [&](const LatticePose& at) {
                        if (!goal_.in_reach(at)) return false;  // the search does not try it
                        const bool free = all_words ? any_word(at, to.pose) : short_curve(at, to);
                        listed_ += free ? 1U : 0U;
                        return free;
                    });
                });
            if (found) return true;
        }
        return false;
    }
    template <class Reaches>
    [[nodiscard]] bool any_heading(std::int32_t x, std::int32_t y, const Reaches& reaches_goal) {
        for (std::int32_t h = 0; h < table_.headings(); ++h) {
            const LatticePose at{x, y, h, Gear::forward};
            if (!map_.edges().stands(x, y, h)) continue;
            DriveMap::Joined answer = starts_.joined_to(at);
            // A link may join what the cores do not.
            if (map_.has_links() && answer == DriveMap::Joined::no) answer = DriveMap::Joined::unknown;
            if (answer == DriveMap::Joined::no || !reaches_goal(at)) continue;
            if (answer == DriveMap::Joined::yes) return true;
            failed_ = failed_ || !entries_.push_back(at);
        }
        return false;
    }
    [[nodiscard]] bool any_word(const LatticePose& at, const Pose& to) const {
        FreeCurve curve;
        return goal_.curves.find(table_.node(at.x, at.y, at.heading), Gear::forward, to, 1e300,
                                 LatticeGoal::kCurveTries, curve);
    }
    [[nodiscard]] bool short_curve(const LatticePose& at, const EndPose& to) const {
        const EndPose from{table_.node(at.x, at.y, at.heading), ahead_[at.heading]};
        const CurveWorld& curves = goal_.curves;
        FreeCurve turning;
        return any_short_curve(map_, from, to, [](const CurveWord&, Gear) { return true; }) ||
               (curves.can_pivot &&
                curves.find_turning(from.pose, Gear::forward, to.pose, 1e300, curves.can_reverse, turning));
    }

    const DriveMap& map_;
    const DriveTable& table_;
    const LatticeGoal& goal_;
    Array<LatticePose>& entries_;
    GroundBits free_;
    Answers starts_;
    Vec2 ahead_[kHeadingsMax];
    std::size_t listed_ = 0;
    bool failed_ = false;
};

// From what a closure has, over links, to poses on their other side. False: it has all of them.
bool go_over(std::span<const LatticeLink> links, const EdgeMap& edges, PoseClosure& closure) {
    for (const LatticeLink& link : links) {
        for (std::int32_t h = 0; h < edges.table().headings(); ++h) {
            const LatticePose there{link.to_x, link.to_y, h, Gear::forward};
            if (closure.set().has({link.x, link.y, h, Gear::forward}) &&
                edges.stands(link.to_x, link.to_y, h))
                closure.add(there);
        }
    }
    return !closure.done();
}

}  // namespace

bool find_way_joined(const DriveMap& map, DriveWork& work, bool& joined) {
    Entries entries(map, work);
    joined = entries.find();
    if (entries.failed()) return false;
    if (joined || work.entries.empty()) return true;
    PoseClosure& ahead = work.ahead;
    PoseClosure& behind = work.behind;
    if (!ahead.begin(map.edges(), Direction::forward) || !behind.begin(map.edges(), Direction::backward))
        return false;
    for (const LatticeStart& start : work.starts) ahead.add(start.pose);
    for (const LatticePose& entry : work.entries) behind.add(entry);
    constexpr std::uint64_t kTurn = 64;  // words
    while ((ahead.step(kTurn) || go_over(map.links(), map.edges(), ahead)) &&
           (behind.step(kTurn) || go_over(map.links_back(), map.edges(), behind))) {
    }
    // Whichever still has something to do is not the one that ended.
    joined = ahead.done()
                 ? std::any_of(work.entries.begin(), work.entries.end(),
                               [&](const LatticePose& entry) { return ahead.set().has(entry); })
                 : std::any_of(work.starts.begin(), work.starts.end(),
                               [&](const LatticeStart& start) { return behind.set().has(start.pose); });
    return true;
}

}  // namespace fairlead::drive
