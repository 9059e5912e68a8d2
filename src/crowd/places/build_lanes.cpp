// Where two units can pass but four cannot. What belongs to a token place is neither wide nor narrow there: mouths may open to it.
#include "crowd/places/build.h"

namespace fairlead::crowd {

bool PlaceBuild::find_lanes() {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        const std::uint8_t flag = field_->flags[i];
        kinds_[i] = (flag & kStands) == 0
                        ? std::uint8_t{kNoKind}
                        : static_cast<std::uint8_t>((flag & kFourPass) != 0 ? kWide : kNarrow);
    }
    for (const PieceRun& run : tight_.runs) {
        if (place_of_tight_[run.piece] == kNoPlace) continue;
        for (std::int32_t x = run.x0; x < run.x1; ++x) kinds_[field_->index(x, run.y)] = kToken;
    }
    if (!loose_.find(kinds_.data(), field_->width, field_->height) ||
        !loose_mouths_.find(loose_, kinds_.data(), field_->width, field_->height)) {
        return false;
    }
    const std::size_t pieces = loose_.pieces.size();
    facts_.clear();
    if (!facts_.resize(pieces) || !place_of_loose_.resize_uninitialized(pieces)) return false;
    for (const RawMouth& mouth : loose_mouths_.mouths) {
        ++facts_[mouth.piece].mouths;
        if (loose_.pieces[mouth.beyond].kind == kToken) ++facts_[mouth.piece].to_tokens;
    }
    // The token place that a piece of its points belongs to, for mouths that open to it.
    for (std::uint32_t i = 0; i < pieces; ++i) place_of_loose_[i] = kNoPlace;
    for (const PieceRun& run : loose_.runs) {
        if (loose_.pieces[run.piece].kind != kToken) continue;
        place_of_loose_[run.piece] = place_of_tight_[tight_.at(run.x0, run.y)];
    }
    return make_lanes();
}

bool PlaceBuild::make_lanes() {
    const std::size_t pieces = loose_.pieces.size();
    const auto counts = [this](std::uint32_t piece) {
        return loose_.pieces[piece].kind == kNarrow && facts_[piece].mouths >= 2 ? piece : kNoPiece;
    };
    const auto by_run = [&](std::size_t i) { return counts(loose_.runs[i].piece); };
    const auto by_mouth = [&](std::size_t i) { return counts(loose_mouths_.mouths[i].piece); };
    if (!runs_of_.make(pieces, loose_.runs.size(), by_run) ||
        !mouths_of_.make(pieces, loose_mouths_.mouths.size(), by_mouth)) {
        return false;
    }
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        if (counts(piece) == kNoPiece) continue;
        const Parts parts{.kind = PlaceKind::lanes,
                          .runs = runs_of_.of(piece),
                          .mouths = mouths_of_.of(piece),
                          .length_min = facts_[piece].to_tokens > 0 ? 4.0 * options_.radius : 0.0};
        bool added = false;
        if (!add_place(loose_, loose_mouths_, parts, added)) return false;
        if (added) place_of_loose_[piece] = static_cast<std::uint32_t>(out_->places_.size() - 1);
    }
    return true;
}

}  // namespace fairlead::crowd
