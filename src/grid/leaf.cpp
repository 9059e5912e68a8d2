#include "grid/leaf.h"

#include <cstring>

#include <fairlead/base/digest.h>

namespace fairlead::grid {

namespace {

constexpr std::uint32_t kRunsMax = kLeafSide * kLeafSide / 2;

struct RunTable {
    std::uint16_t first[kLeafSide + 1];
    std::uint16_t root[kRunsMax];   // union-find over runs, smaller number wins
    std::uint16_t label[kRunsMax];  // by run
    std::uint8_t low[kRunsMax];
    std::uint8_t high[kRunsMax];   // inclusive
    std::uint8_t sides[kRunsMax];  // by root
    std::uint32_t runs = 0;

    std::uint16_t find(std::uint16_t run) {
        while (root[run] != run) {
            root[run] = root[root[run]];
            run = root[run];
        }
        return run;
    }
    void join(std::uint16_t a, std::uint16_t b) {
        a = find(a);
        b = find(b);
        if (a < b) {
            root[b] = a;
        } else {
            root[a] = b;
        }
    }
};

void collect_runs(const LeafInput& input, RunTable& table) {
    table.runs = 0;
    for (std::int32_t y = 0; y < kLeafSide; ++y) {
        table.first[y] = static_cast<std::uint16_t>(table.runs);
        std::uint64_t row = input.rows[y];
        while (row != 0) {
            const auto low = static_cast<std::uint32_t>(std::countr_zero(row));
            const auto length = static_cast<std::uint32_t>(std::countr_one(row >> low));
            const std::uint32_t run = table.runs++;
            table.low[run] = static_cast<std::uint8_t>(low);
            table.high[run] = static_cast<std::uint8_t>(low + length - 1);
            table.root[run] = static_cast<std::uint16_t>(run);
            row = low + length >= 64 ? 0 : row & (~0ULL << (low + length));
        }
    }
    table.first[kLeafSide] = static_cast<std::uint16_t>(table.runs);
}

// Do the runs a (row y) and b (row y + 1), which do not overlap, touch at a corner that may be passed?
bool touch_diagonally(const LeafInput& input, const RunTable& table, std::uint32_t a, std::uint32_t b,
                      std::int32_t y) {
    if (table.high[a] + 1 == table.low[b]) {
        return input.step == nullptr || input.step(input.user, table.high[a], y, 1);
    }
    if (table.high[b] + 1 == table.low[a]) {
        return input.step == nullptr || input.step(input.user, table.low[a], y, -1);
    }
    return false;
}

// Joins the runs of rows y and y + 1: two pointers along both rows.
void join_rows(const LeafInput& input, RunTable& table, std::int32_t y) {
    std::uint32_t a = table.first[y];
    std::uint32_t b = table.first[y + 1];
    const std::uint32_t a_end = table.first[y + 1];
    const std::uint32_t b_end = table.first[y + 2];
    while (a < a_end && b < b_end) {
        const bool overlap = table.low[a] <= table.high[b] && table.low[b] <= table.high[a];
        if (overlap || (input.diagonal && touch_diagonally(input, table, a, b, y))) {
            table.join(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
        }
        // The run that ends first can touch nothing further: runs of a row are at least one cell apart.
        if (table.high[a] <= table.high[b]) {
            ++a;
        } else {
            ++b;
        }
    }
}

std::uint8_t sides_of_run(const LeafInput& input, const RunTable& table, std::uint32_t run, std::int32_t y) {
    std::uint8_t sides = 0;
    if (table.low[run] == 0) sides |= kLowX;
    if (table.high[run] == input.width - 1) sides |= kHighX;
    if (y == 0) sides |= kLowY;
    if (y == input.height - 1) sides |= kHighY;
    return sides;
}

std::uint32_t run_at(const LeafInput& input, const RunTable& table, std::int32_t x, std::int32_t y) {
    const std::uint64_t starts = input.rows[y] & ~(input.rows[y] << 1);
    return table.first[y] + static_cast<std::uint32_t>(std::popcount(starts & (~0ULL >> (63 - x)))) - 1U;
}

void mark_sides(const LeafInput& input, RunTable& table) {
    std::memset(table.sides, 0, table.runs);
    for (std::int32_t y = 0; y < input.height; ++y) {
        for (std::uint32_t run = table.first[y]; run < table.first[y + 1]; ++run) {
            table.sides[table.find(static_cast<std::uint16_t>(run))] |= sides_of_run(input, table, run, y);
        }
    }
    for (const std::uint16_t end : input.portal_ends) {
        const std::int32_t x = end % kLeafSide;
        const std::int32_t y = end / kLeafSide;
        if (((input.rows[y] >> x) & 1U) == 0) continue;
        table.sides[table.find(static_cast<std::uint16_t>(run_at(input, table, x, y)))] |= kPortalEnd;
    }
}

// Numbers the components: first those that touch the border, in the order of their first run there, then those
// that only hold a portal's end, then the closed ones.
struct Counts {
    std::uint32_t exported = 0;
    std::uint32_t all = 0;
};
Counts number_components(const LeafInput& input, RunTable& table) {
    constexpr std::uint16_t kNone = 0xffff;
    Counts counts;
    for (std::uint32_t run = 0; run < table.runs; ++run) table.label[run] = kNone;
    const auto number = [&](std::uint32_t run) {
        const std::uint16_t root = table.find(static_cast<std::uint16_t>(run));
        if (table.label[root] == kNone) table.label[root] = static_cast<std::uint16_t>(counts.all++);
    };
    for (std::int32_t y = 0; y < input.height; ++y) {
        for (std::uint32_t run = table.first[y]; run < table.first[y + 1]; ++run) {
            if (sides_of_run(input, table, run, y) != 0) number(run);
        }
    }
    for (std::uint32_t run = 0; run < table.runs; ++run) {
        if (table.root[run] == run && table.sides[run] != 0) number(run);
    }
    counts.exported = counts.all;
    for (std::uint32_t run = 0; run < table.runs; ++run) number(run);
    for (std::uint32_t run = 0; run < table.runs; ++run) {
        table.label[run] = table.label[table.find(static_cast<std::uint16_t>(run))];
    }
    return counts;
}

void note_border(const LeafInput& input, Leaf::Header& header) {
    for (std::int32_t y = 0; y < input.height; ++y) {
        const std::uint64_t row = input.rows[y];
        header.border[0] |= (row & 1U) << y;
        header.border[1] |= ((row >> (input.width - 1)) & 1U) << y;
    }
    header.border[2] = input.rows[0];
    header.border[3] = input.rows[input.height - 1];
}

std::uint64_t digest_portals(const LeafInput& input, const RunTable& table) {
    Digest digest;
    for (const std::uint16_t end : input.portal_ends) {
        const std::int32_t x = end % kLeafSide;
        const std::int32_t y = end / kLeafSide;
        const bool free = ((input.rows[y] >> x) & 1U) != 0;
        digest.add(free ? std::uint32_t{table.label[run_at(input, table, x, y)]} : ~0U);
    }
    return digest.value();
}

// Have the two leaves the same labels along a row?
bool same_row(const Leaf& a, const Leaf& b, std::int32_t y) {
    const std::uint32_t count = a.end_run(y) - a.first_run[y];
    if (b.end_run(y) - b.first_run[y] != count) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (a.label_of_run(a.first_run[y] + i) != b.label_of_run(b.first_run[y] + i)) return false;
    }
    return true;
}

}  // namespace

bool same_border(const Leaf& a, const Leaf& b, std::int32_t height) {
    const Leaf::Header& before = *a.header;
    const Leaf::Header& after = *b.header;
    if (std::memcmp(before.border, after.border, sizeof before.border) != 0) return false;
    if (before.exported != after.exported || before.portals != after.portals) return false;
    if (std::memcmp(a.sides, b.sides, before.exported) != 0) return false;
    if (!same_row(a, b, 0) || !same_row(a, b, height - 1)) return false;
    // Between those two rows a run touches the border with its first or its last cell alone.
    for (std::uint64_t low = before.border[0]; low != 0; low &= low - 1) {
        const std::int32_t y = std::countr_zero(low);
        if (a.label_of_run(a.first_run[y]) != b.label_of_run(b.first_run[y])) return false;
    }
    for (std::uint64_t high = before.border[1]; high != 0; high &= high - 1) {
        const std::int32_t y = std::countr_zero(high);
        if (a.label_of_run(a.end_run(y) - 1) != b.label_of_run(b.end_run(y) - 1)) return false;
    }
    return true;
}

bool build_leaf(const LeafInput& input, EditScratch& scratch, Array<std::uint64_t>& words) {
    if (!scratch.numbers.resize_uninitialized(sizeof(RunTable) / sizeof(std::uint32_t) + 1)) return false;
    RunTable& table = *reinterpret_cast<RunTable*>(scratch.numbers.data());
    collect_runs(input, table);
    for (std::int32_t y = 0; y + 1 < input.height; ++y) join_rows(input, table, y);
    mark_sides(input, table);
    const Counts counts = number_components(input, table);

    const std::uint32_t label_bytes = Leaf::bytes_of_label(counts.all);
    const std::size_t bytes =
        sizeof(Leaf::Header) + 2 * kLeafSide + std::size_t{label_bytes} * table.runs + counts.exported;
    words.clear();
    if (!words.resize((bytes + 7) / 8)) return false;
    auto* header = reinterpret_cast<Leaf::Header*>(words.data());
    *header = {};
    header->runs = table.runs;
    header->components = counts.all;
    header->exported = counts.exported;
    header->bytes = static_cast<std::uint32_t>(words.size() * 8);
    note_border(input, *header);
    if (!input.portal_ends.empty()) header->portals = digest_portals(input, table);
    auto* first_run = reinterpret_cast<std::uint16_t*>(header + 1);
    std::memcpy(first_run, table.first, 2 * kLeafSide);
    auto* labels = reinterpret_cast<std::uint8_t*>(first_run + kLeafSide);
    for (std::uint32_t run = 0; run < table.runs; ++run) {
        *labels++ = static_cast<std::uint8_t>(table.label[run] & 0xffU);
        if (label_bytes == 2) *labels++ = static_cast<std::uint8_t>(table.label[run] >> 8);
    }
    std::uint8_t* const sides = labels;
    for (std::uint32_t run = 0; run < table.runs; ++run) {
        if (table.root[run] == run && table.sides[run] != 0) sides[table.label[run]] = table.sides[run];
    }
    return true;
}

}  // namespace fairlead::grid
