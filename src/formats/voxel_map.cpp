// Voxels are gathered in bricks as they come: one in the brick of the voxel before it is a bit more. When the room for
// bricks is full they are sorted and those of one place joined, before more room is taken: voxels in any order need no
// more than twice the bricks that there are.
#include <fairlead/formats/voxel_map.h>

#include <algorithm>
#include <bit>
#include <utility>

#include <fairlead/formats/number.h>
#include <fairlead/formats/scenario.h>

#include "formats/budget.h"
#include "formats/printed.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::int32_t kBrickSide = 4;

bool comes_before(const VoxelBrick& a, const VoxelBrick& b) {
    if (a.z != b.z) return a.z < b.z;
    if (a.y != b.y) return a.y < b.y;
    return a.x < b.x;
}

bool same_brick(const VoxelBrick& a, const VoxelBrick& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

class BrickGatherer {
  public:
    BrickGatherer(Array<VoxelBrick>& bricks, Budget& budget) : bricks_(bricks), budget_(budget) {}

    [[nodiscard]] Result<void> add(Voxel v) {
        const VoxelBrick one{v.x / kBrickSide, v.y / kBrickSide, v.z / kBrickSide,
                             std::uint64_t{1} << (v.x % kBrickSide + kBrickSide * (v.y % kBrickSide) +
                                                  kBrickSide * kBrickSide * (v.z % kBrickSide))};
        if (!bricks_.empty() && same_brick(bricks_.back(), one)) {
            bricks_.back().solid |= one.solid;
            return {};
        }
        if (bricks_.size() == bricks_.capacity()) {
            if (const Result<void> room = make_room(); !room) return room;
        }
        return bricks_.push_back(one) ? Result<void>{} : Result<void>{no_memory()};
    }

    /// Sorts, and joins those of one place.
    void join() {
        const auto from = bricks_.begin(), end = bricks_.end();
        std::sort(from, end, comes_before);  // total order: those of one place become one
        std::size_t kept = 0;
        for (std::size_t i = 0; i < bricks_.size(); ++i) {
            const VoxelBrick brick = bricks_[i];
            if (kept > 0 && same_brick(bricks_[kept - 1], brick)) {
                bricks_[kept - 1].solid |= brick.solid;
            } else {
                bricks_[kept++] = brick;
            }
        }
        while (bricks_.size() > kept) bricks_.pop_back();
    }

  private:
    static Error no_memory() { return {ErrorCode::out_of_memory, -1, 0}; }

    // More where the bricks need more than half of it: so sorting costs no more than each brick once.
    [[nodiscard]] Result<void> make_room() {
        constexpr std::size_t kFirstRoom = 1024;
        join();
        const std::size_t old = bricks_.capacity();
        if (bricks_.size() <= old / 2 && old > 0) return {};
        const std::size_t room = old == 0 ? kFirstRoom : old * 2;
        if (!budget_.take(std::uint64_t{room} * sizeof(VoxelBrick))) return budget_.spent();
        if (!bricks_.reserve(room)) return no_memory();
        budget_.give_back(std::uint64_t{old} * sizeof(VoxelBrick));
        return {};
    }

    Array<VoxelBrick>& bricks_;
    Budget& budget_;
};

// Digits, at most 6: what is longer is for the slow way to look at.
bool scan_number(const char*& at, const char* end, std::int32_t& value) {
    const char* const from = at;
    value = 0;
    while (at < end && is_digit(*at) && at - from < 6) value = value * 10 + (*at++ - '0');
    return at > from;
}

// A line as published files have them: three numbers with one blank between two, and nothing else.
bool scan_voxel(std::string_view line, const Voxel& size, Voxel& v) {
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto blank = [&] { return at < end && *at++ == ' '; };
    return scan_number(at, end, v.x) && blank() && scan_number(at, end, v.y) && blank() &&
           scan_number(at, end, v.z) && at == end && v.x < size.x && v.y < size.y && v.z < size.z;
}

Voxel read_voxel(WordReader& words, const Voxel& size) {
    Voxel v;
    v.x = words.integer32(0, size.x - 1);
    v.y = words.integer32(0, size.y - 1);
    v.z = words.integer32(0, size.z - 1);
    return v;
}

Result<Voxel> read_voxel_size(LineReader& lines) {
    if (!lines.next_filled()) return lines.error(ErrorCode::text_end);
    WordReader words(lines);
    words.keyword("voxel");
    Voxel size;
    for (std::int32_t* side : {&size.x, &size.y, &size.z}) *side = words.integer32(1, kVolumeSideMax);
    if (words.ok() && std::int64_t{size.x} * size.y > kVolumeVoxelsMax / size.z)
        words.fail(ErrorCode::text_value);
    words.end();
    if (!words.ok()) return words.error();
    return size;
}

constexpr Voxel kLargestSize{kVolumeSideMax, kVolumeSideMax, kVolumeSideMax};

VoxelQuery read_voxel_query(WordReader& words) {
    VoxelQuery query;
    query.start = read_voxel(words, kLargestSize);
    query.goal = read_voxel(words, kLargestSize);
    std::string_view written;
    query.optimal = words.number(kNoRoute, kNumberMax, &written);
    if (query.optimal < 0.0 && query.optimal != kNoRoute) words.fail(ErrorCode::text_value);
    query.decimals = query.optimal == kNoRoute ? 0 : printed_form(written).decimals;
    query.ratio = words.number(0.0, kNumberMax, &written);
    query.ratio_decimals = printed_form(written).decimals;
    words.end();
    return query;
}

Result<void> read_map_name(LineReader& lines, VoxelScenario& scenario, Budget& budget) {
    constexpr std::string_view kTail = ".3dmap";
    if (!lines.next_filled()) return lines.error(ErrorCode::text_end);
    const std::string_view name = without_tail(lines.line());
    if (name.size() < kTail.size() || name.substr(name.size() - kTail.size()) != kTail)
        return lines.error(ErrorCode::text_keyword);
    if (!budget.copy(scenario.map, name)) return budget.spent();
    return {};
}

void append_voxel(std::string& out, Voxel v, char behind) {
    append_number(out, std::int64_t{v.x});
    out += ' ';
    append_number(out, std::int64_t{v.y});
    out += ' ';
    append_number(out, std::int64_t{v.z});
    out += behind;
}

bool in_map(Voxel v, Voxel size) { return v.x < size.x && v.y < size.y && v.z < size.z; }

}  // namespace

std::int64_t VoxelMap::solid_voxels() const {
    std::int64_t count = 0;
    for (const VoxelBrick& brick : bricks) count += std::popcount(brick.solid);
    return count;
}

Result<VoxelMap> load_voxel_map(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<VoxelMap> {
        Budget budget(limits);
        LineReader lines(text);
        const Result<Voxel> size = read_voxel_size(lines);
        if (!size) return size.error();
        VoxelMap map;
        map.size = *size;
        BrickGatherer gatherer(map.bricks, budget);
        while (lines.next_filled()) {
            Voxel v;
            if (!scan_voxel(lines.line(), map.size, v)) {
                WordReader words(lines);
                v = read_voxel(words, map.size);
                words.end();
                if (!words.ok()) return words.error();
            }
            if (const Result<void> added = gatherer.add(v); !added) return added.error();
        }
        gatherer.join();
        return map;
    });
}

Result<VoxelMap> make_voxel_map(const VolumeState& volume) {
    struct Gathered {
        VoxelMap map;
        bool good = true;
    } out;
    out.map.size = volume.size();
    volume.each_brick(
        [](const VoxelBrick& brick, void* user) {
            auto& gathered = *static_cast<Gathered*>(user);
            gathered.good = gathered.good && gathered.map.bricks.push_back(brick);
        },
        &out);
    if (!out.good) return Error{ErrorCode::out_of_memory, -1, 0};
    const auto from = out.map.bricks.begin(), end = out.map.bricks.end();
    std::sort(from, end, comes_before);  // total order: a brick comes once
    return std::move(out.map);
}

std::string save_voxel_map(const VoxelMap& map) {
    std::string out = "voxel ";
    append_voxel(out, map.size, '\n');
    for (const VoxelBrick& brick : map.bricks) {
        for (std::uint64_t left = brick.solid; left != 0; left &= left - 1) {
            const int bit = std::countr_zero(left);
            append_voxel(out,
                         {brick.x * kBrickSide + bit % kBrickSide,
                          brick.y * kBrickSide + bit / kBrickSide % kBrickSide,
                          brick.z * kBrickSide + bit / (kBrickSide * kBrickSide)},
                         '\n');
        }
    }
    return out;
}

Result<VoxelScenario> load_voxel_scenario(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<VoxelScenario> {
        Budget budget(limits);
        LineReader lines(text);
        if (!lines.next_filled()) return lines.error(ErrorCode::text_end);
        WordReader words(lines);
        words.keyword("version");
        const std::string_view version = words.word();
        if (version != "1" && version != "1.0") words.fail(ErrorCode::text_keyword);
        words.end();
        if (!words.ok()) return words.error();
        VoxelScenario scenario;
        if (const Result<void> name = read_map_name(lines, scenario, budget); !name) return name.error();
        while (lines.next_filled()) {
            WordReader row(lines);
            VoxelQuery query = read_voxel_query(row);
            query.line = lines.number();
            if (!row.ok()) return row.error();
            if (!budget.append(scenario.queries, query)) return budget.spent();
        }
        return scenario;
    });
}

std::string save_voxel_scenario(const VoxelScenario& scenario) {
    std::string out = "version 1\n";
    out += scenario.map;
    out += '\n';
    for (const VoxelQuery& query : scenario.queries) {
        append_voxel(out, query.start, ' ');
        append_voxel(out, query.goal, ' ');
        append_fixed(out, query.optimal, query.decimals);
        out += ' ';
        append_fixed(out, query.ratio, query.ratio_decimals);
        out += '\n';
    }
    return out;
}

Result<void> check_queries(const VoxelScenario& scenario, Voxel size) {
    for (const VoxelQuery& query : scenario.queries) {
        if (!in_map(query.start, size) || !in_map(query.goal, size))
            return Error{ErrorCode::text_value, query.line, 1};
    }
    return {};
}

double printed_tolerance(const VoxelQuery& query) {
    constexpr std::int32_t kExactDecimals = 8;
    const double share = query.decimals < kExactDecimals ? 0x1.0p-21 : 0x1.0p-28;
    return printed_slack(query.optimal, query.decimals, share);
}

}  // namespace fairlead::formats
