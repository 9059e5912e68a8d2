// What a scheduler can work on, and the adapters through which it does. Users read the concepts; `detail` is the scheduler's own.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/route.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// A search that a scheduler makes when its turn comes: a SlicedSearch that names its World (a value that keeps a revision alive, such
/// as a Snapshot) and is made as RouteSearch is. One that needs no scratch ignores it. Its functions may be called on any thread,
/// one at a time.
template <class T>
concept ScheduledSearch =
    SlicedSearch<T> && std::copyable<typename T::World> && std::copyable<typename T::Query> &&
    std::constructible_from<T, const typename T::World&, const typename T::Query&, Scratch&>;

/// Other work in slices: a field fill, a repair, a bake of one's own. Its result is the user's own business.
template <class T>
concept SlicedJob = requires(T job, const T& asked, std::uint64_t units) {
    /// Works for about so many units; the units used, at least 1 while it is running.
    { job.step(units) } -> std::same_as<std::uint64_t>;
    { asked.running() } -> std::same_as<bool>;
};

/// A query with lists of the caller's has a function each_list(Query&, visit), found beside it, that calls visit(list) for every
/// Borrowed and SpotList in it. The scheduler then keeps copies of them.
template <class Query>
concept HasLists = requires(Query& query) {
    each_list(query, [](auto&) {});
};

namespace detail {

/// Of the lists of a query: their bytes, and copies of them in memory of the scheduler's.
class ListCopier {
  public:
    /// With null memory it only counts.
    explicit ListCopier(std::uint64_t* memory) : memory_(memory) {}

    template <class T>
    void operator()(Borrowed<T>& list) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= sizeof(std::uint64_t));
        void* to = place(list.size_bytes());
        if (to == nullptr) return;
        std::memcpy(to, static_cast<const void*>(list.data()), list.size_bytes());
        list = Borrowed<T>(static_cast<const T*>(to), list.size());
    }
    void operator()(SpotList& list) {
        static_assert(std::is_trivially_copyable_v<Spot> && alignof(Spot) <= sizeof(std::uint64_t));
        auto* to = static_cast<Spot*>(place(list.size() * sizeof(Spot)));
        if (to == nullptr) return;
        for (std::size_t i = 0; i < list.size(); ++i) std::construct_at(to + i, list[i]);
        list = SpotList(Borrowed<Spot>(to, list.size()));
    }
    [[nodiscard]] std::size_t words() const { return words_; }

  private:
    void* place(std::size_t bytes) {
        void* to = memory_ == nullptr || bytes == 0 ? nullptr : memory_ + words_;
        words_ += (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
        return to;
    }

    std::uint64_t* memory_;
    std::size_t words_ = 0;
};

template <class Query>
[[nodiscard]] std::size_t list_words(const Query& query) {
    ListCopier counter(nullptr);
    if constexpr (HasLists<Query>) {
        Query copy = query;
        each_list(copy, counter);
    }
    return counter.words();
}

template <class Query>
void copy_lists(Query& query, std::uint64_t* memory) {
    ListCopier copier(memory);
    if constexpr (HasLists<Query>) each_list(query, copier);
}

/// A world that a scheduler knows: a value of the type that searches hold.
struct WorldOps {
    std::size_t size;
    std::size_t align;
    void (*destroy)(void* world);
};

template <class World>
inline constexpr WorldOps kWorldOps{sizeof(World), alignof(World),
                                    [](void* world) { std::destroy_at(static_cast<World*>(world)); }};

/// A request's own memory: query, world, and the search while it is on its way. Functions that search are called by one thread at a
/// time, `begin` to `end` in pairs.
struct BodyOps {
    std::size_t size;
    std::size_t align;
    bool gives_route;
    void (*hold)(
        void* body,
        const void*
            world);  ///< the world to search, in place of another one; not while a search is on its way
    /// On the world that it holds; `best`: where it is cut short its best way so far counts, whatever the query says.
    void (*begin)(void* body, Scratch& scratch, bool best);
    bool (*partial)(const void* body);  ///< the query itself asks for the best way so far, or cannot
    std::uint64_t (*step)(void* body, std::uint64_t units);
    bool (*running)(const void* body);
    bool (*has_route)(const void* body);
    void (*stop)(void* body);
    Result<void> (*take)(void* body, Route& route);
    void (*end)(void* body);
    void (*destroy)(void* body);
};

template <class Search>
class SearchBody {
  public:
    using World = typename Search::World;
    using Query = typename Search::Query;

    SearchBody(const Query& query, std::uint64_t* lists) : query_(query) {
        if constexpr (kHasPartial) partial_ = query.partial;
        copy_lists(query_, lists);
    }
    SearchBody(const Query& query, std::uint64_t* lists, const World& world) : SearchBody(query, lists) {
        std::construct_at(&world_, world);
        has_world_ = own_world_ = true;
    }
    SearchBody(const SearchBody&) = delete;
    SearchBody& operator=(const SearchBody&) = delete;
    ~SearchBody() {
        end();
        if (has_world_) std::destroy_at(&world_);
    }

    void hold(const void* world) {
        if (has_world_) std::destroy_at(&world_);
        std::construct_at(&world_, *static_cast<const World*>(world));
        has_world_ = true;
    }
    void begin(Scratch& scratch, bool best) {
        if constexpr (kHasPartial) query_.partial = best || partial_;
        std::construct_at(&search_, std::as_const(world_), std::as_const(query_), scratch);
        begun_ = true;
    }
    void end() {
        if (begun_) std::destroy_at(&search_);
        begun_ = false;
        if (!has_world_ || own_world_) return;
        std::destroy_at(&world_);
        has_world_ = false;
    }
    [[nodiscard]] bool partial() const { return partial_ || !kHasPartial; }
    [[nodiscard]] Search& search() { return search_; }
    [[nodiscard]] const Search& search() const { return search_; }

  private:
    static constexpr bool kHasPartial = requires(Query & query) { query.partial = true; };

    Query query_;
    bool partial_ = false;  ///< what the caller's says
    union {
        World world_;
    };
    union {
        Search search_;
    };
    bool has_world_ = false;
    bool own_world_ = false;
    bool begun_ = false;
};

template <class Search>
[[nodiscard]] inline SearchBody<Search>& body_of(void* body) {
    return *static_cast<SearchBody<Search>*>(body);
}
template <class Search>
[[nodiscard]] inline const SearchBody<Search>& body_of(const void* body) {
    return *static_cast<const SearchBody<Search>*>(body);
}

template <class Search>
inline constexpr BodyOps kSearchOps{
    sizeof(SearchBody<Search>),
    alignof(SearchBody<Search>),
    true,
    [](void* body, const void* world) { body_of<Search>(body).hold(world); },
    [](void* body, Scratch& scratch, bool best) { body_of<Search>(body).begin(scratch, best); },
    [](const void* body) { return body_of<Search>(body).partial(); },
    [](void* body, std::uint64_t units) { return body_of<Search>(body).search().step(units); },
    [](const void* body) { return body_of<Search>(body).search().running(); },
    [](const void* body) { return body_of<Search>(body).search().has_route(); },
    [](void* body) { body_of<Search>(body).search().stop(); },
    [](void* body, Route& route) { return body_of<Search>(body).search().take(route); },
    [](void* body) { body_of<Search>(body).end(); },
    [](void* body) { std::destroy_at(&body_of<Search>(body)); },
};

/// The body of a job is a pointer to it.
template <class Job>
inline constexpr BodyOps kJobOps{
    sizeof(Job*),
    alignof(Job*),
    false,
    [](void*, const void*) {},
    [](void*, Scratch&, bool) {},
    [](const void*) { return false; },
    [](void* body, std::uint64_t units) { return (*static_cast<Job**>(body))->step(units); },
    [](const void* body) { return std::as_const(**static_cast<Job* const*>(body)).running(); },
    [](const void*) { return false; },
    [](void*) {},
    [](void*, Route& route) {
        route.clear();
        return Result<void>{};
    },
    [](void*) {},
    [](void*) {},
};

}  // namespace detail

}  // namespace fairlead
