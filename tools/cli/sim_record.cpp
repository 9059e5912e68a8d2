// The bytes of a record, and back.

#include "cli/sim_record.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include <fairlead/base/bytes.h>

#include "cli/failure.h"

namespace fairlead::cli {

namespace {

constexpr std::string_view kMagic = "FLSIMRUN";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeadBytes = 12;  // of a section
constexpr std::size_t kSumBytes = 4;

enum Section : std::uint32_t { s_plan = 1, s_file, s_digests, s_end };

std::uint32_t sum_of(std::string_view bytes, std::uint32_t seed) {
    return crc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, seed);
}

class Writer {
  public:
    template <class Number>
    void put(Number value) {
        Array<std::uint8_t> bytes;
        ByteWriter(bytes).put(value);
        text_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void text(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        text_ += text;
    }
    void long_text(std::string_view text) {
        put(static_cast<std::uint64_t>(text.size()));
        text_ += text;
    }
    [[nodiscard]] const std::string& bytes() const { return text_; }
    void raw(std::string_view text) { text_ += text; }

  private:
    std::string text_;
};

void add_section(std::string& out, std::uint32_t& seed, Section kind, const Writer& body) {
    Writer section;
    section.put(static_cast<std::uint32_t>(kind));
    section.long_text(body.bytes());
    seed = sum_of(section.bytes(), seed);
    section.put(seed);
    out += section.bytes();
}

class Reader {
  public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    template <class Number>
    Number get() {
        if (bytes_.size() < sizeof(Number)) {
            failed_ = true;
            return Number{};
        }
        ByteReader in({reinterpret_cast<const std::uint8_t*>(bytes_.data()), sizeof(Number)});
        bytes_.remove_prefix(sizeof(Number));
        return in.get<Number>();
    }
    std::string_view take(std::uint64_t length) {
        if (length > bytes_.size()) {
            failed_ = true;
            return {};
        }
        const std::string_view out = bytes_.substr(0, static_cast<std::size_t>(length));
        bytes_.remove_prefix(out.size());
        return out;
    }
    std::string text() { return std::string(take(get<std::uint32_t>())); }
    std::string long_text() { return std::string(take(get<std::uint64_t>())); }
    [[nodiscard]] std::size_t left() const { return bytes_.size(); }
    /// All read, and nothing that was not there.
    [[nodiscard]] bool whole() const { return !failed_ && bytes_.empty(); }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    std::string_view bytes_;
    bool failed_ = false;
};

void read_plan(Reader& in, SimRecord& out) {
    out.version = in.text();
    std::string world = in.text();
    std::string terrain = in.text();
    std::string heights = in.text();
    out.plan.world = WorldFlags(std::move(world), std::move(terrain), std::move(heights));
    out.plan.units = in.text();
    out.plan.edits = in.text();
    out.plan.seconds = in.get<double>();
    out.plan.rate = in.get<double>();
    out.plan.budget = in.get<std::uint64_t>();
    out.plan.no_avoid = in.get<std::uint8_t>() != 0;
}

bool read_section(std::uint32_t kind, Reader& in, SimRecord& out) {
    switch (kind) {
        case s_plan: read_plan(in, out); break;
        case s_file: {
            std::string name = in.text();
            out.files[std::move(name)] = in.long_text();
            break;
        }
        case s_digests:
            out.step = in.get<std::uint64_t>();
            while (in.left() >= sizeof(std::uint64_t)) out.digests.push_back(in.get<std::uint64_t>());
            break;
        case s_end:
            out.ticks = in.get<std::uint64_t>();
            out.digest = in.get<std::uint64_t>();
            break;
        default: return false;
    }
    return in.whole();
}

/// Numbers that a program could have written.
bool makes_sense(const SimRecord& record) {
    const SimPlan& plan = record.plan;
    return plan.seconds > 0.0 && plan.seconds <= SimPlan::kSecondsMax && plan.rate >= 1.0 &&
           plan.rate <= SimPlan::kRateMax && plan.budget > 0 && record.step > 0 &&
           record.ticks == plan.ticks() && record.digests.size() == record.ticks / record.step;
}

}  // namespace

std::string save_sim_record(const SimRecord& record) {
    Writer head;
    head.raw(kMagic);
    head.put(kVersion);
    std::string out = head.bytes();
    std::uint32_t seed = sum_of(out, 0);
    Writer plan;
    for (const std::string* text : {&record.version, &record.plan.world.path(), &record.plan.world.terrain(),
                                    &record.plan.world.heights(), &record.plan.units, &record.plan.edits})
        plan.text(*text);
    plan.put(record.plan.seconds);
    plan.put(record.plan.rate);
    plan.put(record.plan.budget);
    plan.put(static_cast<std::uint8_t>(record.plan.no_avoid ? 1 : 0));
    add_section(out, seed, s_plan, plan);
    for (const auto& [name, text] : record.files) {
        Writer file;
        file.text(name);
        file.long_text(text);
        add_section(out, seed, s_file, file);
    }
    Writer digests;
    digests.put(record.step);
    for (const std::uint64_t digest : record.digests) digests.put(digest);
    add_section(out, seed, s_digests, digests);
    Writer end;
    end.put(record.ticks);
    end.put(record.digest);
    add_section(out, seed, s_end, end);
    return out;
}

SimRecord load_sim_record(const std::string& path, const std::string& bytes) {
    Reader in(bytes);
    if (in.take(kMagic.size()) != kMagic) fail_at(path, "this is no record of a simulation");
    if (const auto version = in.get<std::uint32_t>(); version != kVersion)
        fail_at(path, fmt::format("a record of version {}, which this program does not read", version));
    SimRecord out;
    std::string_view rest(bytes);
    const std::size_t head = kMagic.size() + sizeof(kVersion);
    std::uint32_t seed = sum_of(rest.substr(0, head), 0);
    rest.remove_prefix(head);
    std::uint32_t kind = 0;
    while (kind != s_end) {
        Reader section(rest);
        kind = section.get<std::uint32_t>();
        const std::string_view body = section.take(section.get<std::uint64_t>());
        const auto sum = section.get<std::uint32_t>();
        if (section.failed()) fail_at(path, "the record is cut short");
        seed = sum_of(rest.substr(0, kHeadBytes + body.size()), seed);
        Reader reader(body);
        if (sum != seed || !read_section(kind, reader, out)) fail_at(path, "the record is damaged");
        rest.remove_prefix(kHeadBytes + body.size() + kSumBytes);
    }
    if (!rest.empty() || !makes_sense(out)) fail_at(path, "the record is damaged");
    return out;
}

}  // namespace fairlead::cli
