// The moves past blockers, where they are asked for.
#include "drive/map/clear_moves.h"

#include <algorithm>
#include <bit>

namespace fairlead::drive {

namespace {

constexpr std::size_t kNoWords = SIZE_MAX;  // no blocker is near

}  // namespace

void ClearMoves::begin(const EdgeMap& edges, const BlockerSweep& blockers) {
    edges_ = &edges;
    blockers_ = &blockers;
    across_ = static_cast<std::uint32_t>((edges.width() + 63) / 64);
    moves_ = edges.table().primitives().all().size() + static_cast<std::size_t>(edges.table().headings());
    blocks_.reset();
    first_.clear();
    words_.clear();
    near_x_ = near_y_ = -1;
    failed_ = begun_ = false;
}

std::size_t ClearMoves::block_at(std::int32_t x, std::int32_t y) {
    bool added = false;
    const auto word = static_cast<std::uint32_t>(x >> 6);
    const std::uint32_t block = blocks_.find_or_add(static_cast<std::uint32_t>(y) * across_ + word, added);
    if (block != kNoNode && !added) return first_[block];
    const Vec2 low{static_cast<double>(x & ~63), static_cast<double>(y)};
    const bool near = blockers_->any_near({low, low + Vec2{64.0, 1.0}}, edges_->margin() + 1.0);
    const std::size_t size = moves_ + static_cast<std::size_t>(edges_->table().headings());
    const std::size_t first = words_.size();
    failed_ = failed_ || block == kNoNode || !first_.push_back(near ? first : kNoWords) ||
              (near && !words_.resize(first + size));
    if (failed_ || !near) return kNoWords;
    std::copy_n(edges_->column(x, y), moves_, words_.data() + first);
    return first;
}

// The cells around 64 places that blockers touch.
bool ClearMoves::gather(std::int32_t x, std::int32_t y) {
    if (near_x_ == x && near_y_ == y) return true;
    const std::int32_t margin = edges_->table().margin();
    if (!rows_.resize(static_cast<std::size_t>(2 * margin + 1))) return false;
    for (std::int32_t dy = -margin; dy <= margin; ++dy) {
        Row& row = rows_[static_cast<std::size_t>(dy + margin)];
        for (std::int32_t i = 0; i < 3; ++i)
            row.bits[i] = blockers_->touched().word((x >> 6) + i - 1, y + dy);
    }
    near_x_ = x;
    near_y_ = y;
    return true;
}

// Of the 64 places those from which one of the cells is touched.
std::uint64_t ClearMoves::touched_by(std::span<const CellRun> swept) const {
    const std::int32_t margin = edges_->table().margin();
    std::uint64_t touched = 0;
    for (const CellRun& run : swept) {
        const Row& row = rows_[static_cast<std::size_t>(run.dy + margin)];
        if ((row.bits[0] | row.bits[1] | row.bits[2]) == 0) continue;
        // The cell `dx` from each place on, and those after it: three words, for a run may be longer than one.
        const std::int32_t from = 64 + run.dx, word = from >> 6, shift = from & 63;
        std::uint64_t cells[3];
        for (std::int32_t i = 0; i < 3; ++i) {
            const std::uint64_t low = word + i < 3 ? row.bits[word + i] : 0,
                                high = word + i + 1 < 3 ? row.bits[word + i + 1] : 0;
            cells[i] = shift == 0 ? low : low >> shift | high << (64 - shift);
        }
        for (std::int32_t width = 1; width < run.count;) {
            const std::int32_t by = std::min({width, run.count - width, 63});
            cells[0] |= cells[0] >> by | cells[1] << (64 - by);
            cells[1] |= cells[1] >> by | cells[2] << (64 - by);
            cells[2] |= cells[2] >> by;
            width += by;
        }
        touched |= cells[0];
    }
    return touched;
}

const std::uint64_t* ClearMoves::find_column(std::int32_t x, std::int32_t y, std::int32_t heading,
                                             std::uint64_t places, std::int32_t part) {
    const std::size_t first = failed_ ? kNoWords : block_at(x, y);
    if (first == kNoWords) return edges_->column(x, y);
    std::uint64_t* const words = words_.data() + first;
    std::uint64_t& looked_at = words[moves_ + static_cast<std::size_t>(heading)];
    const std::uint64_t fresh = places & ~looked_at;
    if (fresh == 0) return words;
    if (!gather(x & ~63, y)) {
        failed_ = true;
        return edges_->column(x, y);
    }
    if (!look_at(words, y, heading, fresh, part)) return nullptr;
    looked_at |= fresh;
    return words;
}

bool ClearMoves::look_at(std::uint64_t* words, std::int32_t y, std::int32_t heading, std::uint64_t places,
                         std::int32_t part) {
    const DriveTable& table = edges_->table();
    const PrimitiveSet& set = table.primitives();
    const auto keep = [&](std::uint64_t& word, std::span<const CellRun> swept, const CurveWord& curve) {
        for (std::uint64_t left = touched_by(swept) & word & places; left != 0; left &= left - 1) {
            const std::int32_t x = near_x_ + std::countr_zero(left);
            --part;
            if (!blockers_->is_clear(table.body(), table.node(x, y, heading), table.turning_radius(), curve))
                word &= ~(left & (~left + 1));
        }
    };
    std::uint64_t& stands = words[edges_->room(heading)];
    if (!begun_) {
        keep(stands, table.covered(heading), CurveWord{});
        next_ = set.first(heading);
        begun_ = true;
    }
    for (; next_ < set.first(heading + 1); ++next_) {
        if (part <= 0) return false;
        words[next_] &= stands | ~places;
        keep(words[next_], table.swept(next_), set.all()[next_].word);
    }
    begun_ = false;
    return true;
}

}  // namespace fairlead::drive
