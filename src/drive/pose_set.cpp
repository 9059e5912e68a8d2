#include "drive/pose_set.h"

#include <bit>
#include <cstring>

namespace fairlead::drive {

bool PoseSet::reset(const EdgeMap& edges) {
    height_ = static_cast<std::size_t>(edges.height());
    across_ = (static_cast<std::size_t>(edges.width()) + 63) / 64;
    const std::size_t size = height_ * across_ * static_cast<std::size_t>(edges.table().headings());
    if (!words_.resize_uninitialized(size)) return false;
    std::memset(words_.data(), 0, size * sizeof(std::uint64_t));
    return true;
}

std::uint64_t PoseSet::count() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

void PoseSet::intersect(const PoseSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
}

PoseClosure::PoseClosure(const Allocator& allocator)
    : reached_(allocator), done_(allocator), listed_(allocator), list_(allocator), arrivals_(allocator) {}

bool PoseClosure::begin(const EdgeMap& edges, Direction direction) {
    edges_ = &edges;
    direction_ = direction;
    looked_at_ = 0;
    next_ = waiting_ = 0;
    if (!reached_.reset(edges) || !done_.reset(edges) || !listed_.reset(edges)) return false;
    // Each word is in the ring once at most.
    if (!list_.resize_uninitialized(reached_.words().size())) return false;
    return direction == Direction::forward || list_arrivals();
}

void PoseClosure::add(const LatticePose& from) {
    gain(from.x & ~63, from.y, from.heading, std::uint64_t{1} << (from.x & 63));
}

bool PoseClosure::list_arrivals() {
    const std::span<const Primitive> all = edges_->table().primitives().all();
    const std::int32_t headings = edges_->table().headings();
    if (!arrivals_.resize_uninitialized(all.size())) return false;
    std::uint32_t at = 0;
    for (std::int32_t h = 0; h < headings; ++h) {
        first_arrival_[h] = at;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].to == h) arrivals_[at++] = static_cast<std::uint16_t>(i);
        }
    }
    first_arrival_[headings] = at;
    return true;
}

// Adds bits of the word of column x (a multiple of 64).
void PoseClosure::gain(std::int32_t x, std::int32_t y, std::int32_t heading, std::uint64_t bits) {
    const std::size_t word = reached_.word_of(x, y, heading);
    std::uint64_t& reached = reached_.words()[word];
    if ((bits & ~reached) == 0) return;
    reached |= bits;
    std::uint64_t& listed = listed_.words()[word];
    if (listed != 0) return;
    listed = 1;
    const std::size_t end = next_ + waiting_;
    list_[end < list_.size() ? end : end - list_.size()] = static_cast<std::uint32_t>(word);
    ++waiting_;
}

void PoseClosure::spread_forward(std::int32_t x, std::int32_t y, std::int32_t heading, std::uint64_t bits) {
    const PrimitiveSet& set = edges_->table().primitives();
    const std::uint64_t* allowed = edges_->column(x, y);
    for (std::uint32_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        const std::uint64_t moved = bits & allowed[i];
        if (moved == 0) continue;
        const Primitive& step = set.all()[i];
        const std::int32_t to_y = y + step.dy;
        if (step.dx >= 0) {
            const std::uint64_t here = moved << step.dx;
            if (here != 0) gain(x, to_y, step.to, here);
            const std::uint64_t next = (moved >> 1) >> (63 - step.dx);
            if (next != 0) gain(x + 64, to_y, step.to, next);
        } else {
            const std::uint64_t here = moved >> -step.dx;
            if (here != 0) gain(x, to_y, step.to, here);
            const std::uint64_t next = (moved << 1) << (63 + step.dx);
            if (next != 0) gain(x - 64, to_y, step.to, next);
        }
    }
}

void PoseClosure::spread_backward(std::int32_t x, std::int32_t y, std::int32_t heading, std::uint64_t bits) {
    const PrimitiveSet& set = edges_->table().primitives();
    const std::int32_t width = edges_->width();
    for (std::uint32_t k = first_arrival_[heading]; k < first_arrival_[heading + 1]; ++k) {
        const std::size_t i = arrivals_[k];
        const Primitive& step = set.all()[i];
        const std::int32_t from_y = y - step.dy;
        if (from_y < 0 || from_y >= edges_->height()) continue;
        const auto arrive = [&](std::int32_t from_x, std::uint64_t from) {
            if (from == 0 || from_x < 0 || from_x >= width) return;
            from &= edges_->column(from_x, from_y)[i];
            if (from != 0) gain(from_x, from_y, step.from, from);
        };
        if (step.dx >= 0) {
            arrive(x, bits >> step.dx);
            arrive(x - 64, (bits << 1) << (63 - step.dx));
        } else {
            arrive(x, bits << -step.dx);
            arrive(x + 64, (bits >> 1) >> (63 + step.dx));
        }
    }
}

bool PoseClosure::step(std::uint64_t budget) {
    for (; budget > 0 && waiting_ > 0; --budget) {
        const std::uint32_t word = list_[next_];
        if (++next_ == list_.size()) next_ = 0;
        --waiting_;
        listed_.words()[word] = 0;
        const std::uint64_t bits = reached_.words()[word] & ~done_.words()[word];
        done_.words()[word] |= bits;
        ++looked_at_;
        const auto across = static_cast<std::uint32_t>(reached_.across());
        const auto height = static_cast<std::uint32_t>(reached_.height());
        const auto x = static_cast<std::int32_t>(word % across) * 64;
        const auto y = static_cast<std::int32_t>(word / across % height);
        const auto heading = static_cast<std::int32_t>(word / across / height);
        if (direction_ == Direction::forward) {
            spread_forward(x, y, heading, bits);
        } else {
            spread_backward(x, y, heading, bits);
        }
    }
    return waiting_ > 0;
}

}  // namespace fairlead::drive
