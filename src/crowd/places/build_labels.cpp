// Labels in blocks of 8 x 8 points. Points beside a wall where no centre may stand get the label of the nearest where one may, up to two
// steps off: a route along a wall is on the edge, and rounds to either side.
#include <algorithm>

#include "crowd/places/build.h"

namespace fairlead::crowd {

namespace {

constexpr std::int32_t kRim = 2;
constexpr std::int32_t kBlock = 8;
constexpr std::int32_t kWindow = kBlock + 2 * kRim;
constexpr std::uint32_t kSolid = kNoPlace - 1;  ///< no centre may stand

}  // namespace

void PlaceBuild::fill_runs(const Pieces& pieces, std::span<const std::uint32_t> place_of, std::int32_t y) {
    const auto row = static_cast<std::size_t>(y);
    for (std::uint32_t i = pieces.rows[row]; i < pieces.rows[row + 1]; ++i) {
        const PieceRun& run = pieces.runs[i];
        const std::uint32_t place = place_of[run.piece];
        if (place == kNoPlace) continue;
        std::uint32_t* to =
            window_.data() + static_cast<std::size_t>(y % kWindow) * static_cast<std::size_t>(field_->width);
        for (std::int32_t x = run.x0; x < run.x1; ++x) to[x] = place;
        const std::int32_t last = std::min(run.x1 - 1 + kRim, field_->width - 1) / kBlock;
        for (std::int32_t b = std::max(run.x0 - kRim, 0) / kBlock; b <= last; ++b) {
            dirty_[static_cast<std::size_t>(b)] = 1;
        }
    }
}

/// The rows around a row of blocks; a row of the map is row y % kWindow.
bool PlaceBuild::fill_window(std::int32_t y0) {
    const auto columns = static_cast<std::size_t>(field_->width);
    if (!window_.resize_uninitialized(kWindow * columns)) return false;
    std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{0});
    const std::int32_t end = std::min(y0 + kBlock + kRim, field_->height);
    for (std::int32_t y = std::max(y0 - kRim, 0); y < end; ++y) {
        const std::uint8_t* flags = field_->flags.data() + field_->index(0, y);
        std::uint32_t* to = window_.data() + static_cast<std::size_t>(y % kWindow) * columns;
        for (std::size_t x = 0; x < columns; ++x) to[x] = (flags[x] & kStands) != 0 ? kNoPlace : kSolid;
        fill_runs(tight_, place_of_tight_.span(), y);
        fill_runs(loose_, place_of_loose_.span(), y);
    }
    return true;
}

std::uint32_t PlaceBuild::near_label(std::int32_t x, std::int32_t y) const {
    const auto columns = static_cast<std::size_t>(field_->width);
    std::uint32_t label = kNoPlace;
    std::int32_t nearest = INT32_MAX;
    for (std::int32_t dy = -kRim; dy <= kRim; ++dy) {
        for (std::int32_t dx = -kRim; dx <= kRim; ++dx) {
            const std::int32_t nx = x + dx;
            const std::int32_t ny = y + dy;
            if (nx < 0 || ny < 0 || nx >= field_->width || ny >= field_->height) continue;
            const std::uint32_t there =
                window_[static_cast<std::size_t>(ny % kWindow) * columns + static_cast<std::size_t>(nx)];
            const std::int32_t off = dx * dx + dy * dy;
            if (there == kSolid || off >= nearest) continue;
            nearest = off;
            label = there;
        }
    }
    return label;
}

bool PlaceBuild::add_block(std::int32_t bx, std::int32_t y0) {
    std::uint32_t block[kBlock * kBlock];
    bool all_same = true;
    for (std::int32_t i = 0; i < kBlock * kBlock; ++i) {
        const std::int32_t x = bx * kBlock + i % kBlock;
        const std::int32_t y = y0 + i / kBlock;
        std::uint32_t label = kNoPlace;
        if (x < field_->width && y < field_->height) {
            label = window_[static_cast<std::size_t>(y % kWindow) * static_cast<std::size_t>(field_->width) +
                            static_cast<std::size_t>(x)];
            if (label == kSolid) label = near_label(x, y);
        }
        block[i] = label;
        all_same = all_same && label == block[0];
    }
    if (all_same) return out_->blocks_.push_back(block[0]);
    const auto begins = static_cast<std::uint32_t>(out_->labels_.size() / (kBlock * kBlock));
    for (const std::uint32_t label : block) {
        if (!out_->labels_.push_back(label)) return false;
    }
    return out_->blocks_.push_back(kManyPlaces + begins);
}

bool PlaceBuild::make_labels() {
    const std::int32_t columns = (field_->width + kBlock - 1) / kBlock;
    if (!dirty_.resize(static_cast<std::size_t>(columns))) return false;
    for (std::int32_t y0 = 0; y0 < field_->height; y0 += kBlock) {
        if (!fill_window(y0)) return false;
        for (std::int32_t bx = 0; bx < columns; ++bx) {
            const bool empty = dirty_[static_cast<std::size_t>(bx)] == 0;
            if (!(empty ? out_->blocks_.push_back(kNoPlace) : add_block(bx, y0))) return false;
        }
    }
    return true;
}

bool PlaceBuild::make(const PlaceField& field, const PlacesOptions& options, NarrowPlaces& out) {
    field_ = &field;
    options_ = options;
    out_ = &out;
    out.origin_ = options.origin;
    out.cell_ = options.cell;
    out.radius_ = options.radius;
    out.width_ = field.width;
    out.height_ = field.height;
    return find_tokens() && find_lanes() && make_labels();
}

std::size_t PlaceBuild::memory() const {
    return kinds_.bytes() + tight_.memory() + loose_.memory() + tight_mouths_.memory() +
           loose_mouths_.memory() + room_set_.memory() + place_set_.memory() + facts_.bytes() +
           place_of_tight_.bytes() + place_of_loose_.bytes() + room_of_.bytes() + runs_of_.memory() +
           mouths_of_.memory() + ends_.bytes() + middles_.bytes() + depth_.bytes() + axis_.memory() +
           window_.bytes() + dirty_.bytes();
}

}  // namespace fairlead::crowd
