// Threads take the next job by a counter; which takes which is of no consequence. Between rounds they sleep.
#include "schedule/worker_pool.h"

#include <new>

// Standard libraries without threads: the caller's thread does it all.
#if defined(__EMSCRIPTEN__) || defined(__wasi__)
#define FAIRLEAD_HAS_THREADS 0
#elif defined(__GLIBCXX__) && !defined(_GLIBCXX_HAS_GTHREADS)
#define FAIRLEAD_HAS_THREADS 0
#else
#define FAIRLEAD_HAS_THREADS 1
#endif

#if FAIRLEAD_HAS_THREADS
#include <condition_variable>
#include <mutex>
#include <thread>
#endif

namespace fairlead::schedule {

#if FAIRLEAD_HAS_THREADS

struct WorkerPool::State {
    std::mutex mutex;
    std::condition_variable work;  ///< there is some, or the end
    std::condition_variable done;
    std::uint64_t round = 0;
    bool ending = false;
    void (*job)(void*, std::size_t) = nullptr;
    void* context = nullptr;
    std::size_t count = 0;
    std::size_t next = 0;     ///< the job that nobody has taken
    std::size_t running = 0;  ///< jobs taken and not done
    std::uint32_t capacity = 0;
    std::uint32_t workers = 0;
    std::thread* threads = nullptr;

    // With the mutex held: jobs until there are none left to take.
    void take_jobs(std::unique_lock<std::mutex>& lock) {
        while (next < count) {
            const std::size_t index = next++;
            ++running;
            lock.unlock();
            job(context, index);
            lock.lock();
            --running;
        }
    }
    void work_for_ever() {
        std::unique_lock<std::mutex> lock(mutex);
        for (std::uint64_t seen = 0;;) {
            work.wait(lock, [&] { return ending || round != seen; });
            if (ending) return;
            seen = round;
            take_jobs(lock);
            if (running == 0) done.notify_one();
        }
    }
};

namespace {

// False: the system has no more threads.
bool start_thread(std::thread* place, void (*run)(void*), void* context) {
#if defined(__cpp_exceptions)
    try {  // tidy: allow(exceptions): std::thread has no other way to say that there are no more threads
        new (place) std::thread(run, context);
    } catch (...) {  // tidy: allow(exceptions): as above
        return false;
    }
#else
    new (place) std::thread(run, context);
#endif
    return true;
}

}  // namespace

bool WorkerPool::start(std::uint32_t workers) {
    void* memory = allocator_.allocate(sizeof(State), alignof(State), allocator_.user);
    if (memory == nullptr) return false;
    state_ = new (memory) State;
    memory = allocator_.allocate(workers * sizeof(std::thread), alignof(std::thread), allocator_.user);
    if (memory == nullptr) return false;
    state_->threads = static_cast<std::thread*>(memory);
    state_->capacity = workers;
    const auto run = [](void* context) { static_cast<State*>(context)->work_for_ever(); };
    while (state_->workers < workers && start_thread(state_->threads + state_->workers, run, state_))
        ++state_->workers;
    return true;
}

WorkerPool::~WorkerPool() {
    if (state_ == nullptr) return;
    {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        state_->ending = true;
    }
    state_->work.notify_all();
    for (std::uint32_t i = 0; i < state_->workers; ++i) {
        state_->threads[i].join();
        state_->threads[i].~thread();
    }
    if (state_->threads != nullptr)
        allocator_.release(state_->threads, state_->capacity * sizeof(std::thread), alignof(std::thread),
                           allocator_.user);
    state_->~State();
    allocator_.release(state_, sizeof(State), alignof(State), allocator_.user);
}

std::uint32_t WorkerPool::workers() const { return state_ != nullptr ? state_->workers : 0; }

void WorkerPool::run(std::size_t count, void (*job)(void*, std::size_t), void* context) {
    std::unique_lock<std::mutex> lock(state_->mutex);
    state_->job = job;
    state_->context = context;
    state_->count = count;
    state_->next = 0;
    ++state_->round;
    if (count > state_->workers) {
        state_->work.notify_all();
    } else {
        for (std::size_t i = 1; i < count; ++i) state_->work.notify_one();  // one of the jobs is the caller's
    }
    state_->take_jobs(lock);
    state_->done.wait(lock, [&] { return state_->running == 0; });
}

#else

struct WorkerPool::State {};

bool WorkerPool::start(std::uint32_t) { return true; }
WorkerPool::~WorkerPool() = default;
std::uint32_t WorkerPool::workers() const { return 0; }
void WorkerPool::run(std::size_t count, void (*job)(void*, std::size_t), void* context) {
    for (std::size_t i = 0; i < count; ++i) job(context, i);
}

#endif

}  // namespace fairlead::schedule
