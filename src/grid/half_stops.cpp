#include "grid/half_stops.h"

#include <algorithm>

#include "grid/dilate.h"

namespace fairlead::grid {

namespace {

constexpr std::uint32_t kNoStops = UINT32_MAX;
constexpr std::int32_t kStep = HalfPlanes::kPagePoints;

}  // namespace

bool HalfStops::begin(HalfPlanes& planes) {
    planes_ = &planes;
    pages_.clear();
    bool good = table_.resize_uninitialized(planes.squares());
    const std::int32_t most_x = planes.size_i() / 2 + 1;
    const std::int32_t most_y = planes.size_j() / 2 + 1;
    for (std::int32_t n = 0; n < kKinds && good; ++n) {
        const std::int32_t door = 1 + (n >> 2);
        good = half_disc_rows(planes.disc().key, (n & 1) != 0, (n & 2) != 0, most_x, most_y, door, rows_[n]);
    }
    if (good) std::fill(table_.begin(), table_.end(), kNoStops);
    out_of_memory_ = !good;
    return good;
}

HalfStops::Page* HalfStops::page_with(std::int32_t i, std::int32_t j) {
    const std::size_t at = planes_->square_at(i, j);
    if (table_[at] == kNoStops) {
        const std::size_t n = pages_.size();
        if (!pages_.resize_uninitialized(n + 1)) {
            out_of_memory_ = true;
            return nullptr;
        }
        table_[at] = static_cast<std::uint32_t>(n);
        pages_[n].known_doors = pages_[n].known_stops = 0;
    }
    return &pages_[table_[at]];
}

// Of the doors in `of` that begin at the 128 points from (i, j) on those that no single tile closes.
HalfWords HalfStops::open(std::int32_t kinds, std::int32_t i, std::int32_t j, HalfWords of) const {
    if (!of.any()) return {};
    const auto blocked = [&](std::int32_t x, std::int32_t y) { return planes_->walls_along(x, y); };
    const std::int32_t kind = kinds + 2 * (j & 1);
    const std::uint64_t whole = even_bits(of.low) | (even_bits(of.high) << 32);
    const std::uint64_t middle = even_bits(of.low >> 1) | (even_bits(of.high >> 1) << 32);
    const std::uint64_t w = whole & ~dilate_near(blocked, rows_[kind].span(), j >> 1, i >> 1, whole);
    const std::uint64_t m = middle & ~dilate_near(blocked, rows_[kind + 1].span(), j >> 1, i >> 1, middle);
    if ((w | m) == 0) return {};
    return {spread_bits(w) | (spread_bits(m) << 1), spread_bits(w >> 32) | (spread_bits(m >> 32) << 1)};
}

void HalfStops::find_doors(Page& page, std::int32_t i, std::int32_t j) {
    const std::int32_t line = j % kLines;
    page.known_doors |= 1ULL << line;
    const HalfWords fit = planes_->words(i, j);
    const HalfWords closed = ~fit & HalfWords::range(i, 0, planes_->size_i() + 1);
    const HalfWords next = fit.sooner(planes_->words(i + kStep, j).low);
    const HalfWords along = closed & ~next & HalfWords::range(i, 0, planes_->size_i());
    page.along[line] = open(0, i, j, along);
    page.across[line] =
        j < planes_->size_j() ? open(4, i, j, closed & ~planes_->words(i, j + 1)) : HalfWords{};
}

HalfWords HalfStops::doors(std::int32_t i, std::int32_t j, bool along) {
    if (i < 0 || j < 0 || i > planes_->size_i() || j > planes_->size_j()) return {};
    Page* page = page_with(i, j);
    if (page == nullptr) return {};
    if (((page->known_doors >> (j % kLines)) & 1U) == 0) find_doors(*page, i, j);
    // Not (along ? a : b)[line]: g++ 12 with -fsanitize=undefined reads the index before it is set.
    const std::int32_t line = j % kLines;
    return along ? page->along[line] : page->across[line];
}

// The points that fit, and ends of doors that may be gaps, among the 128 from (i, j) on.
HalfWords HalfStops::leads(std::int32_t i, std::int32_t j) {
    const HalfWords along = doors(i, j, true);
    return planes_->words(i, j) | along | along.later(doors(i - kStep, j, true).high) | doors(i, j, false) |
           doors(i, j - 1, false);
}

// Doors that may be gaps, both of whose rooms lead on.
HalfWords HalfStops::doors_that_lead(std::int32_t i, std::int32_t j, bool along) {
    const HalfWords all = doors(i, j, along);
    if (!all.any()) return all;
    if (along) {
        const auto pairs = [&](std::int32_t line) {
            const HalfWords here = leads(i, line);
            return here | here.sooner(leads(i + kStep, line).low);
        };
        return all & pairs(j - 1) & pairs(j + 1);
    }
    const auto beside = [&](std::int32_t at) { return leads(at, j) | leads(at, j + 1); };
    const HalfWords here = beside(i);
    return all & here.sooner(beside(i + kStep).low) & here.later(beside(i - kStep).high);
}

// The ends of such doors.
HalfWords HalfStops::bridges(std::int32_t i, std::int32_t j) {
    const HalfWords along = doors_that_lead(i, j, true);
    return along | along.later(doors_that_lead(i - kStep, j, true).high) | doors_that_lead(i, j, false) |
           doors_that_lead(i, j - 1, false);
}

// The points on a line beside, or at, such ends of the same line.
HalfWords HalfStops::near_bridges(std::int32_t i, std::int32_t j) {
    const auto ends = [&](std::int32_t at) {
        return at < 0 || at > planes_->size_i() ? HalfWords{} : bridges(at, j);
    };
    const HalfWords here = ends(i);
    return here | here.later(ends(i - kStep).high) | here.sooner(ends(i + kStep).low);
}

HalfWords HalfStops::stops(std::int32_t i, std::int32_t j) {
    const std::int32_t line = j % kLines;
    if (const Page* page = page_with(i, j); page == nullptr) return {};
    const std::uint32_t at = table_[planes_->square_at(i, j)];
    if (((pages_[at].known_stops >> line) & 1U) != 0) return pages_[at].stops[line];
    HalfWords found = planes_->kept_stops(i, j);
    if (!planes_->is_kept()) {
        for (std::int32_t k = std::max(j - 1, 0); k <= std::min(j + 1, planes_->size_j()); ++k)
            found = found | near_bridges(i, k);
        found = found & planes_->words(i, j);
    }
    pages_[at].known_stops |= 1ULL << line;
    return pages_[at].stops[line] = found;
}

bool HalfStops::at(HalfPoint p) {
    constexpr std::int32_t kReach = 4;  // of the points and doors that tell
    if (planes_->near_seam(p, kReach)) return true;
    const HalfWords found = stops(p.i & -kStep, p.j);
    const std::int32_t bit = p.i & (kStep - 1);
    return (((bit < 64 ? found.low : found.high) >> (bit & 63)) & 1U) != 0;
}

std::uint64_t HalfStops::window(std::int32_t i, std::int32_t j) {
    if (j < 0 || j > planes_->size_j() || i > planes_->size_i() || i <= -64) return 0;
    if (i < 0) return window(0, j) << -i;
    const HalfWords here = stops(i & -kStep, j);
    const std::int32_t bit = i & (kStep - 1);
    const std::uint64_t low = (bit < 64 ? here.low : here.high) >> (bit & 63);
    if ((bit & 63) == 0) return low;
    std::uint64_t next = bit < 64 ? here.high : 0;
    const std::int32_t beyond = (i | (kStep - 1)) + 1;
    if (bit >= 64 && beyond <= planes_->size_i()) next = stops(beyond, j).low;
    return low | (next << (64 - (bit & 63)));
}

}  // namespace fairlead::grid
