// Leaf: the components of 64 x 64 cells, kept as one label per run of free cells (connectivity.h).
//
// A run is a maximal interval of free cells of a row within the leaf. Which run a cell belongs to follows from
// the row's word by counting the run starts up to the cell, so only the labels are stored: 1 byte a run, 2 where
// there are more than 256 components.
// Labels 0 .. exported - 1 are the components that something outside may join: they touch the leaf's border or
// hold an end of a portal. They are numbered in the order of their first run on the border, so an edit that leaves
// the border as it was leaves their numbers as they were.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "grid/connectivity.h"

namespace fairlead::grid {

/// Sides of a leaf or block that a component touches.
enum Side : std::uint8_t { kLowX = 1, kHighX = 2, kLowY = 4, kHighY = 8, kPortalEnd = 16 };

/// View of a leaf's chunk: a header, run offsets of the 64 rows, labels of the runs (low byte first), sides of the
/// exported.
struct Leaf {
    struct Header {
        std::uint32_t runs = 0;
        std::uint32_t components = 0;
        std::uint32_t exported = 0;
        std::uint32_t bytes = 0;       ///< all of the leaf, for statistics
        std::uint64_t border[4] = {};  ///< free cells on the low x, high x, low y, high y side
        std::uint64_t portals = 0;     ///< digest of the labels of the portals' ends
    };
    const Header* header = nullptr;
    const std::uint16_t* first_run = nullptr;  ///< 64 entries
    const std::uint8_t* labels = nullptr;
    std::uint32_t label_bytes = 1;
    const std::uint8_t* sides = nullptr;

    [[nodiscard]] static Leaf at(const std::uint64_t* chunk) {
        Leaf leaf;
        leaf.header = reinterpret_cast<const Header*>(chunk);
        leaf.first_run = reinterpret_cast<const std::uint16_t*>(leaf.header + 1);
        leaf.labels = reinterpret_cast<const std::uint8_t*>(leaf.first_run + kLeafSide);
        leaf.label_bytes = bytes_of_label(leaf.header->components);
        leaf.sides = leaf.labels + std::size_t{leaf.header->runs} * leaf.label_bytes;
        return leaf;
    }
    [[nodiscard]] static std::uint32_t bytes_of_label(std::uint32_t components) {
        return components <= 256 ? 1U : 2U;
    }
    [[nodiscard]] std::uint32_t label_of_run(std::uint32_t run) const {
        if (label_bytes == 1) return labels[run];
        return labels[std::size_t{2} * run] | (std::uint32_t{labels[std::size_t{2} * run + 1]} << 8);
    }
    /// `row` is the row's word of free cells; bit x of it is set.
    [[nodiscard]] std::uint32_t label(std::uint64_t row, std::int32_t x, std::int32_t y) const {
        const std::uint64_t starts = row & ~(row << 1);
        const std::uint64_t upto = starts & (~0ULL >> (63 - x));
        return label_of_run(first_run[y] + static_cast<std::uint32_t>(std::popcount(upto)) - 1U);
    }
    /// One past the row's last run.
    [[nodiscard]] std::uint32_t end_run(std::int32_t y) const {
        return y + 1 < kLeafSide ? first_run[y + 1] : header->runs;
    }
};

/// Do two leaves of one place look the same from outside: the same free cells on the border, with the same labels?
[[nodiscard]] bool same_border(const Leaf& a, const Leaf& b, std::int32_t height);

/// What a leaf is built from.
struct LeafInput {
    std::uint64_t rows[kLeafSide] = {};  ///< free cells; zero past the map
    std::int32_t width = kLeafSide;      ///< cells inside the map
    std::int32_t height = kLeafSide;
    bool diagonal = false;  ///< diagonal steps join
    /// diagonal == true: may the diagonal step from (x, y) to (x + dx, y + 1) be made? Null: always.
    bool (*step)(const void* user, std::int32_t x, std::int32_t y, std::int32_t dx) = nullptr;
    const void* user = nullptr;
    std::span<const std::uint16_t> portal_ends{};  ///< y * 64 + x
};

/// Builds the chunk of a leaf into `words`. False: out of memory.
[[nodiscard]] bool build_leaf(const LeafInput& input, EditScratch& scratch, Array<std::uint64_t>& words);

}  // namespace fairlead::grid
