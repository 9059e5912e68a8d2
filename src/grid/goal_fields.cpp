// A few flow fields by what was asked for; a count of askings decides which are filled, and the oldest asking which one makes room.
#include <fairlead/grid/goal_fields.h>

#include <memory>
#include <utility>

#include "base/no_memory.h"
#include "base/owned.h"
#include "grid/flow_filler.h"
#include "search/slices.h"

namespace fairlead {

namespace grid {

namespace {

constexpr std::uint32_t kNoField = UINT32_MAX;
constexpr std::uint32_t kGoalFieldsMax = 1024;

}  // namespace

struct GoalField {
    explicit GoalField(const Allocator& allocator) : factors(allocator) {}

    FlowQuery query;  ///< its list is `factors`
    Array<double> factors;
    GridSnapshot world;
    FlowField field;
    std::uint64_t asked_at = 0;  ///< the call of find() that asked last; 0: never
    std::uint64_t due = 0;       ///< the call that made it asked for often enough; 0: none
    std::uint32_t asked = 0;
    bool whole = false;

    [[nodiscard]] bool is(const GridState& grid, const FlowQuery& other) const {
        if (asked_at == 0 || world->revision() != grid.revision()) return false;
        if (!(query.goal.at == other.goal.at && query.agent == other.agent && query.corner == other.corner))
            return false;
        if (!(query.terrain.closed == other.terrain.closed)) return false;
        if (factors.size() != other.terrain.factors.size()) return false;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            if (factors[i] != other.terrain.factors[i]) return false;
        }
        return true;
    }
};

struct GoalFieldsData {
    explicit GoalFieldsData(const GoalFieldsOptions& given)
        : options(given), fill(given.allocator), fields(given.allocator) {}

    GoalFieldsOptions options;
    FlowFill fill;
    Owned<GoalField> fields;
    std::uint64_t calls = 0;
    std::uint32_t filling = kNoField;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(fields.size()); }
    /// The next one to fill.
    [[nodiscard]] std::uint32_t first_due() const {
        std::uint32_t best = kNoField;
        for (std::uint32_t i = 0; i < count(); ++i) {
            if (fields[i].due == 0 || fields[i].whole) continue;
            if (best == kNoField || fields[i].due < fields[best].due) best = i;
        }
        return best;
    }
    [[nodiscard]] std::uint32_t oldest() const {
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < count(); ++i) {
            if (fields[i].asked_at < fields[best].asked_at) best = i;
        }
        return best;
    }
    [[nodiscard]] Result<void> take_over(std::uint32_t at, const GridSnapshot& world,
                                         const FlowQuery& query) {
        GoalField& one = fields[at];
        if (filling == at) filling = kNoField;
        one.asked_at = 0;
        one.whole = false;
        one.asked = 0;
        one.due = 0;
        const Borrowed<double>& factors = query.terrain.factors;
        if (!one.factors.assign({factors.data(), factors.size()})) return kNoMemory;
        one.query = query;
        one.query.terrain.factors = {};
        one.world = world;
        return {};
    }
};

}  // namespace grid

Result<GoalFields> GoalFields::make(const GoalFieldsOptions& options) {
    if (options.fields_max < 1 || options.fields_max > grid::kGoalFieldsMax || options.asked_min < 1)
        return Error{ErrorCode::out_of_range, Field::searches_max, options.fields_max};
    const Allocator& a = options.allocator;
    void* memory = a.allocate(sizeof(grid::GoalFieldsData), alignof(grid::GoalFieldsData), a.user);
    if (memory == nullptr) return kNoMemory;
    GoalFields made(std::construct_at(static_cast<grid::GoalFieldsData*>(memory), options));
    if (!made.data_->fields.reserve(options.fields_max)) return kNoMemory;
    for (std::uint32_t i = 0; i < options.fields_max; ++i) made.data_->fields.add(grid::GoalField(a));
    return made;
}

GoalFields::GoalFields(GoalFields&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
GoalFields& GoalFields::operator=(GoalFields&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
}
GoalFields::~GoalFields() {
    if (data_ == nullptr) return;
    const Allocator a = data_->options.allocator;
    std::destroy_at(data_);
    a.release(data_, sizeof(grid::GoalFieldsData), alignof(grid::GoalFieldsData), a.user);
}

Result<const FlowField*> GoalFields::find(const GridSnapshot& world, const FlowQuery& query) {
    if (query.goal.is_list()) return Error{ErrorCode::unsupported, Field::goal};
    if (const Result<void> good = grid::check_flow(*world, query); !good) return good.error();
    grid::GoalFieldsData& data = *data_;
    std::uint32_t at = 0;
    while (at < data.count() && !data.fields[at].is(*world, query)) ++at;
    if (at == data.count()) {
        at = data.oldest();
        if (const Result<void> good = data.take_over(at, world, query); !good) return good.error();
    }
    grid::GoalField& one = data.fields[at];
    one.asked_at = ++data.calls;
    if (one.asked < UINT32_MAX) ++one.asked;
    if (one.due == 0 && one.asked >= data.options.asked_min) one.due = data.calls;
    return one.whole ? &one.field : nullptr;
}

std::uint64_t GoalFields::step(std::uint64_t units) {
    grid::GoalFieldsData& data = *data_;
    std::uint64_t used = 0;
    StallWatch watch;
    for (std::uint64_t before = 0; used < units; before = used) {
        if (data.filling == grid::kNoField) {
            const std::uint32_t at = data.first_due();
            if (at == grid::kNoField) break;
            grid::GoalField& one = data.fields[at];
            FlowQuery query = one.query;
            query.terrain.factors = Borrowed<double>(one.factors.data(), one.factors.size());
            ++used;
            if (!data.fill.begin(one.world, query)) {
                one.due = one.asked = 0;  // no memory: asked for anew, tried anew
                break;
            }
            data.filling = at;
        }
        if (data.fill.running()) used += data.fill.step(units - used);
        watch.worked(used > before);
        if (data.fill.running()) continue;
        grid::GoalField& one = data.fields[data.filling];
        data.filling = grid::kNoField;
        one.whole = data.fill.take(one.field).has_value();
        if (!one.whole) one.due = one.asked = 0;
    }
    return used;
}

bool GoalFields::running() const {
    return data_->filling != grid::kNoField || data_->first_due() != grid::kNoField;
}

std::size_t GoalFields::filled() const {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < data_->count(); ++i) count += data_->fields[i].whole ? 1 : 0;
    return count;
}

std::size_t GoalFields::memory() const {
    std::size_t sum = 0;
    for (std::uint32_t i = 0; i < data_->count(); ++i) sum += data_->fields[i].field.memory();
    return sum;
}

}  // namespace fairlead
