#include "roadmap/id_list.h"

namespace fairlead::roadmap {

namespace {

// The stretch that holds the id, or would.
std::size_t stretch_of(const StateData& state, std::int64_t id) {
    std::size_t at = 0;
    std::size_t count = state.ids.size();
    while (count > 1) {
        const std::size_t half = count / 2;
        if (state.ids[at + half]->entries[0].id <= id) at += half;
        count -= half;
    }
    return at;
}

// A stretch that may be written in place, with the entries [low, high) of another one.
[[nodiscard]] IdChunk* copy_ids(EditorData& editor, const IdChunk* from, std::uint64_t low,
                                std::uint64_t high) {
    auto* made = editor.make_as<IdChunk>();
    if (made == nullptr) return nullptr;
    made->count = high - low;
    for (std::uint64_t i = low; i < high; ++i) made->entries[i - low] = from->entries[i];
    return made;
}

[[nodiscard]] bool replace_ids(EditorData& editor, std::size_t at, IdChunk* made) {
    if (made == nullptr) return false;
    if (!editor.give_up(&editor.draft->ids[at]->block)) {
        editor.discard(&made->block);
        return false;
    }
    editor.draft->ids[at] = made;
    return true;
}

[[nodiscard]] bool split_ids(EditorData& editor, std::size_t at) {
    Array<IdChunk*>& ids = editor.draft->ids;
    IdChunk* high = copy_ids(editor, ids[at], kIdsMax / 2, kIdsMax);
    if (high == nullptr || !ids.push_back(high)) {
        if (high != nullptr) editor.discard(&high->block);
        return false;
    }
    for (std::size_t i = ids.size() - 1; i > at + 1; --i) ids[i] = ids[i - 1];
    ids[at + 1] = high;
    return replace_ids(editor, at, copy_ids(editor, ids[at], 0, kIdsMax / 2));
}

}  // namespace

bool insert_id(EditorData& editor, std::int64_t id, std::uint32_t slot) {
    StateData& draft = *editor.draft;
    if (draft.ids.empty()) {
        if (!draft.ids.reserve(1)) return false;
        auto* first = editor.make_as<IdChunk>();
        if (first == nullptr || !draft.ids.push_back(first)) return false;
    }
    std::size_t at = stretch_of(draft, id);
    if (draft.ids[at]->count == kIdsMax) {
        if (!split_ids(editor, at)) return false;
        if (draft.ids[at + 1]->entries[0].id <= id) ++at;
    }
    const bool shared = draft.ids[at]->block.birth != draft.revision;
    if (shared && !replace_ids(editor, at, copy_ids(editor, draft.ids[at], 0, draft.ids[at]->count)))
        return false;
    IdChunk& chunk = *draft.ids[at];
    std::uint64_t i = chunk.count++;
    for (; i > 0 && chunk.entries[i - 1].id > id; --i) chunk.entries[i] = chunk.entries[i - 1];
    chunk.entries[i] = {id, slot, 0};
    return true;
}

bool remove_id(EditorData& editor, std::int64_t id) {
    StateData& draft = *editor.draft;
    const std::size_t at = stretch_of(draft, id);
    if (draft.ids[at]->count == 1) {
        if (!editor.give_up(&draft.ids[at]->block)) return false;
        for (std::size_t i = at; i + 1 < draft.ids.size(); ++i) draft.ids[i] = draft.ids[i + 1];
        draft.ids.pop_back();
        return true;
    }
    const bool shared = draft.ids[at]->block.birth != draft.revision;
    if (shared && !replace_ids(editor, at, copy_ids(editor, draft.ids[at], 0, draft.ids[at]->count)))
        return false;
    IdChunk& chunk = *draft.ids[at];
    std::uint64_t i = 0;
    while (chunk.entries[i].id != id) ++i;
    for (; i + 1 < chunk.count; ++i) chunk.entries[i] = chunk.entries[i + 1];
    --chunk.count;
    return true;
}

}  // namespace fairlead::roadmap
