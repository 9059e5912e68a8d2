// One more thread that waits for work, as a game's job system has them: the second of two threads, there before the bake begins.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

#include <fairlead/base/jobs.h>

namespace fairlead::bench {

class Worker {
  public:
    Worker() : thread_([this] { wait_for_work(); }) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    /// For one caller at a time. All jobs are done on return.
    [[nodiscard]] Jobs jobs() { return {run, this}; }

  private:
    using Job = void (*)(void* context, std::size_t index);

    static void run(void* user, std::size_t count, Job job, void* context) {
        Worker& self = *static_cast<Worker*>(user);
        {
            const std::lock_guard lock(self.mutex_);
            self.job_ = job;
            self.context_ = context;
            self.count_ = count;
            self.next_ = 0;
            self.asked_ = self.busy_ = true;
        }
        self.changed_.notify_all();
        self.work();
        std::unique_lock lock(self.mutex_);
        self.changed_.wait(lock, [&self] { return !self.busy_; });
    }

    void work() {
        for (std::size_t i = next_++; i < count_; i = next_++) job_(context_, i);
    }
    void wait_for_work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return asked_ || ended_; });
            if (ended_) return;
            asked_ = false;
            lock.unlock();
            work();
            lock.lock();
            busy_ = false;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool asked_ = false;  ///< there is work that the thread has not seen
    bool busy_ = false;
    bool ended_ = false;
    Job job_ = nullptr;
    void* context_ = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_{0};
    std::thread thread_;
};

}  // namespace fairlead::bench
