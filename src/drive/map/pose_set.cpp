#include "drive/map/pose_set.h"

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

PoseClosure::PoseClosure(const Allocator& allocator)
    : reached_(allocator), fresh_(allocator), list_(allocator), touched_(allocator), steps_(allocator) {}

bool PoseClosure::prepare(const EdgeMap& edges, Direction direction) {
    edges_ = &edges;
    direction_ = direction;
    next_ = waiting_ = 0;
    barred_count_ = 0;
    clear_ = nullptr;
    // Each word is in the ring once at most.
    const std::size_t size = reached_.words().size();
    return list_.resize_uninitialized(size) && touched_.resize_uninitialized(size) && list_steps();
}

bool PoseClosure::begin(const EdgeMap& edges, Direction direction) {
    if (reached_.fits(edges) && fresh_.fits(edges) && touched_count_ < reached_.words().size() / 8) {
        for (const std::uint32_t word : touched()) reached_.words()[word] = fresh_.words()[word] = 0;
    } else if (!reached_.reset(edges) || !fresh_.reset(edges)) {
        return false;
    }
    touched_count_ = 0;
    return prepare(edges, direction);
}

bool PoseClosure::begin_within(const EdgeMap& edges, Direction direction, const CellBox& box) {
    if (!reached_.reset(edges) || !fresh_.reset(edges) || !prepare(edges, direction)) return false;
    // What lies outside counts as reached already, and so is never gone to.
    std::memset(reached_.words().data(), 0xff, reached_.words().size_bytes());
    reached_.for_words_in(box, edges.table().headings(), [&](std::size_t word, std::uint64_t columns) {
        reached_.words()[word] = ~columns;
    });
    touched_count_ = touched_.size();  // all of it is cleared next time
    return true;
}

bool PoseClosure::resume(const EdgeMap& edges, Direction direction, std::span<const std::uint64_t> set,
                         const CellBox& box) {
    if (!reached_.reset(edges) || !fresh_.reset(edges) || !prepare(edges, direction)) return false;
    std::copy(set.begin(), set.end(), reached_.words().begin());
    reached_.for_words_in(box, edges.table().headings(), [&](std::size_t word, std::uint64_t columns) {
        const std::uint64_t bits = set[word] & columns;
        if (bits == 0) return;
        fresh_.words()[word] = bits;
        list_[waiting_++] = static_cast<std::uint32_t>(word);
    });
    touched_count_ = touched_.size();
    return true;
}

void PoseClosure::finish_as(const PoseClosure& other) {
    for (const std::uint32_t word : touched()) fresh_.words()[word] = 0;
    next_ = waiting_ = 0;
    touched_count_ = other.touched_count_;
    std::copy(other.touched().begin(), other.touched().end(), touched_.begin());
    for (const std::uint32_t word : touched()) reached_.words()[word] = other.reached_.words()[word];
}

void PoseClosure::turn_round() {
    const std::size_t half = reached_.words().size() / 2;
    const std::span<std::uint64_t> forward = reached_.words().first(half);
    std::swap_ranges(forward.begin(), forward.end(), reached_.words().subspan(half).begin());
    for (std::uint32_t& word : touched_.span().first(touched_count_))
        word = static_cast<std::uint32_t>(word < half ? word + half : word - half);
}

bool PoseClosure::list_steps() {
    const std::span<const Primitive> all = edges_->table().primitives().all();
    const std::int32_t headings = edges_->table().headings();
    const auto across = static_cast<std::int64_t>(reached_.across());
    const auto plane = static_cast<std::int64_t>(reached_.height()) * across;
    const bool forward = direction_ == Direction::forward;
    steps_.clear();
    for (std::int32_t h = 0; h < headings; ++h) {
        first_step_[h] = static_cast<std::uint32_t>(steps_.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            const Primitive& p = all[i];
            if ((forward ? p.from : p.to) != h) continue;
            const std::int32_t rows = forward ? p.dy : -p.dy;
            const std::int64_t turn = forward ? p.to - p.from : p.from - p.to;
            const Step step{turn * plane + rows * across, rows, forward ? p.dx : -p.dx, i};
            if (!steps_.push_back(step)) return false;
        }
    }
    first_step_[headings] = static_cast<std::uint32_t>(steps_.size());
    return true;
}

void PoseClosure::spread_forward(std::size_t word, std::int32_t heading, const std::uint64_t* allowed,
                                 std::uint64_t bits) {
    for (std::uint32_t k = first_step_[heading]; k < first_step_[heading + 1]; ++k) {
        const Step& step = steps_[k];
        const std::uint64_t moved = bits & allowed[step.index];
        if (moved == 0) continue;
        const std::size_t to = word + static_cast<std::size_t>(step.word);
        if (step.dx >= 0) {
            gain(to, moved << step.dx);
            const std::uint64_t over = (moved >> 1) >> (63 - step.dx);
            if (over != 0) gain(to + 1, over);
        } else {
            gain(to, moved >> -step.dx);
            const std::uint64_t over = (moved << 1) << (63 + step.dx);
            if (over != 0) gain(to - 1, over);
        }
    }
}

void PoseClosure::spread_backward(std::size_t word, std::int32_t heading, std::int32_t x_word, std::int32_t y,
                                  std::uint64_t bits) {
    const auto across = static_cast<std::int32_t>(reached_.across());
    const std::uint64_t* reached = reached_.words().data();
    for (std::uint32_t k = first_step_[heading]; k < first_step_[heading + 1]; ++k) {
        const Step& step = steps_[k];
        const std::int32_t from_y = y + step.rows;
        if (from_y < 0 || from_y >= edges_->height()) continue;
        const std::size_t from = word + static_cast<std::size_t>(step.word);
        const auto arrive = [&](std::int32_t by, std::uint64_t come) {
            const std::int32_t column = x_word + by;
            if (come == 0 || column < 0 || column >= across) return;
            const std::size_t at = from + static_cast<std::size_t>(static_cast<std::int64_t>(by));
            come &= ~reached[at];
            if (come != 0) gain(at, come & edges_->column(column * 64, from_y)[step.index]);
        };
        if (step.dx >= 0) {
            arrive(0, bits << step.dx);
            arrive(1, (bits >> 1) >> (63 - step.dx));
        } else {
            arrive(0, bits >> -step.dx);
            arrive(-1, (bits << 1) << (63 + step.dx));
        }
    }
}

bool PoseClosure::step(std::uint64_t budget) {
    const auto across = static_cast<std::uint32_t>(reached_.across());
    const auto height = static_cast<std::uint32_t>(reached_.height());
    for (; budget > 0 && waiting_ > 0; --budget) {
        const std::uint32_t word = list_[next_];
        const std::uint64_t all = fresh_.words()[word];
        // Past blockers moves are looked at one by one: one place at a time.
        const std::uint64_t bits = clear_ != nullptr ? all & (~all + 1) : all;
        const std::uint32_t row = word / across;
        const auto x_word = static_cast<std::int32_t>(word - row * across);
        const auto heading = static_cast<std::int32_t>(row / height);
        const auto y = static_cast<std::int32_t>(row - static_cast<std::uint32_t>(heading) * height);
        const std::uint64_t* allowed = clear_ != nullptr
                                           ? clear_->column_in_parts(x_word * 64, y, heading, bits)
                                           : edges_->column(x_word * 64, y);
        if (allowed == nullptr) continue;
        if (++next_ == list_.size()) next_ = 0;
        --waiting_;
        fresh_.words()[word] = all ^ bits;
        if (all != bits) wait(word);
        if (direction_ == Direction::forward) {
            spread_forward(word, heading, allowed, bits);
        } else {
            spread_backward(word, heading, x_word, y, bits);
        }
    }
    return waiting_ > 0;
}

}  // namespace fairlead::drive
