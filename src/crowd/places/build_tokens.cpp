// Where two units cannot pass. Pieces with one mouth become part of what is wide; small wide pieces between mouths join the places around
// them.
#include "crowd/places/build.h"

namespace fairlead::crowd {

/// Narrow pieces with one mouth, corners and niches, belong to the wide piece that they open to.
void PlaceBuild::absorb_niches() {
    for (const RawMouth& mouth : tight_mouths_.mouths) ++facts_[mouth.piece].mouths;
    for (const RawMouth& mouth : tight_mouths_.mouths) {
        if (facts_[mouth.piece].mouths == 1) {
            room_set_.join(mouth.piece, mouth.beyond);
        } else {
            facts_[mouth.piece].passage = true;
        }
    }
    for (std::uint32_t i = 0; i < tight_.pieces.size(); ++i) {
        facts_[room_set_.find(i)].points += tight_.pieces[i].points;
    }
}

/// Wide pieces between mouths with too little room in them.
void PlaceBuild::find_pockets() {
    const double side = 2.0 * options_.radius / options_.cell;
    const double least = options_.pocket * side * side;
    for (const RawMouth& mouth : tight_mouths_.mouths) {
        if (!facts_[mouth.piece].passage) continue;
        Fact& room = facts_[room_set_.find(mouth.beyond)];
        ++room.mouths;
    }
    for (std::uint32_t i = 0; i < tight_.pieces.size(); ++i) {
        Fact& fact = facts_[i];
        if (room_set_.find(i) != i || fact.passage || fact.mouths < 2) continue;
        // The root of a set may be a niche, whose own mouth counts too.
        const std::uint32_t own = tight_.pieces[i].kind == kNarrow ? 1 : 0;
        fact.pocket = fact.mouths >= 2 + own && static_cast<double>(fact.points) < least;
    }
}

void PlaceBuild::join_pockets() {
    for (const RawMouth& mouth : tight_mouths_.mouths) {
        const std::uint32_t room = room_set_.find(mouth.beyond);
        if (facts_[mouth.piece].passage && facts_[room].pocket) place_set_.join(mouth.piece, room);
    }
    for (const RawMouth& mouth : tight_mouths_.mouths) {
        const std::uint32_t room = room_set_.find(mouth.beyond);
        if (facts_[mouth.piece].passage && !facts_[room].pocket) ++facts_[place_set_.find(mouth.piece)].outer;
    }
    for (std::uint32_t i = 0; i < tight_.pieces.size(); ++i) {
        if (facts_[i].pocket) ++facts_[place_set_.find(i)].pockets;
    }
}

/// By first point: pieces are, and a set's smallest piece is its root.
bool PlaceBuild::number_tokens() {
    if (!place_of_tight_.resize_uninitialized(tight_.pieces.size())) return false;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < tight_.pieces.size(); ++i) {
        const std::uint32_t room = room_set_.find(i);
        const std::uint32_t root = place_set_.find(room);
        place_of_tight_[i] = kNoPlace;
        if (!facts_[room].passage && !facts_[room].pocket) continue;
        if (facts_[root].outer == 0) continue;
        place_of_tight_[i] = root == i ? count++ : place_of_tight_[root];
    }
    return true;
}

/// Wide pieces that mouths of tokens open to, by first point.
bool PlaceBuild::number_rooms() {
    if (!room_of_.resize_uninitialized(tight_.pieces.size())) return false;
    for (std::uint32_t i = 0; i < tight_.pieces.size(); ++i) room_of_[i] = kNoRoom;
    for (const RawMouth& mouth : tight_mouths_.mouths) {
        if (place_of_tight_[mouth.piece] != kNoPlace) room_of_[room_set_.find(mouth.beyond)] = 0;
    }
    const double area = options_.cell * options_.cell;
    const double each = 16.0 * options_.radius * options_.radius;
    for (std::uint32_t i = 0; i < tight_.pieces.size(); ++i) {
        const std::uint32_t root = room_set_.find(i);
        if (root != i) {
            room_of_[i] = room_of_[root];
            continue;
        }
        if (room_of_[i] == kNoRoom || place_of_tight_[i] != kNoPlace) {
            room_of_[i] = kNoRoom;
            continue;
        }
        PlaceRoom room{.centre_space = area * static_cast<double>(facts_[i].points)};
        const double held = room.centre_space / each;
        room.capacity = held < 4e9 ? static_cast<std::uint32_t>(held) : UINT32_MAX;
        room_of_[i] = static_cast<std::uint32_t>(out_->rooms_.size());
        if (!out_->rooms_.push_back(room)) return false;
    }
    for (const RawMouth& mouth : tight_mouths_.mouths) {
        const std::uint32_t room = room_of_[mouth.beyond];
        if (place_of_tight_[mouth.piece] != kNoPlace && room != kNoRoom) ++out_->rooms_[room].mouths;
    }
    return true;
}

bool PlaceBuild::make_tokens() {
    std::uint32_t count = 0;
    for (const std::uint32_t place : place_of_tight_) {
        if (place != kNoPlace && place >= count) count = place + 1;
    }
    const auto by_run = [this](std::size_t i) { return place_of_tight_[tight_.runs[i].piece]; };
    const auto by_mouth = [this](std::size_t i) {
        const RawMouth& mouth = tight_mouths_.mouths[i];
        return facts_[room_set_.find(mouth.beyond)].pocket ? kNoPlace : place_of_tight_[mouth.piece];
    };
    if (!runs_of_.make(count, tight_.runs.size(), by_run) ||
        !mouths_of_.make(count, tight_mouths_.mouths.size(), by_mouth)) {
        return false;
    }
    for (std::uint32_t place = 0; place < count; ++place) {
        const std::span<const std::uint32_t> runs = runs_of_.of(place);
        const std::uint32_t root = place_set_.find(room_set_.find(tight_.runs[runs[0]].piece));
        const Parts parts{.kind = PlaceKind::token,
                          .runs = runs,
                          .mouths = mouths_of_.of(place),
                          .pockets = facts_[root].pockets};
        bool added = false;
        if (!add_place(tight_, tight_mouths_, parts, added)) return false;
    }
    return true;
}

bool PlaceBuild::find_tokens() {
    const std::size_t points = field_->flags.size();
    if (!kinds_.resize_uninitialized(points)) return false;
    for (std::size_t i = 0; i < points; ++i) {
        constexpr std::uint8_t kKind[4] = {kNoKind, kNarrow, kNoKind, kWide};
        kinds_[i] = kKind[field_->flags[i] & (kStands | kPairPasses)];
    }
    if (!tight_.find(kinds_.data(), field_->width, field_->height) ||
        !tight_mouths_.find(tight_, kinds_.data(), field_->width, field_->height)) {
        return false;
    }
    const std::size_t pieces = tight_.pieces.size();
    facts_.clear();
    if (!room_set_.begin(pieces) || !place_set_.begin(pieces) || !facts_.resize(pieces)) return false;
    absorb_niches();
    find_pockets();
    join_pockets();
    return number_tokens() && number_rooms() && make_tokens();
}

std::uint32_t PlaceBuild::room_at(std::int32_t x, std::int32_t y) const {
    const std::uint32_t piece = tight_.at(x, y);
    return piece == kNoPiece ? kNoRoom : room_of_[piece];
}

}  // namespace fairlead::crowd
