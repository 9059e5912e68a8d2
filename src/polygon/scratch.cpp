#include <fairlead/polygon/scratch.h>

#include <new>
#include <utility>

#include "polygon/work.h"

namespace fairlead {

PolygonScratch::PolygonScratch(PolygonScratch&& other) noexcept
    : allocator_(other.allocator_), work_(std::exchange(other.work_, nullptr)) {}

PolygonScratch& PolygonScratch::operator=(PolygonScratch&& other) noexcept {
    if (this != &other) {
        free_memory();
        allocator_ = other.allocator_;
        work_ = std::exchange(other.work_, nullptr);
    }
    return *this;
}

PolygonScratch::~PolygonScratch() { free_memory(); }

void PolygonScratch::free_memory() {
    if (work_ == nullptr) return;
    work_->~Work();
    allocator_.release(work_, sizeof(polygon::Work), alignof(polygon::Work), allocator_.user);
    work_ = nullptr;
}

polygon::Work* PolygonScratch::work() {
    if (work_ == nullptr) {
        void* memory = allocator_.allocate(sizeof(polygon::Work), alignof(polygon::Work), allocator_.user);
        if (memory != nullptr) work_ = new (memory) polygon::Work(allocator_);
    }
    return work_;
}

}  // namespace fairlead
