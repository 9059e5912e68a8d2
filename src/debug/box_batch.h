// Collects boxes of one fill on the stack and hands them on 64 at a time.
#pragma once

#include <fairlead/debug/sink.h>

namespace fairlead::debug {

class BoxBatch {
  public:
    BoxBatch(const Sink& sink, double z, const Fill& fill) : sink_(sink), z_(z), fill_(fill) {}
    BoxBatch(const BoxBatch&) = delete;
    BoxBatch& operator=(const BoxBatch&) = delete;
    ~BoxBatch() { flush(); }

    void add(const Aabb& box) {
        if (count_ == kSize) flush();
        boxes_[count_++] = box;
    }

  private:
    static constexpr std::size_t kSize = 64;

    void flush() {
        draw_boxes(sink_, std::span<const Aabb>{boxes_, count_}, z_, fill_);
        count_ = 0;
    }

    const Sink& sink_;
    double z_;
    Fill fill_;
    std::size_t count_ = 0;
    Aabb boxes_[kSize];
};

}  // namespace fairlead::debug
