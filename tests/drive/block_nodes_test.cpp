// Nodes by block against a plain map of states, over resets and maps of other sizes.

#include "drive/lattice/block_nodes.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead::drive {
namespace {

TEST(BlockNodes, HoldWhatWasPutInSinceTheLastReset) {
    Rng rng(3);
    BlockNodes nodes;
    for (int round = 0; round < testing::trials(300); ++round) {
        const auto width = static_cast<std::int32_t>(1 + rng.below(300));
        const auto height = static_cast<std::int32_t>(1 + rng.below(200));
        const std::int32_t headings = 8 << rng.below(3);
        const LatticeCode code = LatticeCode::of(width, headings, rng.below(2) == 0);
        ASSERT_TRUE(nodes.resize(code, height));
        for (int search = 0; search < 3; ++search) {
            nodes.reset();
            std::map<std::uint32_t, Cost> plain;
            const std::uint32_t last = static_cast<std::uint32_t>(code.count(height));
            for (int i = 0; i < 400; ++i) {
                const auto x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(width)));
                const auto y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(height)));
                const auto h = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(headings)));
                const bool back = code.gear_bits != 0 && rng.below(2) == 0;
                const bool goal = rng.below(50) == 0;
                const std::uint32_t state =
                    goal ? last : code.state(x, y, h, back ? Gear::reverse : Gear::forward);
                ASSERT_EQ(nodes.find(state) != kNoNode, plain.contains(state));
                bool added = false;
                const std::uint32_t node = nodes.find_or_add(state, added);
                ASSERT_NE(node, kNoNode);
                ASSERT_EQ(nodes.state_of(node), state);
                ASSERT_EQ(added, !plain.contains(state));
                if (added) nodes[node].g = plain[state] = rng.below(1000);
            }
            for (const auto& [state, g] : plain) ASSERT_EQ(nodes[nodes.find(state)].g, g);
        }
    }
}

TEST(BlockNodes, AreGivenBackAndUsedAgain) {
    BlockNodes nodes;
    const LatticeCode code = LatticeCode::of(2048, 8, false);
    ASSERT_TRUE(nodes.resize(code, 2048));
    std::size_t most = 0;
    for (std::int32_t search = 0; search < 200; ++search) {
        nodes.reset();
        bool added = false;
        for (std::int32_t x = 0; x < 2048; x += 4)
            ASSERT_NE(nodes.find_or_add(code.state(x, search * 10, 3, Gear::forward), added), kNoNode);
        if (search == 0) most = nodes.bytes();
        ASSERT_EQ(nodes.bytes(), most);
    }
}

}  // namespace
}  // namespace fairlead::drive
