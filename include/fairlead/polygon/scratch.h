// PolygonScratch: the memory that the functions of this module reuse. One per thread, owned by the caller. A warm
// one (that has done a job of the same size before) makes the next call allocate nothing beyond what the output
// grows; it holds no result between calls.
#pragma once

#include <fairlead/base/allocator.h>

namespace fairlead {

namespace polygon {
struct Work;  // src/polygon/work.h
}

class PolygonScratch {
  public:
    explicit PolygonScratch(const Allocator& allocator = {}) : allocator_(allocator) {}
    PolygonScratch(PolygonScratch&& other) noexcept;
    PolygonScratch& operator=(PolygonScratch&& other) noexcept;
    PolygonScratch(const PolygonScratch&) = delete;
    PolygonScratch& operator=(const PolygonScratch&) = delete;
    ~PolygonScratch();

    /// Gives all memory back.
    void free_memory();
    [[nodiscard]] const Allocator& allocator() const { return allocator_; }

    /// For the library's own modules: the buffers, made on first use. Null when memory runs out.
    [[nodiscard]] polygon::Work* work();

  private:
    Allocator allocator_;
    polygon::Work* work_ = nullptr;
};

}  // namespace fairlead
