// Which strip to fill and which tile to bake next, for any number of threads that ask.
//
// A tile is ready when its strip and those beside it are filled; a strip may be filled when the tiles that read the strip
// whose place it takes are done. So no thread waits for all others between filling and baking, and few strips are kept.
//
// A job of the caller's does one piece of work. One that finds nothing ready leaves its piece to whoever makes it ready: nobody
// waits inside a job, and one thread alone gets through whatever order it runs the jobs in. While nothing is in hand, something is ready.
#pragma once

#include <atomic>
#include <cstdint>

#include <fairlead/base/array.h>

namespace fairlead::bake {

class Pipeline {
  public:
    struct Work {
        std::int32_t strip = -1;  ///< to fill; negative: a tile
        std::int32_t row = 0;     ///< of the tile
        std::int32_t x = 0;
        bool skip = false;  ///< something it needs has failed: nothing is to be done
    };

    /// A tile reads `reach` strips on each side of its own; `kept`, at least 2 reach + 1, are there at a time.
    Pipeline(std::int32_t tiles_x, std::int32_t tiles_y, std::int32_t reach, std::int32_t kept,
             const Allocator& allocator)
        : tiles_x_(tiles_x),
          tiles_y_(tiles_y),
          reach_(reach),
          kept_(kept),
          filled_(allocator),
          left_(allocator) {}

    [[nodiscard]] bool prepare();
    /// Gives out the tiles of the rows before `end` that were not given out before, and the strips they need. How many pieces there are.
    [[nodiscard]] std::size_t begin_batch(std::int32_t end);

    /// The first piece for a job; false if nothing is ready now.
    [[nodiscard]] bool start(Work& work);
    /// `work` is done; not `good`: what comes after it need not be done. True: the job has to do another one, which was left to it.
    [[nodiscard]] bool finish(Work& work, bool good);
    /// When all jobs are done.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    void lock();
    void unlock() { locked_.store(false, std::memory_order_release); }
    [[nodiscard]] bool may_fill() const;
    [[nodiscard]] bool tile_ready() const;
    [[nodiscard]] bool take(Work& work);
    [[nodiscard]] bool strips_wanted() const;
    void note(const Work& work);

    std::int32_t tiles_x_, tiles_y_, reach_, kept_;
    std::atomic<bool> locked_{false};
    // All below are read and written under the lock.
    Array<std::uint8_t> filled_;   ///< by strip
    Array<std::int32_t> left_;     ///< by row: tiles that are not done
    std::int32_t filled_to_ = 0;   ///< all strips before it are filled
    std::int32_t done_to_ = 0;     ///< all rows before it are done
    std::int32_t next_strip_ = 0;  ///< to be given out
    std::int32_t next_row_ = 0;
    std::int32_t next_x_ = 0;
    std::int32_t end_row_ = 0;  ///< of the batch
    std::int32_t end_strip_ = 0;
    std::size_t left_over_ = 0;  ///< pieces whose jobs found nothing ready
    bool failed_ = false;
};

}  // namespace fairlead::bake
