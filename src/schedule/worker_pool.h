// WorkerPool: threads that wait for jobs. The one place where the library starts threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/base/allocator.h>

namespace fairlead::schedule {

class WorkerPool {
  public:
    explicit WorkerPool(const Allocator& allocator) : allocator_(allocator) {}
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    ~WorkerPool();

    /// Once. Where the system gives fewer threads there are fewer. False: out of memory.
    [[nodiscard]] bool start(std::uint32_t workers);
    [[nodiscard]] std::uint32_t workers() const;
    /// Runs jobs 0 to count - 1 on the workers and on the caller's thread, and returns when all are done.
    void run(std::size_t count, void (*job)(void* context, std::size_t index), void* context);

  private:
    struct State;

    [[maybe_unused]] Allocator allocator_;
    [[maybe_unused]] State* state_ = nullptr;  ///< where there are threads
};

}  // namespace fairlead::schedule
