#include "mesh/edit/components.h"

#include <algorithm>
#include <utility>

namespace fairlead::mesh {

namespace {

/// Calls meet(slot, part) for each part across a border of a tile, from `part` or from all, until it says false.
template <class Meet>
bool each_across(const StateData& state, std::uint32_t slot, std::uint32_t part, Meet meet) {
    const TileView& view = state.tiles[slot];
    const std::uint32_t* const border = view.tile->borders();
    for (std::uint32_t i = 0; i < view.tile->count.borders(); ++i) {
        const MeshEdge& edge = view.edges[border[i]];
        if (edge.twin == kNone) continue;
        const std::uint32_t from = view.polygons[edge.polygon].part();
        if (part != kNone && from != part) continue;
        const TileView& other = state.tile_of(edge.twin);
        const std::uint32_t there = other.edges[state.local(edge.twin)].polygon;
        if (!meet(from, edge.twin >> state.bits, other.polygons[there].part())) return false;
    }
    return true;
}

}  // namespace

// ---- all anew --------------------------------------------------------------------------------------------------

bool ComponentFinder::find_all(Revisions<StateData>& revisions) {
    if (!begin(revisions, {})) return false;
    renumbered_ = true;
    StateData& draft = *draft_;
    draft.components.clear();
    draft.free_component = kNone;
    for (const std::uint32_t slot : draft.order) {
        const bool joined =
            each_across(draft, slot, kNone, [&](std::uint32_t from, std::uint32_t there, std::uint32_t part) {
                const std::uint32_t a = root_of(after_, draft.tiles[slot].part_first + from);
                const std::uint32_t b = root_of(after_, draft.tiles[there].part_first + part);
                after_[std::max(a, b)].parent = std::min(a, b);
                return true;
            });
        if (!joined) return false;
    }
    for (std::uint32_t slot = 0; slot < draft.tiles.size(); ++slot) {
        if (draft.labels[slot] == nullptr) continue;
        PartLabels* const old = std::exchange(draft.labels[slot], nullptr);
        if (!revisions.give_up(&old->block)) return false;
    }
    for (const std::uint32_t slot : draft.order) {
        const std::uint32_t parts = draft.summaries[slot].parts;
        void* const block = revisions.make_block(sizeof(PartLabels) + sizeof(std::uint32_t) * parts);
        if (block == nullptr) return false;
        draft.labels[slot] = static_cast<PartLabels*>(block);
        for (std::uint32_t part = 0; part < parts; ++part) {
            // The first part of a component is the root of its set.
            Joined& root = after_[root_of(after_, draft.tiles[slot].part_first + part)];
            if (root.label == kNone) {
                root.label = static_cast<std::uint32_t>(draft.components.size());
                if (!draft.components.push_back({draft.ref(slot, part), 0})) return false;
            }
            draft.labels[slot]->of_part()[part] = root.label;
            ++draft.components[root.label].parts;
        }
    }
    return true;
}

// ---- after an edit ---------------------------------------------------------------------------------------------

bool ComponentFinder::renew(Revisions<StateData>& revisions, std::span<const TilePlace> places) {
    if (!begin(revisions, places)) return false;
    if (!join(*old_, before_, true) || !join(*draft_, after_, false) || !sort_rim() || !find_torn())
        return false;
    for (std::size_t first = 0, end = 0; first < torn_.size(); first = end) {
        while (end < torn_.size() && torn_[end].label == torn_[first].label) ++end;
        if (!mend(first, end)) return false;
    }
    if (!merge() || !label_touched()) return false;
    name();
    return true;
}

bool ComponentFinder::begin(Revisions<StateData>& revisions, std::span<const TilePlace> places) {
    revisions_ = &revisions;
    draft_ = revisions.draft;
    old_ = revisions.state;
    if (++stamp_ == 0 || search_stamp_ > UINT32_MAX / 2) {
        for (Array<Joined>* all : {&before_, &after_}) all->clear();
        changed_.clear();
        marks_.clear();
        stamp_ = 1;
        search_stamp_ = 0;
    }
    touched_.clear();
    rim_.clear();
    classes_.clear();
    torn_.clear();
    first_changed_ = kNone;
    renumbered_ = false;
    const std::size_t parts = old_ != nullptr ? old_->parts : 0;
    if (before_.size() < parts && !before_.resize(parts)) return false;
    if (after_.size() < draft_->parts && !after_.resize(draft_->parts)) return false;
    if (marks_.size() < draft_->tiles.size() && !marks_.resize(draft_->tiles.size())) return false;
    if (changed_.size() < draft_->components.size() && !changed_.resize(draft_->components.size()))
        return false;
    for (const TilePlace place : places) {
        for (const StateData* state : {old_, static_cast<const StateData*>(draft_)}) {
            const std::uint32_t slot = state->find_tile(place.x, place.y);
            if (slot == kNone || marks_[slot] == stamp_) continue;
            marks_[slot] = stamp_;
            if (!touched_.push_back(slot)) return false;
        }
    }
    return true;
}

ComponentFinder::Joined& ComponentFinder::joined(Array<Joined>& all, std::uint32_t number) {
    Joined& at = all[number];
    if (at.stamp != stamp_) at = {.stamp = stamp_, .parent = number};
    return at;
}

std::uint32_t ComponentFinder::root_of(Array<Joined>& all, std::uint32_t number) {
    while (joined(all, number).parent != number) {
        Joined& at = all[number];
        at.parent = all[at.parent].parent;
        number = at.parent;
    }
    return number;
}

// The sets of parts that the touched tiles join, and the rim.
bool ComponentFinder::join(const StateData& state, Array<Joined>& all, bool old) {
    for (const std::uint32_t slot : touched_) {
        if (slot >= state.tiles.size() || state.tiles[slot].tile == nullptr) continue;
        const bool good =
            each_across(state, slot, kNone, [&](std::uint32_t from, std::uint32_t there, std::uint32_t part) {
                const std::uint32_t a = root_of(all, state.tiles[slot].part_first + from);
                const std::uint32_t b = root_of(all, state.tiles[there].part_first + part);
                all[std::max(a, b)].parent = std::min(a, b);
                return is_touched(there) || add_rim(there, part, old);
            });
        if (!good) return false;
    }
    return true;
}

// The tiles of the rim are the same in both states.
bool ComponentFinder::add_rim(std::uint32_t slot, std::uint32_t part, bool old) {
    Joined& at = joined(after_, draft_->tiles[slot].part_first + part);
    if (at.rim != kNone) return true;
    at.rim = static_cast<std::uint32_t>(rim_.size());
    return rim_.push_back({.part = draft_->ref(slot, part), .old = old});
}

bool ComponentFinder::sort_rim() {
    for (Rim& rim : rim_) {
        rim.number = number_of(rim.part);
        rim.root = root_of(after_, rim.number);
    }
    const auto before = [](const Rim& a, const Rim& b) {
        return a.root != b.root ? a.root < b.root : a.part < b.part;
    };
    std::sort(rim_.begin(), rim_.end(), before);  // total order: parts differ
    for (std::uint32_t i = 0; i < rim_.size(); ++i) {
        after_[rim_[i].number].rim = i;
        if ((i == 0 || rim_[i - 1].root != rim_[i].root) && !classes_.push_back({i, i, 0})) return false;
        rim_[i].set = static_cast<std::uint32_t>(classes_.size() - 1);
        classes_.back().end = i + 1;
    }
    return true;
}

// The classes of the rim that were one.
bool ComponentFinder::find_torn() {
    const auto note_torn = [&](const Rim& rim) { return torn_.push_back({label_of(rim.part), rim.set}); };
    for (std::uint32_t i = 0; i < rim_.size(); ++i) {
        const Rim& rim = rim_[i];
        if (!rim.old) continue;
        const std::uint32_t slot = rim.part >> draft_->bits;
        const std::uint32_t number = old_->tiles[slot].part_first + draft_->local(rim.part);
        Joined& root = before_[root_of(before_, number)];
        if (root.rim == kNone) root.rim = i;
        if (rim_[root.rim].set == rim.set) continue;
        if (!note_torn(rim_[root.rim]) || !note_torn(rim)) return false;
    }
    const auto before = [](const Torn& a, const Torn& b) {
        return a.label != b.label ? a.label < b.label : a.set < b.set;
    };
    std::sort(torn_.begin(), torn_.end(), before);  // total order: equal ones are the same
    const auto same = [](const Torn& a, const Torn& b) { return a.label == b.label && a.set == b.set; };
    const auto kept = static_cast<std::size_t>(std::unique(torn_.begin(), torn_.end(), same) - torn_.begin());
    while (torn_.size() > kept) torn_.pop_back();
    return true;
}

// ---- searches --------------------------------------------------------------------------------------------------

void ComponentFinder::begin_search() {
    ++search_stamp_;
    fronts_.clear();
    met_.clear();
    alive_ = 0;
}

std::uint32_t ComponentFinder::root_front(std::uint32_t front) {
    while (fronts_[front].parent != front) front = fronts_[front].parent;
    return front;
}

void ComponentFinder::append(List& list, std::uint32_t node) {
    met_[node].next = kNone;
    (list.first == kNone ? list.first : met_[list.last].next) = node;
    list.last = node;
}

void ComponentFinder::unite(std::uint32_t a, std::uint32_t b) {
    fronts_[b].parent = a;
    for (List Front::*list : {&Front::waiting, &Front::seen}) {
        List& mine = fronts_[a].*list;
        const List& other = fronts_[b].*list;
        if (other.first == kNone) continue;
        (mine.first == kNone ? mine.first : met_[mine.last].next) = other.first;
        mine.last = other.last;
    }
    --alive_;
}

// A front comes to a part.
bool ComponentFinder::meet(std::uint32_t front, std::uint32_t part, std::uint32_t label) {
    if (label_of(part) != label) return true;
    Joined& at = joined(after_, number_of(part));
    if (at.search_stamp == search_stamp_) {
        const std::uint32_t a = root_front(front), b = root_front(at.front);
        if (a != b) unite(a, b);
        return true;
    }
    at.search_stamp = search_stamp_;
    at.front = front;
    const auto node = static_cast<std::uint32_t>(met_.size());
    if (!met_.push_back({part, kNone})) return false;
    append(fronts_[root_front(front)].waiting, node);
    return true;
}

// One part further: to all parts of its label that it is joined to, through untouched tiles or over its class of the rim.
bool ComponentFinder::go_on(std::uint32_t front, std::uint32_t label) {
    List& waiting = fronts_[front].waiting;
    const std::uint32_t node = waiting.first;
    waiting.first = met_[node].next;
    append(fronts_[front].seen, node);
    const std::uint32_t part = met_[node].part, slot = part >> draft_->bits;
    const std::uint32_t rim = after_[number_of(part)].rim;
    if (rim != kNone && classes_[rim_[rim].set].search_stamp != search_stamp_) {
        RimClass& set = classes_[rim_[rim].set];
        set.search_stamp = search_stamp_;
        for (std::uint32_t i = set.first; i < set.end; ++i) {
            if (!meet(front, rim_[i].part, label)) return false;
        }
    }
    return each_across(*draft_, slot, draft_->local(part),
                       [&](std::uint32_t, std::uint32_t there, std::uint32_t other) {
                           return is_touched(there) || meet(front, draft_->ref(there, other), label);
                       });
}

// Classes of one component that the edit may have torn apart: searches from all of them until one is left.
bool ComponentFinder::mend(std::size_t first, std::size_t end) {
    const std::uint32_t label = torn_[first].label;
    begin_search();
    for (std::size_t i = first; i < end; ++i) {
        const auto front = static_cast<std::uint32_t>(fronts_.size());
        if (!fronts_.push_back({.parent = front})) return false;
        ++alive_;
        RimClass& set = classes_[torn_[i].set];
        set.search_stamp = search_stamp_;
        for (std::uint32_t k = set.first; k < set.end; ++k) {
            if (!meet(front, rim_[k].part, label)) return false;
        }
    }
    while (alive_ > 1) {
        for (std::uint32_t i = 0; i < fronts_.size() && alive_ > 1; ++i) {
            if (fronts_[i].parent != i || fronts_[i].ended) continue;
            if (fronts_[i].waiting.first != kNone) {
                if (!go_on(i, label)) return false;
                continue;
            }
            fronts_[i].ended = true;
            --alive_;
            const std::uint32_t piece = take_label();
            if (piece == kNone || !give_all(fronts_[i].seen, piece)) return false;
        }
    }
    return true;
}

// Classes of the rim that join components: the largest one takes the others.
bool ComponentFinder::merge() {
    for (const RimClass& set : classes_) {
        std::uint32_t largest = label_of(rim_[set.first].part);
        for (std::uint32_t i = set.first; i < set.end; ++i) {
            const std::uint32_t label = label_of(rim_[i].part);
            const std::uint32_t more = draft_->components[label].parts;
            const std::uint32_t most = draft_->components[largest].parts;
            if (more > most || (more == most && label < largest)) largest = label;
        }
        for (std::uint32_t i = set.first; i < set.end; ++i) {
            const std::uint32_t label = label_of(rim_[i].part);
            if (label == largest) continue;
            begin_search();
            if (!fronts_.push_back({}) || !meet(0, rim_[i].part, label)) return false;
            while (fronts_[0].waiting.first != kNone) {
                if (!go_on(0, label)) return false;
            }
            if (!give_all(fronts_[0].seen, largest)) return false;
        }
    }
    return true;
}

// ---- numbers ---------------------------------------------------------------------------------------------------

std::uint32_t ComponentFinder::take_label() {
    std::uint32_t label = draft_->free_component;
    if (label != kNone) {
        draft_->free_component = draft_->components[label].first;
    } else {
        label = static_cast<std::uint32_t>(draft_->components.size());
        if (!draft_->components.push_back({})) return kNone;
        if (changed_.size() <= label && !changed_.push_back({})) return kNone;
    }
    draft_->components[label] = {kNone, 0};
    note(label);
    return label;
}

// Remembers that parts of that label have come or gone.
void ComponentFinder::note(std::uint32_t label) {
    if (changed_[label].stamp == stamp_) return;
    changed_[label] = {stamp_, kNone, first_changed_};
    first_changed_ = label;
}

bool ComponentFinder::comes_before(std::uint32_t part, std::uint32_t other) const {
    return number_of(part) < number_of(other);
}

// A part has come to a label.
void ComponentFinder::offer(std::uint32_t part, std::uint32_t label) {
    Changed& at = changed_[label];
    if (at.first == kNone || comes_before(part, at.first)) at.first = part;
    ++draft_->components[label].parts;
}

bool ComponentFinder::give_label(std::uint32_t part, std::uint32_t label) {
    PartLabels*& labels = draft_->labels[part >> draft_->bits];
    if (!revisions_->is_new(&labels->block)) {
        auto* const copy = static_cast<PartLabels*>(revisions_->copy_block(&labels->block));
        if (copy == nullptr) return false;
        labels = copy;
    }
    std::uint32_t& at = labels->of_part()[draft_->local(part)];
    renumbered_ = true;
    note(at);
    note(label);
    --draft_->components[at].parts;
    at = label;
    offer(part, label);
    return true;
}

bool ComponentFinder::give_all(const List& parts, std::uint32_t label) {
    for (std::uint32_t node = parts.first; node != kNone; node = met_[node].next) {
        if (!give_label(met_[node].part, label)) return false;
    }
    return true;
}

// The parts of the touched tiles get the labels of their classes, or new ones.
bool ComponentFinder::label_touched() {
    StateData& draft = *draft_;
    for (const RimClass& set : classes_) after_[rim_[set.first].root].label = label_of(rim_[set.first].part);
    for (const std::uint32_t slot : touched_) {
        PartLabels* const old = std::exchange(draft.labels[slot], nullptr);
        if (old == nullptr) continue;
        const std::uint32_t parts = old_->summaries[slot].parts;
        for (std::uint32_t part = 0; part < parts; ++part) {
            const std::uint32_t label = old->of_part()[part];
            note(label);
            --draft.components[label].parts;
        }
        if (!revisions_->give_up(&old->block)) return false;
    }
    for (const std::uint32_t slot : touched_) {
        if (draft.tiles[slot].tile == nullptr) continue;
        const std::uint32_t parts = draft.summaries[slot].parts;
        void* const block = revisions_->make_block(sizeof(PartLabels) + sizeof(std::uint32_t) * parts);
        if (block == nullptr) return false;
        draft.labels[slot] = static_cast<PartLabels*>(block);
        for (std::uint32_t part = 0; part < parts; ++part) {
            Joined& root = after_[root_of(after_, draft.tiles[slot].part_first + part)];
            if (root.label == kNone) root.label = take_label();
            if (root.label == kNone) return false;
            note(root.label);
            draft.labels[slot]->of_part()[part] = root.label;
            offer(draft.ref(slot, part), root.label);
        }
    }
    return true;
}

// The first part of a component that has lost its first one; none of those that came is known to be it.
std::uint32_t ComponentFinder::first_part(std::uint32_t label) const {
    const StateData& draft = *draft_;
    const std::uint32_t came = changed_[label].first;
    const std::uint32_t gone = draft.components[label].first >> draft.bits;
    const TileSummary& from = old_->summaries[gone];
    for (std::size_t i = draft.place_in_order(from.x, from.y); i < draft.order.size(); ++i) {
        const std::uint32_t slot = draft.order[i];
        for (std::uint32_t part = 0; part < draft.summaries[slot].parts; ++part) {
            if (draft.labels[slot]->of_part()[part] != label) continue;
            const std::uint32_t found = draft.ref(slot, part);
            return came != kNone && comes_before(came, found) ? came : found;
        }
    }
    return came;
}

void ComponentFinder::name() {
    StateData& draft = *draft_;
    for (std::uint32_t label = first_changed_; label != kNone; label = changed_[label].next) {
        Component& component = draft.components[label];
        if (component.parts == 0) {
            component.first = draft.free_component;
            draft.free_component = label;
            continue;
        }
        const std::uint32_t came = changed_[label].first, first = component.first;
        if (first == kNone) {
            component.first = came;
        } else if (is_touched(first >> draft.bits) || label_of(first) != label) {
            component.first = first_part(label);
        } else if (came != kNone && comes_before(came, first)) {
            component.first = came;
        }
    }
}

}  // namespace fairlead::mesh
