// Damaged files of level meshes and tiles. Each is given to the loaders as it is: none may be accepted unless it is what it was.
// Then its checksums are computed anew, and what is accepted is asked queries; nothing may fault (run it under sanitizers
// too) or return what is not documented.
//
//     mesh_files [--from 0] [--to 100000] [--queries 100]
//     mesh_files --write FOLDER        the files that are damaged, for golden files and seeds
//
// Everything of a case follows from its number. Status 0: no altered file was accepted, and every promise was kept.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "campaign/flags.h"
#include "fuzz/baked_mesh_drive.h"
#include "support/saved_meshes.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Seed {
    const char* name;
    Bytes bytes;
};

std::vector<Seed> make_seeds() {
    std::vector<Seed> out;
    const NavMesh tiled = small_baked(24);
    out.push_back({"mesh_tiled.fl", saved_bytes(tiled)});
    out.push_back({"mesh_whole.fl", saved_bytes(small_baked(0))});
    Array<std::uint8_t> tile;
    if (!save_tile(tiled, 1, 1, tile)) std::abort();
    out.push_back({"tile.fl", {tile.begin(), tile.end()}});
    Rng rng(4);
    out.push_back({"mesh_random.fl", saved_bytes(random_saved_mesh(rng))});
    PlainMesh plain = random_mesh(rng, {.width = 4, .height = 4, .areas = 2});
    out.push_back({"mesh_small.fl", saved_bytes(plain.make(2))});
    return out;
}

struct Options {
    std::uint64_t from = 0;
    std::uint64_t to = 100000;
    int queries = 100;
    std::string folder;
};

bool read_options(int count, char** words, Options& options) {
    const auto take = [&](const std::string& name, const char* value) {
        if (name == "--from") {
            options.from = std::strtoull(value, nullptr, 10);
        } else if (name == "--to") {
            options.to = std::strtoull(value, nullptr, 10);
        } else if (name == "--queries") {
            options.queries = std::atoi(value);
        } else if (name == "--write") {
            options.folder = value;
        } else {
            return false;
        }
        return true;
    };
    return read_flags(count, words, take);
}

int write_seeds(const std::vector<Seed>& seeds, const std::string& folder) {
    for (const Seed& seed : seeds) {
        std::ofstream file(folder + "/" + seed.name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(seed.bytes.data()),
                   static_cast<std::streamsize>(seed.bytes.size()));
        if (!file) return 1;
        std::printf("%s: %zu bytes\n", seed.name, seed.bytes.size());
    }
    return 0;
}

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(stderr, "mesh_files [--from N] [--to N] [--queries N] [--write FOLDER]\n");
        return 2;
    }
    const std::vector<Seed> seeds = make_seeds();
    if (!options.folder.empty()) return write_seeds(seeds, options.folder);
    MeshDriveWork work;
    std::uint64_t fates[4] = {}, same = 0, altered = 0;
    for (std::uint64_t i = options.from; i < options.to; ++i) {
        Rng rng(i);
        const Bytes& good = seeds[i % seeds.size()].bytes;
        const Result<BakedFile> file = BakedFile::open(good, {});
        Bytes bytes = good;
        for (int k = rng.between(1, 3); k > 0 && bytes.size() == good.size(); --k)
            damage_baked(rng, *file, bytes);
        if (bytes == good) {
            ++same;
            continue;
        }
        const MeshFate fate = baked_mesh(bytes, work, options.queries);
        ++fates[static_cast<int>(fate)];
        if (fate != MeshFate::accepted) continue;
        ++altered;
        std::printf("case %llu: altered and accepted\n", static_cast<unsigned long long>(i));
    }
    const auto n = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(
        "%llu files altered (%llu came out unaltered): %llu accepted as they were; resealed: %llu refused, "
        "%llu "
        "accepted and asked %d queries each; %llu could not be resealed\n",
        n(options.to - options.from - same), n(same), n(altered), n(fates[1]), n(fates[2]), options.queries,
        n(fates[0]));
    return altered == 0 ? 0 : 1;
}
