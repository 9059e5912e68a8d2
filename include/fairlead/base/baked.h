// Baked files (.fl): what all of them have in common. FORMAT.md says what every byte means.
//
//     BakedWriter file({.kind = kBakedDriveTable, .options_hash = ...});
//     ByteWriter& out = file.begin(section id, stride);       // then put() the section's records
//     Result<void> done = file.finish(bytes);
//
//     Result<BakedFile> file = BakedFile::open(bytes, {.kind = kBakedDriveTable, .major = 1});
//     Result<BakedSection> rows = file->section(id, stride);  // rows->count records, read by rows->reader
//
// A file is a header, a table of sections and the sections, each with its checksum. open() looks at, in this order: length,
// magic, version of the container, stated size, the caller's cap, checksums of header and table, kind and version, that
// the sections lie one behind the other without gap or overlap, and their checksums. What the records mean is for the loader of that
// kind to check: a checksum is no proof, anyone can compute one (baked_reseal).
//
// Cost: linear; about 2 ns a byte. Nothing is allocated to open. Deterministic: the same bytes on every machine.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/bytes.h>
#include <fairlead/base/result.h>

namespace fairlead {

/// Four letters as they stand in the file.
[[nodiscard]] constexpr std::uint32_t four_letters(const char (&text)[5]) {
    std::uint32_t out = 0;
    for (int i = 3; i >= 0; --i) out = (out << 8) | static_cast<std::uint8_t>(text[i]);
    return out;
}

inline constexpr std::uint32_t kBakedDriveTable = four_letters("DTAB");
inline constexpr std::uint32_t kBakedMesh = four_letters("MESH");
inline constexpr std::uint32_t kBakedMeshTile = four_letters("MTIL");
inline constexpr std::uint32_t kBakedMeshTable = four_letters("MTAB");
inline constexpr std::uint32_t kBakedVolume = four_letters("VOLU");
inline constexpr std::uint32_t kBakedVolumeChunk = four_letters("VCHK");
inline constexpr std::uint32_t kBakedCylinder = four_letters("CYLI");
inline constexpr std::uint32_t kBakedHierarchy = four_letters("HIER");

inline constexpr std::uint32_t kBakedSectionsMax = 64;

struct BakedHeader {
    std::uint32_t kind = 0;
    std::uint16_t major = 1;         ///< of the kind: a reader refuses another one
    std::uint16_t minor = 0;         ///< a reader takes all up to its own
    std::uint64_t options_hash = 0;  ///< of what it was made with
    std::uint64_t source_hash = 0;   ///< of what it was made from; 0: nothing
};

class BakedWriter {
  public:
    explicit BakedWriter(const BakedHeader& header, const Allocator& allocator = {});

    /// A new section; records of `stride` bytes go to the writer returned until the next begin().
    [[nodiscard]] ByteWriter& begin(std::uint32_t id, std::uint32_t stride);
    /// The whole file. Errors: out_of_memory.
    [[nodiscard]] Result<void> finish(Array<std::uint8_t>& out);

  private:
    struct Part {
        std::uint32_t id = 0;
        std::uint32_t stride = 0;
        std::size_t first = 0;
        std::size_t end = 0;
    };
    void end_part();

    BakedHeader header_;
    Array<std::uint8_t> body_;
    ByteWriter writer_;
    Part part_[kBakedSectionsMax];
    std::uint32_t parts_ = 0;
};

struct BakedSection {
    std::uint32_t id = 0;
    std::uint32_t stride = 0;  ///< bytes a record
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  ///< bytes; a multiple of the stride
    std::uint32_t checksum = 0;
    std::uint64_t count = 0;  ///< records
    ByteReader reader{};
};

class BakedFile {
  public:
    struct Expected {
        std::uint32_t kind = 0;  ///< 0: any, of any version
        std::uint16_t major = 1;
        std::uint16_t minor = 0;
        std::uint64_t bytes_max = UINT64_MAX;
        bool trusted = false;  ///< the sections are not read: their checksums are not looked at
    };

    /// `bytes` must outlive it. Errors: baked_length (detail: bytes needed at least), baked_magic, baked_version (detail: the
    /// file's major), baked_size (detail: the stated size), size_limit, baked_checksum (index: the section, -1 header,
    /// -2 table), baked_kind (detail: the file's), baked_section (index: which one does not lie where it must).
    [[nodiscard]] static Result<BakedFile> open(std::span<const std::uint8_t> bytes,
                                                const Expected& expected);

    [[nodiscard]] const BakedHeader& header() const { return header_; }
    [[nodiscard]] std::uint32_t sections() const { return sections_; }
    [[nodiscard]] BakedSection section_at(std::uint32_t i) const;
    /// Errors: baked_section, index -1 (not there; detail: its id) or which (its stride is another one).
    [[nodiscard]] Result<BakedSection> section(std::uint32_t id, std::uint32_t stride) const;

  private:
    std::span<const std::uint8_t> bytes_;
    BakedHeader header_;
    std::uint32_t sections_ = 0;
};

/// Computes all checksums anew, so that a file altered by hand opens again: for tests and tools. The header and table must make
/// sense. Errors: as open, but for baked_checksum.
[[nodiscard]] Result<void> baked_reseal(std::span<std::uint8_t> bytes);

}  // namespace fairlead
