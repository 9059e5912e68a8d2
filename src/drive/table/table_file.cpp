// DriveTable as a baked file, kind DTAB. FORMAT.md says what the records mean.

#include <fairlead/drive/drive_table.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/baked.h>
#include <fairlead/base/digest.h>

#include "base/section_loader.h"
#include "drive/lattice/curve_bounds.h"

namespace fairlead {

namespace {

constexpr std::uint16_t kMajor = 1;
constexpr std::uint16_t kMinor = 2;  // 0: no turns on the spot; 0 and 1: rings without wide turns

// Bits of the word that was 0 in 1.0.
constexpr std::uint32_t kPivots = 1;
constexpr std::uint32_t kEveryWord = 2;

constexpr SectionKind kOptions{four_letters("OPTS"), 88};
constexpr SectionKind kPrimitives{four_letters("PRIM"), 60};
constexpr SectionKind kRuns{four_letters("RUNS"), 6};
constexpr SectionKind kFirstRuns{four_letters("RUN1"), 4};
constexpr SectionKind kVisits{four_letters("VIST"), 12};
constexpr SectionKind kFirstVisits{four_letters("VIS1"), 4};
constexpr SectionKind kCurveBounds{four_letters("CRVB"), 2};

constexpr int kPrimitiveSegments = 3;

void put_options(ByteWriter& out, const DriveTableOptions& options, double ground_factor) {
    const Agent& agent = options.agent;
    out.put(agent.radius);
    out.put(agent.length);
    out.put(agent.width);
    out.put(agent.axle_offset);
    out.put(agent.turning_radius);
    out.put(static_cast<std::uint32_t>(agent.shape));
    out.put(static_cast<std::uint32_t>(agent.can_reverse ? 1 : 0));
    out.put(options.cell_size);
    out.put(options.headings);
    out.put(options.rings);
    out.put(options.stretch);
    out.put(static_cast<std::uint32_t>(options.nodes));
    out.put((agent.can_pivot ? kPivots : 0U) | (options.every_word ? kEveryWord : 0U));
    out.put(ground_factor);
}

// False: a choice that there is not.
bool get_options(ByteReader& in, DriveTableOptions& options, double& ground_factor) {
    Agent& agent = options.agent;
    agent.radius = in.get<double>();
    agent.length = in.get<double>();
    agent.width = in.get<double>();
    agent.axle_offset = in.get<double>();
    agent.turning_radius = in.get<double>();
    const auto shape = in.get<std::uint32_t>();
    const auto reverse = in.get<std::uint32_t>();
    options.cell_size = in.get<double>();
    options.headings = in.get<std::int32_t>();
    options.rings = in.get<std::int32_t>();
    options.stretch = in.get<double>();
    const auto nodes = in.get<std::uint32_t>();
    const auto flags = in.get<std::uint32_t>();
    ground_factor = in.get<double>();
    agent.shape = static_cast<BodyShape>(std::min(shape, 2U));
    agent.can_reverse = reverse == 1;
    agent.can_pivot = (flags & kPivots) != 0;
    options.every_word = (flags & kEveryWord) != 0;
    options.nodes = static_cast<DriveNodes>(std::min(nodes, 3U));
    return shape <= 2 && reverse <= 1 && nodes <= 3 && flags <= (kPivots | kEveryWord) &&
           ground_factor >= 0.0 && ground_factor <= 1.0;
}

void put_primitive(ByteWriter& out, const Primitive& p) {
    for (int i = 0; i < kPrimitiveSegments; ++i) out.put(p.word.segments[i].amount);
    out.put(p.word.length);
    out.put(p.word.cost);
    out.put(p.length);
    for (int i = 0; i < kPrimitiveSegments; ++i) out.put(static_cast<std::int8_t>(p.word.segments[i].steer));
    out.put(static_cast<std::uint8_t>(p.word.count));
    out.put(p.dx);
    out.put(p.dy);
    out.put(p.from);
    out.put(p.to);
    out.put(static_cast<std::uint8_t>(p.gear));
    for (int i = 0; i < 3; ++i) out.put(std::uint8_t{0});
}

bool get_primitive(ByteReader& in, Primitive& p) {
    for (int i = 0; i < kPrimitiveSegments; ++i) p.word.segments[i].amount = in.get<double>();
    p.word.length = in.get<double>();
    p.word.cost = in.get<double>();
    p.length = in.get<double>();
    bool good = true;
    for (int i = 0; i < kPrimitiveSegments; ++i) {
        const auto steer = in.get<std::int8_t>();
        good = good && steer >= -1 && steer <= 2;
        p.word.segments[i].steer = good ? static_cast<Steer>(steer) : Steer::straight;
    }
    const auto count = in.get<std::uint8_t>();
    p.word.count = std::min<std::int32_t>(count, kPrimitiveSegments);
    p.dx = in.get<std::int8_t>();
    p.dy = in.get<std::int8_t>();
    p.from = in.get<std::uint8_t>();
    p.to = in.get<std::uint8_t>();
    const auto gear = in.get<std::uint8_t>();
    p.gear = gear == 1 ? Gear::reverse : Gear::forward;
    for (int i = 0; i < 3; ++i) good = in.get<std::uint8_t>() == 0 && good;
    for (int i = count; i < kPrimitiveSegments && i >= 0; ++i)
        good = good && p.word.segments[i] == CurveSegment{};
    return good && count <= kPrimitiveSegments && gear <= 1;
}

constexpr std::int32_t kFarthest = 60;  // DriveTable::margin()'s limit
bool near(std::int32_t v) { return v >= -kFarthest && v <= kFarthest; }

bool get_run(ByteReader& in, CellRun& run) {
    run.dx = in.get<std::int16_t>();
    run.dy = in.get<std::int16_t>();
    run.count = in.get<std::int16_t>();
    return near(run.dx) && near(run.dy) && run.count > 0 && near(run.dx + run.count - 1);
}

bool get_visit(ByteReader& in, TerrainVisit& visit) {
    visit.length = in.get<double>();
    visit.dx = in.get<std::int16_t>();
    visit.dy = in.get<std::int16_t>();
    return visit.length >= 0.0 && visit.length <= 100.0 && near(visit.dx) && near(visit.dy);
}

bool get_bound(ByteReader& in, std::uint16_t& bound) {
    bound = in.get<std::uint16_t>();
    return bound <= drive::kCurveBoundsMost;
}

// Numbers of the first record of each of `parts` lists, and of the end.
bool are_firsts(const Array<std::uint32_t>& first, std::size_t parts, std::size_t records) {
    return first.size() == parts + 1 && first[0] == 0 && first[parts] == records &&
           std::is_sorted(first.begin(), first.end());
}

// The least that has what the table has, so that older readers go on reading the tables that they know.
std::uint16_t minor_of(const DriveTableOptions& options) {
    if (options.rings > 0) return 2;
    return options.agent.can_pivot ? 1 : 0;
}

std::uint64_t hash_of(const DriveTableOptions& options) {
    Digest out;
    const Agent& agent = options.agent;
    for (const double v : {agent.radius, agent.length, agent.width, agent.axle_offset, agent.turning_radius,
                           options.cell_size, options.stretch})
        out.add(v);
    out.add(static_cast<std::int32_t>(agent.shape));
    out.add(agent.can_reverse ? 1 : 0);
    out.add(options.headings);
    out.add(options.rings);
    out.add(static_cast<std::int32_t>(options.nodes));
    if (agent.can_pivot) out.add(1);
    if (options.every_word) out.add(2);
    return out.value();
}

}  // namespace

Result<void> DriveTable::save(Array<std::uint8_t>& out) const {
    BakedWriter file({.kind = kBakedDriveTable,
                      .major = kMajor,
                      .minor = minor_of(options_),
                      .options_hash = hash_of(options_)},
                     options_.allocator);
    const auto begin = [&](const SectionKind& kind) -> ByteWriter& {
        return file.begin(kind.id, kind.stride);
    };
    put_options(begin(kOptions), options_, ground_factor_);
    ByteWriter& primitives = begin(kPrimitives);
    for (const Primitive& primitive : primitives_.all()) put_primitive(primitives, primitive);
    ByteWriter& runs = begin(kRuns);
    for (const CellRun& run : runs_) {
        runs.put(run.dx);
        runs.put(run.dy);
        runs.put(run.count);
    }
    ByteWriter& first_runs = begin(kFirstRuns);
    for (const std::uint32_t first : first_run_) first_runs.put(first);
    ByteWriter& visits = begin(kVisits);
    for (const TerrainVisit& visit : visits_) {
        visits.put(visit.length);
        visits.put(visit.dx);
        visits.put(visit.dy);
    }
    ByteWriter& first_visits = begin(kFirstVisits);
    for (const std::uint32_t first : first_visit_) first_visits.put(first);
    ByteWriter& bounds = begin(kCurveBounds);
    for (const std::uint16_t bound : curve_bounds_) bounds.put(bound);
    return file.finish(out);
}

Result<DriveTable> DriveTable::load(std::span<const std::uint8_t> bytes, const Allocator& allocator) {
    const Result<BakedFile> file =
        BakedFile::open(bytes, {.kind = kBakedDriveTable, .major = kMajor, .minor = kMinor});
    if (!file) return file.error();
    SectionLoader in(*file);
    DriveTableOptions options{.allocator = allocator};
    double ground_factor = 1.0;
    std::uint64_t rows = 0;
    if (!in.records(kOptions, [&](ByteReader& from) {
            ++rows;
            return get_options(from, options, ground_factor);
        }))
        return in.error();
    PrimitiveOptions moves;
    Result<DriveTable> begun = empty(options, moves);
    if (!begun || rows != 1 || file->header().options_hash != hash_of(options)) return in.bad(kOptions, 0);
    DriveTable table = std::move(*begun);
    table.ground_factor_ = ground_factor;

    const auto get_first = [](ByteReader& from, std::uint32_t& first) {
        first = from.get<std::uint32_t>();
        return true;
    };
    Array<Primitive> list(allocator);
    const bool good = in.list(kPrimitives, list, get_primitive) && in.list(kRuns, table.runs_, get_run) &&
                      in.list(kFirstRuns, table.first_run_, get_first) &&
                      in.list(kVisits, table.visits_, get_visit) &&
                      in.list(kFirstVisits, table.first_visit_, get_first) &&
                      in.list(kCurveBounds, table.curve_bounds_, get_bound);
    if (!good) return in.error();
    const std::size_t count = list.size();
    Result<PrimitiveSet> set = PrimitiveSet::from_list(moves, std::move(list));
    if (!set)
        return in.bad(kPrimitives, static_cast<std::uint64_t>(std::max<std::int64_t>(set.error().detail, 0)));
    table.primitives_ = std::move(*set);
    const auto headings = static_cast<std::size_t>(options.headings);
    if (!are_firsts(table.first_run_, count + headings, table.runs_.size())) return in.bad(kFirstRuns, 0);
    if (!are_firsts(table.first_visit_, count, table.visits_.size())) return in.bad(kFirstVisits, 0);
    if (table.curve_bounds_.size() != drive::curve_bounds_size(options.headings))
        return in.bad(kCurveBounds, 0);
    table.find_margin();
    table.find_two_way();
    return table;
}

Result<bool> DriveTable::is_as_made() const {
    Result<DriveTable> made = make(options_);
    if (!made) return made.error();
    Array<std::uint8_t> mine(options_.allocator);
    Array<std::uint8_t> other(options_.allocator);
    if (const Result<void> done = save(mine); !done) return done.error();
    if (const Result<void> done = made->save(other); !done) return done.error();
    return mine.size() == other.size() && std::equal(mine.begin(), mine.end(), other.begin());
}

}  // namespace fairlead
