// A search of a user's own for tests of the scheduler: it counts, so that what it needs is known beforehand. It satisfies SlicedSearch and
// has nothing of the library's.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <fairlead/base/borrowed.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

namespace fairlead::testing {

/// A world that counts its copies.
class Ground {
  public:
    explicit Ground(std::atomic<int>& copies, int revision = 0) : copies_(&copies), revision_(revision) {
        ++copies;
    }
    Ground(const Ground& other) : Ground(*other.copies_, other.revision_) {}
    Ground& operator=(const Ground& other) {
        revision_ = other.revision_;
        return *this;
    }
    ~Ground() { --*copies_; }
    [[nodiscard]] int revision() const { return revision_; }

  private:
    std::atomic<int>* copies_;
    int revision_;
};

struct CountQuery {
    std::uint64_t units = 1;  ///< that it needs
    std::uint64_t extra = 0;  ///< by which every step passes what it is asked for, if there is so much to do
    std::uint64_t route_at =
        ~std::uint64_t{0};  ///< has a route from so many units on, as anytime planners have
    int open_from = 0;      ///< revision of the ground; before it the goal is unreachable
    bool partial = false;   ///< a stopped one gives a leg
    bool malformed = false;
    int tag = 0;
    Borrowed<int> numbers{};  ///< its sum is part of the result
};

template <class Visit>
void each_list(CountQuery& query, Visit&& visit) {
    visit(query.numbers);
}

class CountSearch {
  public:
    using World = Ground;
    using Query = CountQuery;

    CountSearch(const Ground& ground, const CountQuery& query, Scratch&) : ground_(ground), query_(query) {}

    std::uint64_t step(std::uint64_t units) {
        if (!running()) return 0;
        const std::uint64_t used = std::min(units + query_.extra, query_.units - done_);
        done_ += used;
        return used;
    }
    [[nodiscard]] bool running() const { return !stopped_ && !query_.malformed && done_ < query_.units; }
    [[nodiscard]] bool has_route() const { return done_ >= query_.route_at; }
    [[nodiscard]] Result<void> take(Route& route) {
        route.clear();
        if (query_.malformed) return Error{ErrorCode::not_finite, Field::start};
        const bool whole = done_ >= query_.units;
        route.status = !whole                                  ? PathStatus::budget_spent
                       : ground_.revision() < query_.open_from ? PathStatus::unreachable
                                                               : PathStatus::complete;
        route.revision = static_cast<std::uint64_t>(ground_.revision());
        route.cost = query_.tag;
        for (const int number : query_.numbers) route.cost += number;
        route.stats.expanded = done_;
        const bool legs = has_route() || (whole ? route.status == PathStatus::complete : query_.partial);
        if (legs && !route.legs.push_back({.length = static_cast<double>(done_)}))
            return Error{ErrorCode::out_of_memory};
        return {};
    }
    [[nodiscard]] SearchStats stats() const { return {.expanded = done_}; }
    void stop() { stopped_ = true; }
    void restart(const CountQuery& query) {
        query_ = query;
        done_ = 0;
        stopped_ = false;
    }

  private:
    Ground ground_;
    CountQuery query_;
    std::uint64_t done_ = 0;
    bool stopped_ = false;
};
static_assert(SlicedSearch<CountSearch>);

}  // namespace fairlead::testing
