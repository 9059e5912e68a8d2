// Threads that help the one that calls. Where the system gives no more of them, there are fewer.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fairlead::cli {

class ThreadGroup {
  public:
    /// Starts up to `count` threads that all do `work`, and tells on standard error if it could not start them all.
    ThreadGroup(std::size_t count, std::function<void()> work);
    ThreadGroup(const ThreadGroup&) = delete;
    ThreadGroup& operator=(const ThreadGroup&) = delete;
    ~ThreadGroup() { wait(); }

    /// Waits for all. What one of them threw is thrown here.
    void join();

  private:
    void wait();
    void run();

    std::function<void()> work_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::exception_ptr thrown_;
};

}  // namespace fairlead::cli
