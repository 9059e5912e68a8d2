// Contacts are few: the rims of narrow pieces. They are listed in order of rows, so those near one are found by counting.
#include "crowd/places/mouths.h"

namespace fairlead::crowd {

namespace {

/// Contacts up to so many steps apart are one mouth: a rim may have a gap of one point.
constexpr std::int32_t kSameMouth = 2;

/// The first piece of another kind among the eight neighbours, row by row.
std::uint32_t touched_by(const Pieces& pieces, const std::uint8_t* kinds, std::int32_t width,
                         std::int32_t height, std::int32_t x, std::int32_t y) {
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::int32_t nx = x + dx;
            const std::int32_t ny = y + dy;
            if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
            const std::size_t at =
                static_cast<std::size_t>(ny) * static_cast<std::size_t>(width) + static_cast<std::size_t>(nx);
            if (kinds[at] >= kWide) return pieces.at(nx, ny);
        }
    }
    return kNoPiece;
}

}  // namespace

bool RawMouths::list_contacts(const Pieces& pieces, const std::uint8_t* kinds, std::int32_t width,
                              std::int32_t height) {
    contacts.clear();
    rows_.clear();
    for (std::int32_t y = 0; y < height; ++y) {
        if (!rows_.push_back(static_cast<std::uint32_t>(contacts.size()))) return false;
        const std::uint32_t end = pieces.rows[static_cast<std::size_t>(y) + 1];
        for (std::uint32_t i = pieces.rows[static_cast<std::size_t>(y)]; i < end; ++i) {
            const PieceRun& run = pieces.runs[i];
            if (pieces.pieces[run.piece].kind != kNarrow) continue;
            for (std::int32_t x = run.x0; x < run.x1; ++x) {
                const std::uint32_t touched = touched_by(pieces, kinds, width, height, x, y);
                if (touched == kNoPiece) continue;
                if (!contacts.push_back({x, y, run.piece, touched, 0})) return false;
            }
        }
    }
    return rows_.push_back(static_cast<std::uint32_t>(contacts.size()));
}

void RawMouths::join_near(std::int32_t height) {
    for (std::int32_t y = 0; y < height; ++y) {
        for (std::int32_t below = y < kSameMouth ? 0 : y - kSameMouth; below <= y; ++below) {
            std::uint32_t first = rows_[static_cast<std::size_t>(below)];
            const std::uint32_t end = rows_[static_cast<std::size_t>(below) + 1];
            const std::uint32_t last = rows_[static_cast<std::size_t>(y) + 1];
            for (std::uint32_t i = rows_[static_cast<std::size_t>(y)]; i < last; ++i) {
                const Contact& contact = contacts[i];
                while (first < end && contacts[first].x < contact.x - kSameMouth) ++first;
                for (std::uint32_t k = first; k < end && contacts[k].x <= contact.x + kSameMouth; ++k) {
                    if (contacts[k].piece == contact.piece && contacts[k].beyond == contact.beyond) {
                        joined_.join(k, i);
                    }
                }
            }
        }
    }
}

bool RawMouths::number() {
    mouths.clear();
    for (std::uint32_t i = 0; i < contacts.size(); ++i) {
        const std::uint32_t first = joined_.find(i);
        if (first == i) {
            contacts[i].mouth = static_cast<std::uint32_t>(mouths.size());
            if (!mouths.push_back({contacts[i].piece, contacts[i].beyond, 0, 0})) return false;
        } else {
            contacts[i].mouth = contacts[first].mouth;
        }
        ++mouths[contacts[i].mouth].count;
    }
    std::uint32_t begins = 0;
    for (RawMouth& mouth : mouths) {
        mouth.first = begins;
        begins += mouth.count;
        mouth.count = 0;
    }
    if (!order.resize_uninitialized(contacts.size())) return false;
    for (std::uint32_t i = 0; i < contacts.size(); ++i) {
        RawMouth& mouth = mouths[contacts[i].mouth];
        order[mouth.first + mouth.count++] = i;
    }
    return true;
}

bool RawMouths::find(const Pieces& pieces, const std::uint8_t* kinds, std::int32_t width,
                     std::int32_t height) {
    if (!list_contacts(pieces, kinds, width, height) || !joined_.begin(contacts.size())) return false;
    join_near(height);
    return number();
}

}  // namespace fairlead::crowd
