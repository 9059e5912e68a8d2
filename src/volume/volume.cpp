// A volume is made from its bricks in order of chunks and cells, and edited chunk by chunk; both by the same writer.
#include <fairlead/volume/volume.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fairlead/math/contact.h>

#include "base/spare_memory.h"
#include "volume/edit/editor.h"
#include "volume/files/stored_volume.h"

namespace fairlead {

namespace volume {

namespace {

constexpr Error kNoMemory{ErrorCode::out_of_memory};

/// A brick by its chunk, its cell and its place there.
struct KeyedBrick {
    std::uint64_t key = 0;
    std::uint64_t solid = 0;
};

Result<void> check_options(const VolumeOptions& o) {
    if (!is_finite(o.origin)) return Error{ErrorCode::not_finite, Field::origin};
    if (!is_finite(o.voxel_size)) return Error{ErrorCode::not_finite, Field::cell_size};
    const double least = std::min({o.voxel_size.x, o.voxel_size.y, o.voxel_size.z});
    const double most = std::max({o.voxel_size.x, o.voxel_size.y, o.voxel_size.z});
    if (!(least > 0.0) || !(least >= 1e-100) || !(most <= 1e100) || !(most <= 1e3 * least))
        return Error{ErrorCode::out_of_range, Field::cell_size};
    for (const std::int32_t side : {o.size.x, o.size.y, o.size.z}) {
        if (side < 1) return Error{ErrorCode::out_of_range, Field::width, side};
        if (side > kVolumeSideMax) return Error{ErrorCode::size_limit, Field::width, kVolumeSideMax};
    }
    if (o.streamed && !o.bricks.span().empty()) return Error{ErrorCode::incompatible, Field::cells};
    if (std::int64_t{o.size.x} * o.size.y * o.size.z > kVolumeVoxelsMax)
        return Error{ErrorCode::size_limit, Field::width, kVolumeVoxelsMax};
    return {};
}

// The contact slack of a volume, in its shortest side's voxels.
double slack_of(const VolumeOptions& o) {
    const double sizes[] = {o.voxel_size.x * o.size.x, o.voxel_size.y * o.size.y, o.voxel_size.z * o.size.z};
    const double lows[] = {o.origin.x, o.origin.y, o.origin.z};
    double extent = 0.0, largest = 0.0;
    for (int k = 0; k < 3; ++k) {
        extent = std::max(extent, sizes[k]);
        largest = std::max({largest, std::fabs(lows[k]), std::fabs(lows[k] + sizes[k])});
    }
    return contact_slack(extent, largest) / std::min({o.voxel_size.x, o.voxel_size.y, o.voxel_size.z});
}

void describe(StateData& state, const VolumeOptions& o, double slack) {
    state.revision = 1;
    state.origin = o.origin;
    state.scale = o.voxel_size;
    state.inverse = {1.0 / o.voxel_size.x, 1.0 / o.voxel_size.y, 1.0 / o.voxel_size.z};
    state.size = o.size;
    const auto chunks = [](std::int32_t side) { return (side + 63) >> 6; };
    state.chunk_count = {chunks(o.size.x), chunks(o.size.y), chunks(o.size.z)};
    state.slack = slack;
}

Result<void> list_bricks(const StateData& state, std::span<const VoxelBrick> bricks,
                         Array<KeyedBrick>& keyed) {
    if (!keyed.reserve(bricks.size())) return kNoMemory;
    bool sorted = true;
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < bricks.size(); ++i) {
        const VoxelBrick& b = bricks[i];
        const auto near = [](std::int32_t v) { return v >= 0 && v < kVolumeSideMax / 4; };
        if (!near(b.x) || !near(b.y) || !near(b.z) || !state.brick_in_bounds(b.x, b.y, b.z) ||
            (b.solid & ~state.inside_bits(b.x, b.y, b.z)) != 0)
            return Error{ErrorCode::out_of_range, Field::cells, static_cast<std::int64_t>(i), 0};
        const std::uint64_t chunk = state.chunk_index(b.x >> 4, b.y >> 4, b.z >> 4);
        const std::uint64_t key =
            chunk << 12 | place64(b.x >> 2, b.y >> 2, b.z >> 2) << 6 | place64(b.x, b.y, b.z);
        sorted = sorted && last <= key;
        last = key;
        if (!keyed.push_back({key, b.solid})) return kNoMemory;
    }
    if (!sorted) {
        const auto before = [](const KeyedBrick& a, const KeyedBrick& b) {
            return a.key != b.key ? a.key < b.key : a.solid < b.solid;
        };
        std::sort(keyed.begin(), keyed.end(), before);  // total order
    }
    return {};
}

// Writes the bricks from `i` on that lie in one chunk. False: out of memory.
bool write_chunk(EditorData& editor, std::span<const KeyedBrick> keyed, std::size_t& i) {
    const StateData& state = *editor.draft;
    const std::uint64_t chunk = keyed[i].key >> 12;
    const auto nx = static_cast<std::uint64_t>(state.chunk_count.x),
               ny = static_cast<std::uint64_t>(state.chunk_count.y);
    ChunkWriter writer(editor, static_cast<std::int32_t>(chunk % nx),
                       static_cast<std::int32_t>(chunk / nx % ny),
                       static_cast<std::int32_t>(chunk / nx / ny));
    while (i < keyed.size() && keyed[i].key >> 12 == chunk) {
        const std::uint64_t cell = keyed[i].key >> 6;
        CellBits bits{};
        for (; i < keyed.size() && keyed[i].key >> 6 == cell; ++i)
            bits.bricks[keyed[i].key & 63] |= keyed[i].solid;
        if (!writer.write(static_cast<std::uint32_t>(cell & 63), bits)) return false;
    }
    return writer.finish();
}

Result<void> write_bricks(EditorData& editor, std::span<const VoxelBrick> bricks) {
    Array<KeyedBrick> keyed(editor.allocator);
    if (const Result<void> good = list_bricks(*editor.draft, bricks, keyed); !good) return good;
    for (std::size_t i = 0; i < keyed.size();) {
        if (!write_chunk(editor, keyed.span(), i)) return kNoMemory;
    }
    return {};
}

// No chunk is there.
void leave_out_all(StateData& state) {
    std::fill(state.chunks.begin(), state.chunks.end(), unloaded_chunk());
    std::fill(state.links.begin(), state.links.end(), unloaded_links());
    state.unloaded = static_cast<std::int64_t>(state.chunks.size());
    state.missing = std::int64_t{state.size.x} * state.size.y * state.size.z;
}

Result<void> build(EditorData& editor, const VolumeOptions& options, double slack,
                   const StoredVolume* stored) {
    if (!editor.begin()) return kNoMemory;
    StateData& state = *editor.draft;
    describe(state, options, slack);
    const std::size_t chunks = static_cast<std::size_t>(state.chunk_count.x) *
                               static_cast<std::size_t>(state.chunk_count.y) *
                               static_cast<std::size_t>(state.chunk_count.z);
    if (!state.chunks.resize(chunks) || !state.tables.resize(chunks) || !state.links.resize(chunks))
        return kNoMemory;
    if (options.streamed) leave_out_all(state);
    const Result<void> written =
        stored != nullptr ? write_stored(editor, *stored) : write_bricks(editor, options.bricks.span());
    if (!written) return written;
    if (stored == nullptr && (!measure_distances(editor) || !join_cells(editor))) return kNoMemory;
    if (!editor.ready()) return kNoMemory;
    editor.commit();
    return {};
}

/// An editor and the memory that it works with.
struct Owner {
    explicit Owner(const Allocator& a) : spare(a), editor(spare.allocator()) {}
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() {
        editor.drop();
        editor.destroy();
        editor.free_buffers();
    }

    SpareMemory spare;
    EditorData editor;
};

EditorData* make_owner(const Allocator& a) {
    void* memory = a.allocate(sizeof(Owner), alignof(Owner), a.user);
    if (memory == nullptr) return nullptr;
    auto* owner = new (memory) Owner(a);
    owner->editor.owner = owner;
    return &owner->editor;
}

// What making needed and edits may not.
void trim(EditorData& editor) {
    editor.free_buffers();
    static_cast<Owner*>(editor.owner)->spare.trim();
}

void destroy(EditorData* editor) {
    if (editor == nullptr) return;
    auto* owner = static_cast<Owner*>(editor->owner);
    const Allocator a = owner->spare.parent();
    owner->~Owner();
    a.release(owner, sizeof(Owner), alignof(Owner), a.user);
}

}  // namespace

}  // namespace volume

using volume::EditorData;

Result<Volume> Volume::make(const VolumeOptions& options) { return make_from(options, nullptr); }

Result<Volume> Volume::make_from(const VolumeOptions& options, const volume::StoredVolume* stored) {
    if (const Result<void> good = volume::check_options(options); !good) return good.error();
    const double slack = volume::slack_of(options);
    if (!contact_serves(slack, 1.0)) return Error{ErrorCode::out_of_range, Field::origin};
    Volume made;
    made.editor_ = volume::make_owner(options.allocator);
    if (made.editor_ == nullptr) return volume::kNoMemory;
    if (const Result<void> done = volume::build(*made.editor_, options, slack, stored); !done)
        return done.error();
    volume::trim(*made.editor_);
    made.state_.data_ = made.editor_->state;
    return made;
}

Volume::Volume(Volume&& other) noexcept
    : state_(std::exchange(other.state_, {})), editor_(std::exchange(other.editor_, nullptr)) {}

Volume& Volume::operator=(Volume&& other) noexcept {
    if (this == &other) return *this;
    volume::destroy(editor_);
    state_ = std::exchange(other.state_, {});
    editor_ = std::exchange(other.editor_, nullptr);
    return *this;
}

Volume::~Volume() { volume::destroy(editor_); }

VolumeSnapshot Volume::acquire() const { return VolumeSnapshot::of(state()); }

Result<void> Volume::apply(std::span<const VolumeEdit> edits) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from cannot be edited");
    EditorData& editor = *editor_;
    if (!editor.begin()) return volume::kNoMemory;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Result<void> done = volume::make_edit(editor, edits[i]);
        if (done) continue;
        editor.drop();
        Error error = done.error();
        // Of a brick of a chunk, its own number is the detail.
        if (error.code != ErrorCode::out_of_memory) error.index = static_cast<std::int64_t>(i);
        return error;
    }
    if (!editor.changed) {
        editor.drop();
        return {};
    }
    if (!volume::measure_distances(editor) || !volume::join_cells(editor) || !editor.ready()) {
        editor.drop();
        return volume::kNoMemory;
    }
    editor.commit();
    state_.data_ = editor.state;
    return {};
}

VolumeMemory VolumeState::memory() const {
    VolumeMemory memory;
    const auto bytes = [](const Block& block) { return block.birth == Block::kBorrowed ? 0 : block.bytes; };
    const auto add = [&](std::size_t& sum, const auto& blocks) {
        for (const auto* block : blocks) sum += block == nullptr ? 0 : bytes(block->block);
    };
    add(memory.chunks, data_->chunks);
    add(memory.components, data_->tables);
    add(memory.components, data_->links);
    memory.components += bytes(data_->labels->block);
    memory.tables = data_->chunks.bytes() + data_->tables.bytes() + data_->links.bytes();
    return memory;
}

std::uint32_t VolumeState::component(Voxel v) const {
    return data_->is_free(v) ? volume::label_of(*data_, v) : kNoComponent;
}

}  // namespace fairlead
