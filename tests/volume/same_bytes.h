// Are two volumes the same to the byte?
#pragma once

#include <cstring>
#include <span>

#include <gtest/gtest.h>

#include <fairlead/volume/volume.h>

#include "base/revisions.h"
#include "volume/components/joins.h"
#include "volume/data/state.h"

namespace fairlead::testing {

template <class Table>
void expect_same_blocks(const Table& a, const Table& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i] == nullptr, b[i] == nullptr) << i;
        if (a[i] == nullptr) continue;
        ASSERT_EQ(a[i]->block.bytes, b[i]->block.bytes) << i;
        const auto bytes = [](const auto* block) {
            return reinterpret_cast<const unsigned char*>(block) + sizeof(Block);
        };
        ASSERT_EQ(std::memcmp(bytes(a[i]), bytes(b[i]), a[i]->block.bytes - sizeof(Block)), 0) << i;
    }
}

/// All that a revision consists of, but for when its parts were made.
inline void expect_same_bytes(const VolumeState& a, const VolumeState& b) {
    expect_same_blocks(a.data().chunks, b.data().chunks);
    expect_same_blocks(a.data().tables, b.data().tables);
    expect_same_blocks(a.data().links, b.data().links);
    const volume::Labels* labels[2] = {a.data().labels, b.data().labels};
    expect_same_blocks(std::span(&labels[0], 1), std::span(&labels[1], 1));
}

}  // namespace fairlead::testing
