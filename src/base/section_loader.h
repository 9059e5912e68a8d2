// Reads the sections of a baked file, record by record.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/baked.h>

namespace fairlead {

struct SectionKind {
    std::uint32_t id;
    std::uint32_t stride;
};

/// For SectionLoader::list: any number means something.
[[nodiscard]] inline bool read_number(ByteReader& in, std::uint32_t& number) {
    number = in.get<std::uint32_t>();
    return true;
}

// Loads the sections in turn; the first thing that is wrong stays.
class SectionLoader {
  public:
    explicit SectionLoader(const BakedFile& file) : file_(file) {}

    /// Fills a list from a section; read(reader, value) tells whether a record means something.
    template <class T, class Read>
    [[nodiscard]] bool list(const SectionKind& kind, Array<T>& out, const Read& read) {
        const Result<BakedSection> section = file_.section(kind.id, kind.stride);
        if (section && !out.reserve(static_cast<std::size_t>(section->count)))
            return fail({ErrorCode::out_of_memory, -1, 0});
        return records(kind, [&](ByteReader& from) {
            T value{};
            return read(from, value) && out.push_back(value);
        });
    }
    /// Calls read(reader) for each record.
    template <class Read>
    [[nodiscard]] bool records(const SectionKind& kind, const Read& read) {
        Result<BakedSection> section = file_.section(kind.id, kind.stride);
        if (!section) return fail(section.error());
        for (std::uint64_t i = 0; i < section->count; ++i) {
            if (!read(section->reader)) return fail(bad(kind, i));
        }
        return true;
    }
    [[nodiscard]] bool fail(const Error& error) {
        error_ = error;
        return false;
    }
    [[nodiscard]] Error bad(const SectionKind& kind, std::uint64_t record) const {
        std::int64_t index = -1;
        for (std::uint32_t i = 0; i < file_.sections(); ++i) {
            if (file_.section_at(i).id == kind.id) index = i;
        }
        return {ErrorCode::baked_value, index, static_cast<std::int64_t>(record)};
    }
    [[nodiscard]] const Error& error() const { return error_; }

  private:
    const BakedFile& file_;
    Error error_{};
};

}  // namespace fairlead
