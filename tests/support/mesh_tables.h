// Tables of meshes, and their answers beside those of the search.
#pragma once

#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <fairlead/math/predicates.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/looked_up.h"

namespace fairlead::testing {

inline MeshTable make_table(const NavMesh& mesh, const MeshTableOptions& options = {}) {
    Result<MeshTable> made = MeshTable::make(mesh.acquire(), options);
    EXPECT_TRUE(made);
    return std::move(*made);
}

inline bool from_table(const Route& route) { return std::string_view(route.planner) == "mesh_table"; }

// The table's answer beside that of the search: everything that is promised.
inline void expect_same(const NavMesh& mesh, const MeshTable& table, const MeshQuery& query,
                        Scratch& scratch) {
    const Result<Route> searched = find_route(mesh, query, scratch);
    const Result<Route> looked_up = find_route(mesh, looked_up_in(table, query), scratch);
    ASSERT_EQ(searched.has_value(), looked_up.has_value());
    if (!searched) {
        EXPECT_EQ(searched.error(), looked_up.error());
        return;
    }
    ASSERT_EQ(looked_up->status, searched->status);
    ASSERT_NEAR(looked_up->length, searched->length, 1e-12 * searched->length);
    EXPECT_NEAR(looked_up->cost, searched->cost, 1e-12 * searched->cost);
    EXPECT_EQ(looked_up->bound, searched->bound);
    EXPECT_EQ(looked_up->revision, searched->revision);
    EXPECT_EQ(ground(looked_up->end.position), ground(searched->end.position));
    if (searched->status == PathStatus::complete || searched->status == PathStatus::partial) {
        EXPECT_TRUE(from_table(*looked_up));
    }
    const Violation bad = verify(*looked_up, mesh, query.agent, {.filter = query.filter});
    EXPECT_FALSE(bad) << bad.text().c_str();
    // No leg goes on where the one before it ends without a bend.
    for (std::size_t i = 1; i < looked_up->legs.size(); ++i) {
        const Vec2 a = ground(looked_up->legs[i - 1].start.position),
                   b = ground(looked_up->legs[i].start.position);
        const bool last = i + 1 == looked_up->legs.size();
        const Vec2 c = ground(last ? looked_up->end.position : looked_up->legs[i + 1].start.position);
        EXPECT_TRUE(math::orient2d(a, b, c) != 0.0 || dot(b - a, c - b) <= 0.0);
    }
}

}  // namespace fairlead::testing
