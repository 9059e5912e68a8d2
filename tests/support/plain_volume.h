// A volume as a list of voxels, and the file that FORMAT.md says it has: bytes put together here, with a checksum
// computed bit by bit. Nothing of the library's volumes or its writer is in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace fairlead::testing {

class PlainVolume {
  public:
    double origin[3] = {0, 0, 0};
    double voxel[3] = {1, 1, 1};

    PlainVolume(int nx, int ny, int nz)
        : size_{nx, ny, nz}, solid_(std::size_t(nx) * std::size_t(ny) * std::size_t(nz)) {}

    [[nodiscard]] int size(int axis) const { return size_[axis]; }
    /// False outside of the bounds.
    [[nodiscard]] bool has(int x, int y, int z) const {
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x < size_[0] && y < size_[1] && z < size_[2];
        return inside && solid_[at(x, y, z)] != 0;
    }
    void set(int x, int y, int z, bool solid) { solid_[at(x, y, z)] = solid ? 1 : 0; }
    /// How many of the voxels from (x, y, z) on, `side` on each axis, are solid.
    [[nodiscard]] int count(int x, int y, int z, int side) const {
        int count = 0;
        for (int k = z; k < std::min(z + side, size_[2]); ++k) {
            for (int j = y; j < std::min(y + side, size_[1]); ++j) {
                for (int i = x; i < std::min(x + side, size_[0]); ++i) count += solid_[at(i, j, k)];
            }
        }
        return count;
    }
    [[nodiscard]] int count() const { return count(0, 0, 0, std::max({size_[0], size_[1], size_[2]})); }

  private:
    [[nodiscard]] std::size_t at(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size_[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(size_[0]) +
               static_cast<std::size_t>(x);
    }

    int size_[3];  // x, y, z
    std::vector<std::uint8_t> solid_;
};

using FileBytes = std::vector<std::uint8_t>;

/// A section as it goes into a file.
struct PlainSection {
    std::string id;
    std::uint32_t stride = 0;
    FileBytes bytes;
};

inline void put(FileBytes& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}
inline void put(FileBytes& out, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    put(out, bits, 8);
}
inline void change(FileBytes& out, std::size_t at, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (8 * i));
}
inline std::uint64_t number_at(const FileBytes& bytes, std::size_t at, int count) {
    std::uint64_t out = 0;
    for (int i = count - 1; i >= 0; --i) out = out << 8 | bytes[at + static_cast<std::size_t>(i)];
    return out;
}

inline std::uint32_t plain_crc(const FileBytes& bytes, std::size_t from, std::size_t end) {
    std::uint32_t crc = 0xffffffff;
    for (std::size_t i = from; i < end; ++i) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0U);
    }
    return ~crc;
}

/// Calls visit(i, x, y, z) for the 64 parts of `side` from a corner on: by z, then y, then x.
inline void each_part(int x, int y, int z, int side, const std::function<void(int, int, int, int)>& visit) {
    for (int i = 0; i < 64; ++i) visit(i, x + i % 4 * side, y + i / 4 % 4 * side, z + i / 16 * side);
}

/// A chunk as FORMAT.md says it lies in DATA.
struct PlainChunk {
    int place[3];
    FileBytes image;
};

/// How far the unit at (x, y, z) is from the nearest one with a solid voxel, in units of `side` voxels, at most 3.
inline int plain_distance(const PlainVolume& v, int x, int y, int z, int side) {
    for (int reach = 0; reach < 3; ++reach) {
        for (int i = 0; i < (2 * reach + 1) * (2 * reach + 1) * (2 * reach + 1); ++i) {
            const int n = 2 * reach + 1;
            const int at[3] = {x + i % n - reach, y + i / n % n - reach, z + i / n / n - reach};
            if (at[0] >= 0 && at[1] >= 0 && at[2] >= 0 &&
                v.count(at[0] * side, at[1] * side, at[2] * side, side) > 0)
                return reach;
        }
    }
    return 3;
}
/// Of the 8 units of a cell or chunk, 2 bits each.
inline std::uint64_t plain_distances(const PlainVolume& v, int x, int y, int z, int side) {
    std::uint64_t out = 0;
    for (int i = 0; i < 8; ++i) {
        const int d = plain_distance(v, x * 2 + i % 2, y * 2 + i / 2 % 2, z * 2 + i / 4, side);
        out |= static_cast<std::uint64_t>(d) << (2 * i);
    }
    return out;
}

/// OPTS of FORMAT.md.
inline FileBytes plain_options(const PlainVolume& v) {
    FileBytes opts;
    for (const double value : v.origin) put(opts, value);
    for (const double value : v.voxel) put(opts, value);
    for (int k = 0; k < 3; ++k) put(opts, static_cast<std::uint64_t>(v.size(k)), 4);
    put(opts, 0, 4);
    put(opts, static_cast<std::uint64_t>(v.count()), 8);
    return opts;
}

/// The words of a mixed cell.
inline FileBytes plain_cell(const PlainVolume& v, int x, int y, int z) {
    FileBytes words, mixed;
    std::uint64_t any = 0, all = 0;
    each_part(x, y, z, 4, [&](int b, int bx, int by, int bz) {
        std::uint64_t bits = 0;
        each_part(bx, by, bz, 1, [&](int i, int vx, int vy, int vz) {
            if (v.has(vx, vy, vz)) bits |= std::uint64_t{1} << i;
        });
        if (bits != 0) any |= std::uint64_t{1} << b;
        if (~bits == 0) all |= std::uint64_t{1} << b;
        if (bits != 0 && ~bits != 0) put(mixed, bits, 8);
    });
    put(words, any, 8);
    put(words, all, 8);
    words.insert(words.end(), mixed.begin(), mixed.end());
    return words;
}

/// The chunks that are not open, in order.
inline std::vector<PlainChunk> plain_chunks(const PlainVolume& v) {
    std::vector<PlainChunk> out;
    const auto across = [&](int k) { return (v.size(k) + 63) / 64; };
    for (int n = 0; n < across(0) * across(1) * across(2); ++n) {
        const int at[3] = {n % across(0), n / across(0) % across(1), n / across(0) / across(1)};
        FileBytes cells, words;
        const std::uint64_t blocks = plain_distances(v, at[0], at[1], at[2], 32);
        bool open = blocks == 0xffff;
        each_part(at[0] * 64, at[1] * 64, at[2] * 64, 16, [&](int, int x, int y, int z) {
            const int count = v.count(x, y, z, 16);
            const bool mixed = count > 0 && count < 16 * 16 * 16;
            put(cells, mixed ? 2 + words.size() / 8 : count > 0 ? 1 : 0, 2);
            const std::uint64_t distances = plain_distances(v, x / 16, y / 16, z / 16, 8);
            put(cells, distances, 2);
            open = open && distances == 0xffff;
            if (!mixed) return;
            const FileBytes cell = plain_cell(v, x, y, z);
            words.insert(words.end(), cell.begin(), cell.end());
        });
        if (open) continue;
        PlainChunk chunk{{at[0], at[1], at[2]}, {}};
        put(chunk.image, ~std::uint64_t{0}, 8);
        put(chunk.image, 24 + cells.size() + words.size(), 8);
        put(chunk.image, static_cast<std::uint64_t>(v.count(at[0] * 64, at[1] * 64, at[2] * 64, 64)), 4);
        put(chunk.image, 2 + words.size() / 8, 2);
        put(chunk.image, blocks, 2);
        chunk.image.insert(chunk.image.end(), cells.begin(), cells.end());
        chunk.image.insert(chunk.image.end(), words.begin(), words.end());
        out.push_back(chunk);
    }
    return out;
}

/// Header, table and sections with their checksums. The hash of the options is the library's own, so it is given.
inline FileBytes plain_file(const std::vector<PlainSection>& sections, std::uint64_t options_hash,
                            std::uint64_t source_hash = 0, const std::string& kind = "VOLU") {
    FileBytes body, table;
    for (const PlainSection& section : sections) {
        for (const char c : section.id) table.push_back(static_cast<std::uint8_t>(c));
        put(table, section.stride, 4);
        put(table, 64 + 32 * sections.size() + body.size(), 8);
        put(table, section.bytes.size(), 8);
        put(table, plain_crc(section.bytes, 0, section.bytes.size()), 4);
        put(table, 0, 4);
        body.insert(body.end(), section.bytes.begin(), section.bytes.end());
        while (body.size() % 8 != 0) body.push_back(0);
    }
    FileBytes out;
    for (const char c : std::string("FAIRLEAD")) out.push_back(static_cast<std::uint8_t>(c));
    put(out, 1, 2);
    put(out, 0, 2);
    for (const char c : kind) out.push_back(static_cast<std::uint8_t>(c));
    put(out, 1, 2);
    put(out, 0, 2);
    put(out, sections.size(), 4);
    put(out, 64 + table.size() + body.size(), 8);
    put(out, options_hash, 8);
    put(out, source_hash, 8);
    put(out, plain_crc(table, 0, table.size()), 4);
    put(out, 0, 8);
    put(out, plain_crc(out, 0, 60), 4);
    out.insert(out.end(), table.begin(), table.end());
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

}  // namespace fairlead::testing
