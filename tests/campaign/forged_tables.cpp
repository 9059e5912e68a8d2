// Tables of level meshes with numbers altered and checksums made good: what loads is asked for ways, and each must be legal by `verify`
// and have the status that a query without a table has. Lengths may be too large.
//
//     forged_tables [--from 0] [--to 20000] [--queries 50]
//
// Everything of a case follows from its number. Status 0: no illegal route, no other status. About 3 minutes.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fairlead/base/baked.h>

#include "campaign/flags.h"
#include "support/mesh_tables.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Options {
    std::uint64_t from = 0;
    std::uint64_t to = 20000;
    int queries = 50;
};

/// One case: a small level and its table as a file.
struct Level {
    PlainMesh plain;
    OracleMesh shape;
    NavMesh mesh;
    Bytes table;
    std::uint32_t corners = 0;

    explicit Level(Rng& rng)
        : plain(random_mesh(rng, {.width = rng.between(4, 12), .height = rng.between(4, 12)})),
          shape(oracle_mesh(plain)),
          mesh(plain.make(0)) {
        const Result<MeshTable> made = MeshTable::make(mesh.acquire());
        Array<std::uint8_t> bytes;
        if (!made || !made->save(bytes)) std::abort();
        table.assign(bytes.begin(), bytes.end());
        corners = made->size().corners;
    }
};

void put(Bytes& bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t k = 0; k < 4; ++k) bytes[at + k] = static_cast<std::uint8_t>(value >> 8 * k);
}

// Numbers that look like others of their kind, in what is seen and in labels; or any byte at all.
void forge(Rng& rng, std::uint32_t corners, Bytes& bytes) {
    const Result<BakedFile> file = BakedFile::open(bytes, {.kind = kBakedMeshTable});
    const BakedSection seen = *file->section(four_letters("SEEN"), 12);
    const BakedSection labels = *file->section(four_letters("LABL"), 16);
    const auto of = [&](const BakedSection& section, std::size_t size) {
        return static_cast<std::size_t>(section.offset) +
               size * rng.below(static_cast<std::uint32_t>(section.count));
    };
    for (std::uint32_t i = 0; i <= rng.below(30); ++i) {
        switch (rng.below(5)) {
            case 0: put(bytes, of(seen, 12), rng.below(corners)); break;
            case 1:
            case 2: {
                const std::uint32_t limit =
                    rng.below(3) == 0 ? UINT32_MAX : rng.below(corners) | rng.below(2) << 31;
                put(bytes, of(seen, 12) + 4 + 4 * rng.below(2), limit);
                break;
            }
            case 3: put(bytes, of(labels, 16) + 8 + 4 * rng.below(2), rng.below(corners)); break;
            default: {
                const std::size_t at = 64 + rng.below(static_cast<std::uint32_t>(bytes.size() - 64));
                bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ 1U << rng.below(8));
                i += rng.below(30);  // most of these are refused
            }
        }
    }
}

struct Tally {
    std::uint64_t loaded = 0;
    std::uint64_t routes = 0;
    std::uint64_t from_table = 0;
    std::uint64_t bad = 0;
};

void ask(const Level& level, const MeshTable& table, Rng& rng, std::uint64_t number, int queries,
         Tally& tally) {
    Scratch scratch;
    for (int i = 0; i < queries; ++i) {
        const MeshQuery query{.start = on_floor(random_mesh_point(rng, level.shape).at),
                              .goal = on_floor(random_mesh_point(rng, level.shape).at)};
        const Result<Route> route = find_route(level.mesh, looked_up_in(table, query), scratch);
        const Result<Route> searched = find_route(level.mesh, query, scratch);
        if (!route || !searched) std::abort();
        ++tally.routes;
        tally.from_table += from_table(*route) ? 1 : 0;
        const Violation bad = verify(*route, level.mesh, {});
        if (!bad && route->status == searched->status) continue;
        ++tally.bad;
        std::printf("case %llu, query %d: %s, without a table %s; %s\n",
                    static_cast<unsigned long long>(number), i, status_name(route->status),
                    status_name(searched->status), bad.text().c_str());
    }
}

}  // namespace

int main(int count, char** words) {
    Options options;
    const auto take = [&](const std::string& name, const char* value) {
        if (name == "--from") {
            options.from = std::strtoull(value, nullptr, 10);
        } else if (name == "--to") {
            options.to = std::strtoull(value, nullptr, 10);
        } else if (name == "--queries") {
            options.queries = std::atoi(value);
        } else {
            return false;
        }
        return true;
    };
    if (!read_flags(count, words, take)) {
        std::fprintf(stderr, "forged_tables [--from N] [--to N] [--queries N]\n");
        return 2;
    }
    Tally tally;
    for (std::uint64_t i = options.from; i < options.to; ++i) {
        Rng rng(i);
        const Level level(rng);
        if (level.corners == 0) continue;
        Bytes bytes = level.table;
        forge(rng, level.corners, bytes);
        if (!baked_reseal(bytes)) continue;
        const Result<MeshTable> table = MeshTable::load(bytes, level.mesh.acquire());
        if (!table) continue;
        ++tally.loaded;
        ask(level, *table, rng, i, options.queries, tally);
    }
    const auto n = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(
        "%llu forged tables loaded; %llu routes, %llu of them from the table; %llu illegal or of another "
        "status\n",
        n(tally.loaded), n(tally.routes), n(tally.from_table), n(tally.bad));
    return tally.bad == 0 && tally.from_table > 0 ? 0 : 1;
}
