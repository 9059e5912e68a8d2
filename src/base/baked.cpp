#include <fairlead/base/baked.h>

#include <fairlead/base/assert.h>

namespace fairlead {

namespace {

constexpr std::uint8_t kMagic[8] = {'F', 'A', 'I', 'R', 'L', 'E', 'A', 'D'};
constexpr std::uint16_t kContainerMajor = 1;
constexpr std::uint16_t kContainerMinor = 0;
constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kHeaderSealed = 60;  // bytes before the header's own checksum
constexpr std::size_t kTableChecksumAt = 48;
constexpr std::size_t kRowBytes = 32;
constexpr std::size_t kRowChecksumAt = 24;
constexpr std::size_t kAlign = 8;

constexpr std::uint64_t aligned(std::uint64_t size) { return (size + kAlign - 1) / kAlign * kAlign; }

struct Stated {
    std::uint16_t container = 0;
    std::uint64_t size = 0;
    std::uint32_t table_checksum = 0;
    std::uint32_t checksum = 0;
    std::uint64_t reserved = 0;
};

Stated read_header(std::span<const std::uint8_t> bytes, BakedHeader& header, std::uint32_t& sections) {
    ByteReader in(bytes.subspan(sizeof kMagic, kHeaderBytes - sizeof kMagic));
    Stated out;
    out.container = in.get<std::uint16_t>();
    (void)in.get<std::uint16_t>();  // minor: whatever it is, this major can be read
    header.kind = in.get<std::uint32_t>();
    header.major = in.get<std::uint16_t>();
    header.minor = in.get<std::uint16_t>();
    sections = in.get<std::uint32_t>();
    out.size = in.get<std::uint64_t>();
    header.options_hash = in.get<std::uint64_t>();
    header.source_hash = in.get<std::uint64_t>();
    out.table_checksum = in.get<std::uint32_t>();
    out.reserved = in.get<std::uint64_t>();
    out.checksum = in.get<std::uint32_t>();
    return out;
}

BakedSection read_row(std::span<const std::uint8_t> bytes, std::uint32_t i) {
    ByteReader in(bytes.subspan(kHeaderBytes + i * kRowBytes, kRowBytes));
    BakedSection out;
    out.id = in.get<std::uint32_t>();
    out.stride = in.get<std::uint32_t>();
    out.offset = in.get<std::uint64_t>();
    out.size = in.get<std::uint64_t>();
    out.checksum = in.get<std::uint32_t>();
    out.count = out.stride == 0 ? 0 : out.size / out.stride;
    return out;
}

// Length, magic, version, stated size, cap; then the sections' number, so that the table can be read.
Result<void> check_frame(std::span<const std::uint8_t> bytes, std::uint64_t bytes_max, BakedHeader& header,
                         std::uint32_t& sections, Stated& stated) {
    if (bytes.size() < kHeaderBytes) return Error{ErrorCode::baked_length, -1, kHeaderBytes};
    for (std::size_t i = 0; i < sizeof kMagic; ++i) {
        if (bytes[i] != kMagic[i]) return Error{ErrorCode::baked_magic, -1, 0};
    }
    stated = read_header(bytes, header, sections);
    if (stated.container != kContainerMajor) return Error{ErrorCode::baked_version, -1, stated.container};
    if (stated.size != bytes.size())
        return Error{ErrorCode::baked_size, -1, static_cast<std::int64_t>(stated.size)};
    if (stated.size > bytes_max)
        return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(bytes_max)};
    if (sections > kBakedSectionsMax || sections * kRowBytes > bytes.size() - kHeaderBytes ||
        stated.reserved != 0)
        return Error{ErrorCode::baked_section, -1, sections};
    return {};
}

// One behind the other, each begins at a multiple of 8 bytes, zeros between them, and the last one ends the file.
Result<void> check_places(std::span<const std::uint8_t> bytes, std::uint32_t sections) {
    std::uint64_t end = kHeaderBytes + sections * kRowBytes;
    for (std::uint32_t i = 0; i < sections; ++i) {
        const BakedSection row = read_row(bytes, i);
        const Error bad{ErrorCode::baked_section, i, row.id};
        if (row.offset != end || row.stride == 0 || row.size > bytes.size() - end ||
            row.size % row.stride != 0)
            return bad;
        const std::uint64_t last = end + row.size;
        end = aligned(last);
        if (end > bytes.size()) return bad;
        for (std::uint64_t at = last; at < end; ++at) {
            if (bytes[static_cast<std::size_t>(at)] != 0) return bad;
        }
        ByteReader spare(bytes.subspan(kHeaderBytes + i * kRowBytes + kRowChecksumAt + 4, 4));
        if (spare.get<std::uint32_t>() != 0) return bad;
        for (std::uint32_t k = 0; k < i; ++k) {
            if (read_row(bytes, k).id == row.id) return bad;
        }
    }
    if (end != bytes.size()) return Error{ErrorCode::baked_section, sections, 0};
    return {};
}

// Of a section whose place has been checked.
template <class Bytes>
Bytes part_of(Bytes bytes, const BakedSection& row) {
    return bytes.subspan(static_cast<std::size_t>(row.offset), static_cast<std::size_t>(row.size));
}

void store(std::span<std::uint8_t> bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

// All checksums, the innermost first.
void seal(std::span<std::uint8_t> bytes, std::uint32_t sections) {
    for (std::uint32_t i = 0; i < sections; ++i) {
        const BakedSection row = read_row(bytes, i);
        store(bytes, kHeaderBytes + i * kRowBytes + kRowChecksumAt, crc32c(part_of(bytes, row)));
    }
    store(bytes, kTableChecksumAt, crc32c(bytes.subspan(kHeaderBytes, sections * kRowBytes)));
    store(bytes, kHeaderSealed, crc32c(bytes.first(kHeaderSealed)));
}

}  // namespace

BakedWriter::BakedWriter(const BakedHeader& header, const Allocator& allocator)
    : header_(header), body_(allocator), writer_(body_) {}

void BakedWriter::end_part() {
    if (parts_ == 0) return;
    part_[parts_ - 1].end = body_.size();
    while (body_.size() % kAlign != 0 && !writer_.failed()) writer_.put(std::uint8_t{0});
}

ByteWriter& BakedWriter::begin(std::uint32_t id, std::uint32_t stride) {
    FAIRLEAD_ASSERT(parts_ < kBakedSectionsMax && stride > 0);
    end_part();
    part_[parts_++] = {id, stride, body_.size(), body_.size()};
    return writer_;
}

Result<void> BakedWriter::finish(Array<std::uint8_t>& out) {
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    end_part();
    if (writer_.failed()) return no_memory;
    const std::size_t first = kHeaderBytes + parts_ * kRowBytes;
    out.clear();
    ByteWriter file(out);
    for (const std::uint8_t c : kMagic) file.put(c);
    file.put(kContainerMajor);
    file.put(kContainerMinor);
    file.put(header_.kind);
    file.put(header_.major);
    file.put(header_.minor);
    file.put(parts_);
    file.put(static_cast<std::uint64_t>(first + body_.size()));
    file.put(header_.options_hash);
    file.put(header_.source_hash);
    for (int i = 0; i < 4; ++i) file.put(std::uint32_t{0});  // checksums and room
    for (std::uint32_t i = 0; i < parts_; ++i) {
        file.put(part_[i].id);
        file.put(part_[i].stride);
        file.put(static_cast<std::uint64_t>(first + part_[i].first));
        file.put(static_cast<std::uint64_t>(part_[i].end - part_[i].first));
        file.put(std::uint64_t{0});
    }
    if (file.failed() || !out.resize_uninitialized(first + body_.size())) return no_memory;
    std::memcpy(out.data() + first, body_.data(), body_.size());
    seal(out.span(), parts_);
    return {};
}

Result<BakedFile> BakedFile::open(std::span<const std::uint8_t> bytes, const Expected& expected) {
    BakedFile file;
    file.bytes_ = bytes;
    Stated stated;
    if (const Result<void> good =
            check_frame(bytes, expected.bytes_max, file.header_, file.sections_, stated);
        !good)
        return good.error();
    if (crc32c(bytes.first(kHeaderSealed)) != stated.checksum) return Error{ErrorCode::baked_checksum, -1, 0};
    if (crc32c(bytes.subspan(kHeaderBytes, file.sections_ * kRowBytes)) != stated.table_checksum)
        return Error{ErrorCode::baked_checksum, -2, 0};
    const BakedHeader& header = file.header_;
    if (expected.kind != 0 && header.kind != expected.kind)
        return Error{ErrorCode::baked_kind, -1, header.kind};
    if (expected.kind != 0 && (header.major != expected.major || header.minor > expected.minor))
        return Error{ErrorCode::baked_version, -1, header.major};
    if (const Result<void> good = check_places(bytes, file.sections_); !good) return good.error();
    for (std::uint32_t i = 0; i < file.sections_ && !expected.trusted; ++i) {
        const BakedSection row = read_row(bytes, i);
        if (crc32c(part_of(bytes, row)) != row.checksum) return Error{ErrorCode::baked_checksum, i, row.id};
    }
    return file;
}

BakedSection BakedFile::section_at(std::uint32_t i) const {
    BakedSection out = read_row(bytes_, i);
    out.reader = ByteReader(part_of(bytes_, out));
    return out;
}

Result<BakedSection> BakedFile::section(std::uint32_t id, std::uint32_t stride) const {
    for (std::uint32_t i = 0; i < sections_; ++i) {
        const BakedSection out = section_at(i);
        if (out.id != id) continue;
        if (out.stride != stride) return Error{ErrorCode::baked_section, i, out.stride};
        return out;
    }
    return Error{ErrorCode::baked_section, -1, id};
}

Result<void> baked_reseal(std::span<std::uint8_t> bytes) {
    BakedHeader header;
    std::uint32_t sections = 0;
    Stated stated;
    if (const Result<void> good = check_frame(bytes, UINT64_MAX, header, sections, stated); !good)
        return good.error();
    if (const Result<void> good = check_places(bytes, sections); !good) return good.error();
    seal(bytes, sections);
    return {};
}

}  // namespace fairlead
