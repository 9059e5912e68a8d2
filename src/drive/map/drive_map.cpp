// DriveMap, DriveMapState: the public face over MapData, and its revisions.
//
// A revision that nobody holds is updated in place. One that is held is left alone: a second one, kept from such an update before or
// made anew, becomes a copy of it and is updated.
#include <fairlead/drive/drive_map.h>

#include <new>
#include <utility>

#include "base/no_memory.h"
#include "drive/map/map_data.h"

namespace fairlead {

namespace drive {

struct MapEditor {
    explicit MapEditor(const Allocator& a) : allocator(a), others(a) {}

    Allocator allocator;
    MapVersion* current = nullptr;
    Array<MapVersion*> others;  ///< older ones that snapshots hold, and at most one that nobody does

    [[nodiscard]] MapVersion* make(MapData&& data) {
        void* memory = allocator.allocate(sizeof(MapVersion), alignof(MapVersion), allocator.user);
        return memory == nullptr ? nullptr : new (memory) MapVersion(std::move(data));
    }
    void end(MapVersion* version) {
        version->~MapVersion();
        allocator.release(version, sizeof(MapVersion), alignof(MapVersion), allocator.user);
    }
    static bool is_held(const MapVersion* version) {
        return version->held.load(std::memory_order_acquire) != 0;
    }

    /// A version that nobody holds, out of the list of others; the rest of those goes. Null: out of memory.
    [[nodiscard]] MapVersion* spare() {
        MapVersion* found = nullptr;
        std::size_t kept = 0;
        for (MapVersion* version : others) {
            if (is_held(version)) {
                others[kept++] = version;
            } else if (found == nullptr) {
                found = version;
            } else {
                end(version);
            }
        }
        while (others.size() > kept) others.pop_back();
        return found != nullptr ? found : make(MapData(allocator));
    }
};

}  // namespace drive

namespace {

using drive::MapData;
using drive::MapEditor;
using drive::MapVersion;

MapEditor* new_editor(const Allocator& a) {
    void* memory = a.allocate(sizeof(MapEditor), alignof(MapEditor), a.user);
    return memory == nullptr ? nullptr : new (memory) MapEditor(a);
}

void end_editor(MapEditor* editor) {
    if (editor == nullptr) return;
    if (editor->current != nullptr) {
        FAIRLEAD_ASSERT(!MapEditor::is_held(editor->current) && "a snapshot outlives its map");
        editor->end(editor->current);
    }
    for (MapVersion* version : editor->others) {
        FAIRLEAD_ASSERT(!MapEditor::is_held(version) && "a snapshot outlives its map");
        editor->end(version);
    }
    const Allocator allocator = editor->allocator;
    editor->~MapEditor();
    allocator.release(editor, sizeof(MapEditor), alignof(MapEditor), allocator.user);
}

}  // namespace

// ---- the state ---------------------------------------------------------------------------------------------

const MapData& DriveMapState::data() const { return version_->data; }
const DriveMapOptions& DriveMapState::options() const { return data().options(); }
const DriveTable& DriveMapState::table() const { return data().table(); }
std::int32_t DriveMapState::width() const { return data().width(); }
std::int32_t DriveMapState::height() const { return data().height(); }
std::int32_t DriveMapState::floors() const { return data().floors(); }
bool DriveMapState::has_links() const { return data().has_links(); }
bool DriveMapState::is_plain() const { return data().is_plain(); }
bool DriveMapState::has_roads() const { return data().has_roads(); }
std::size_t DriveMapState::bytes() const { return data().bytes(); }
void DriveMapState::hold() const { version_->held.fetch_add(1, std::memory_order_relaxed); }
void DriveMapState::let_go() const { version_->held.fetch_sub(1, std::memory_order_release); }

// ---- the map -----------------------------------------------------------------------------------------------

Result<DriveMap> DriveMap::make(const DriveGround& rows, const DriveTable& table,
                                const DriveMapOptions& options) {
    Result<MapData> data = MapData::make(rows, table, options);
    if (!data) return data.error();
    DriveMap map;
    map.editor_ = new_editor(options.allocator);
    if (map.editor_ == nullptr) return kNoMemory;
    map.editor_->current = map.editor_->make(std::move(*data));
    if (map.editor_->current == nullptr) return kNoMemory;
    map.state_.version_ = map.editor_->current;
    return map;
}

DriveMap::DriveMap(DriveMap&& other) noexcept
    : state_(std::exchange(other.state_, {})), editor_(std::exchange(other.editor_, nullptr)) {}

DriveMap& DriveMap::operator=(DriveMap&& other) noexcept {
    if (this != &other) {
        end_editor(editor_);
        state_ = std::exchange(other.state_, {});
        editor_ = std::exchange(other.editor_, nullptr);
    }
    return *this;
}

DriveMap::~DriveMap() { end_editor(editor_); }

DriveMapSnapshot DriveMap::acquire() const { return DriveMapSnapshot::of(state()); }

Result<void> DriveMap::update(const DriveGround& ground, std::uint64_t revision) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    MapEditor& editor = *editor_;
    MapVersion* now = editor.current;
    if (!MapEditor::is_held(now)) return now->data.update(ground, revision);
    if (!editor.others.reserve(editor.others.size() + 2)) return kNoMemory;
    MapVersion* next = editor.spare();
    if (next == nullptr) return kNoMemory;
    const bool copied = next->data.copy_from(now->data);
    const Result<void> done = copied ? next->data.update(ground, revision) : Result<void>(kNoMemory);
    const bool kept = editor.others.push_back(done ? now : next);
    FAIRLEAD_ASSERT(kept);  // reserved
    if (!done) return done;
    editor.current = next;
    state_.version_ = next;
    return {};
}

}  // namespace fairlead
