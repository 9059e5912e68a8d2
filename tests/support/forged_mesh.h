// Baked meshes altered by hand, what a load says of them, and what a mesh answers.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/save_mesh.h>

#include "digest/route_digest.h"
#include "support/environment.h"

namespace fairlead::testing {

using Bytes = std::vector<std::uint8_t>;

inline Vec3 place_in(Rng& rng, const Aabb& box) {
    const double x = rng.between(box.low.x, box.high.x);
    const double y = rng.between(box.low.y, box.high.y);
    return {x, y, rng.between(-1.0, 4.0)};
}

/// Every number of some routes.
inline std::uint64_t answers(const NavMeshState& mesh, int count) {
    Rng rng(5);
    Digest digest;
    Scratch scratch;
    Route route;
    const double radius_max = frame_of(mesh).radius_max;
    for (int i = 0; i < count; ++i) {
        MeshQuery query{.start = place_in(rng, mesh.bounds()), .reach = {.above = 9.0, .below = 9.0}};
        query.goal = place_in(rng, mesh.bounds());
        if (i % 3 == 0) query.agent.radius = rng.between(0.0, radius_max);
        query.partial = i % 2 == 0;
        EXPECT_TRUE(find_route_into(mesh, query, scratch, route).has_value());
        add_route(digest, route);
    }
    return digest.value();
}

struct Forged {
    Bytes bytes;

    [[nodiscard]] BakedSection section(const char (&id)[5], std::int64_t& index) const {
        const Result<BakedFile> file = BakedFile::open(bytes, {});
        EXPECT_TRUE(file.has_value());
        for (std::uint32_t i = 0; i < file->sections(); ++i) {
            index = i;
            if (file->section_at(i).id == four_letters(id)) return file->section_at(i);
        }
        ADD_FAILURE() << id;
        return {};
    }
    template <class T>
    void put(const char (&id)[5], std::size_t at, T value) {
        std::int64_t index = 0;
        const std::size_t place = static_cast<std::size_t>(section(id, index).offset) + at;
        typename bytes::Bits<sizeof(T)>::Type word = 0;
        std::memcpy(&word, &value, sizeof word);
        for (std::size_t i = 0; i < sizeof(T); ++i)
            bytes[place + i] = static_cast<std::uint8_t>(word >> (8 * i));
        seal();
    }
    void seal() { ASSERT_TRUE(baked_reseal(bytes).has_value()); }
};

inline Error error_of(const Bytes& bytes) {
    const Result<NavMesh> mesh = load_mesh(bytes);
    return mesh ? Error{ErrorCode::count_, 0, 0} : mesh.error();
}

inline void expect_bad(const Forged& good, const char (&id)[5], std::size_t at, auto value,
                       const char (&told)[5], std::int64_t record) {
    Forged other = good;
    other.put(id, at, value);
    std::int64_t index = 0;
    (void)good.section(told, index);
    const Error error = error_of(other.bytes);
    EXPECT_EQ(error.code, ErrorCode::baked_value) << id << " " << at;
    EXPECT_EQ(error.index, index) << id << " " << at;
    EXPECT_EQ(error.detail, record) << id << " " << at;
}

inline Bytes golden(const char* path) {
    std::ifstream in(source_path(path), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_FALSE(text.empty());
    return {text.begin(), text.end()};
}

}  // namespace fairlead::testing
