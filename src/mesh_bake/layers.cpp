// Layers by flooding. A connected part that nowhere lies over itself is one layer, and most are. In the others a layer
// grows from the first floor that has none, over the flattest links first, as far as it does not come to lie over itself: a storey is full
// before the stairs are climbed.
//
// The floors along a border of a tile that belong to one piece of it go into a layer together or not at all, so that what a
// tile decides inside never puts a vertex on its border that the other tile does not have.

#include "mesh_bake/layers.h"

#include <algorithm>

#include "base/no_memory.h"

namespace fairlead::bake {

namespace {

constexpr std::uint32_t kFlatness = 8;  ///< links are sorted by height difference, the last for all greater

struct LayerFinder {
    LayerFinder(const Settings& s, const CellBox& box, const Floors& floors, Layers& layers)
        : settings(s),
          interior(box),
          f(floors),
          out(layers),
          owner(s.allocator),
          part(s.allocator),
          group(s.allocator),
          gathered(s.allocator),
          refused(s.allocator) {
        for (Array<std::uint32_t>& q : queue) q = Array<std::uint32_t>(s.allocator);
        const auto width = static_cast<std::uint32_t>(floors.box.width());
        offsets[0] = 1;
        offsets[1] = width;
        offsets[2] = 0U - 1U;
        offsets[3] = 0U - width;
    }

    const Settings& settings;
    const CellBox& interior;
    const Floors& f;
    Layers& out;
    Array<std::uint32_t> owner;     ///< by column: the layer or part that has it last, + 1
    Array<std::uint32_t> part;      ///< floors of the part in hand
    Array<std::uint32_t> group;     ///< floors that go together
    Array<std::uint32_t> gathered;  ///< by floor: the last group it was in
    Array<std::uint32_t> refused;   ///< by floor: the last layer that its group did not fit
    Array<std::uint32_t> queue[kFlatness];
    std::uint32_t gathering = 0;
    std::uint32_t offsets[4] = {};  ///< of the columns beside one, modulo 2^32
    std::uint32_t stamp = 0;
    std::uint32_t pending = 0;  ///< label of floors of the part that have no layer yet

    void mark_outside() {
        const auto width = static_cast<std::size_t>(f.box.width());
        for (std::int32_t y = f.box.y0; y < f.box.y1; ++y) {
            const bool row_inside = y >= interior.y0 && y < interior.y1;
            const std::size_t row = static_cast<std::size_t>(y - f.box.y0) * width;
            const auto mark = [&](std::int32_t from, std::int32_t to) {
                const std::uint32_t begin = f.first[row + static_cast<std::size_t>(from - f.box.x0)];
                const std::uint32_t end = f.first[row + static_cast<std::size_t>(to - f.box.x0)];
                for (std::uint32_t i = begin; i < end; ++i)
                    out.label[i] = f.area[i] != 0 ? kOutside : kUnlabelled;
            };
            if (!row_inside) {
                mark(f.box.x0, f.box.x1);
            } else {
                mark(f.box.x0, interior.x0);
                mark(interior.x1, f.box.x1);
            }
        }
    }

    // The column in a direction. There is one: floors at the edge of a window are outside of the tile, and a level ends with a
    // drop, where there are none.
    [[nodiscard]] std::uint32_t beside(std::uint32_t floor, std::uint32_t d) const {
        const std::uint32_t column = f.cell[floor] + offsets[d];
        FAIRLEAD_DEBUG_ASSERT(column < owner.size());
        return column;
    }

    // The part of `seed`, into `part`; labels are set to the stamp of the part. Whether it lies over itself anywhere and whether it
    // reaches another tile.
    struct PartFacts {
        bool overlaps = false;
        bool reaches_out = false;
    };

    [[nodiscard]] bool gather_part(std::uint32_t seed, std::uint32_t label, PartFacts& facts) {
        part.clear();
        ++stamp;
        out.label[seed] = label;
        if (!part.push_back(seed)) return false;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const std::uint32_t floor = part[i];
            std::uint32_t& column = owner[f.cell[floor]];
            facts.overlaps |= column == stamp;
            column = stamp;
            for (std::uint32_t d = 0; d < 4; ++d) {
                const std::uint32_t next = f.link[4 * std::size_t{floor} + d];
                if (next == kNone) {
                    facts.overlaps |= owner[beside(floor, d)] == stamp;
                    continue;
                }
                if (out.label[next] == kOutside) facts.reaches_out = true;
                if (out.label[next] != kUnlabelled) continue;
                out.label[next] = label;
                if (!part.push_back(next)) return false;
            }
        }
        return true;
    }

    // The floors that are joined to `seed` along borders; alone if it lies at none.
    [[nodiscard]] bool gather_group(std::uint32_t seed) {
        group.clear();
        ++gathering;
        if (gathered.empty() && (!gathered.resize(f.size()) || !refused.resize(f.size()))) return false;
        gathered[seed] = gathering;
        if (!group.push_back(seed)) return false;
        for (std::size_t i = 0; i < group.size(); ++i) {
            const std::uint32_t floor = group[i];
            for (std::uint32_t across = 0; across < 4; ++across) {
                const std::uint32_t other = f.link[4 * std::size_t{floor} + across];
                if (other == kNone || out.label[other] != kOutside) continue;
                for (const std::uint32_t along : {(across + 1U) & 3U, (across + 3U) & 3U}) {
                    const std::uint32_t next = f.link[4 * std::size_t{floor} + along];
                    if (next == kNone || out.label[next] == kOutside) continue;
                    if (!border_joined(settings, f, floor, next, across)) continue;
                    if (gathered[next] == gathering) continue;
                    gathered[next] = gathering;
                    if (!group.push_back(next)) return false;
                }
            }
        }
        return true;
    }

    [[nodiscard]] bool at_border(std::uint32_t floor) const {
        for (std::uint32_t d = 0; d < 4; ++d) {
            const std::uint32_t next = f.link[4 * std::size_t{floor} + d];
            if (next != kNone && out.label[next] == kOutside) return true;
        }
        return false;
    }

    // Whether the layer in hand has no floor in the column, and none beside it that one cannot step to: where two floors of a layer
    // stand side by side, they are linked.
    [[nodiscard]] bool fits(std::uint32_t floor, std::uint32_t label) const {
        if (owner[f.cell[floor]] == stamp || out.label[floor] != pending) return false;
        for (std::uint32_t d = 0; d < 4; ++d) {
            const std::uint32_t column = beside(floor, d);
            if (owner[column] != stamp) continue;
            const std::uint32_t next = f.link[4 * std::size_t{floor} + d];
            if (next == kNone || out.label[next] != label) return false;
        }
        return true;
    }

    // Whether all of the group fit. They do not lie over each other (border_joined).
    [[nodiscard]] bool group_fits(std::uint32_t label) const {
        return std::all_of(group.begin(), group.end(),
                           [&](std::uint32_t floor) { return fits(floor, label); });
    }

    [[nodiscard]] bool claim(std::uint32_t floor, std::uint32_t label) {
        out.label[floor] = label;
        owner[f.cell[floor]] = stamp;
        for (std::uint32_t d = 0; d < 4; ++d) {
            const std::uint32_t next = f.link[4 * std::size_t{floor} + d];
            if (next == kNone || out.label[next] != pending) continue;
            const std::int32_t step = f.z[next] - f.z[floor];
            const std::uint32_t rough = static_cast<std::uint32_t>(step < 0 ? -step : step);
            if (!queue[std::min(rough, kFlatness - 1)].push_back(next)) return false;
        }
        return true;
    }

    // Claims the floor, with all that goes with it at a border, if they fit. What was refused once stays so: layers only grow.
    [[nodiscard]] bool claim_group(std::uint32_t floor, std::uint32_t label) {
        if (!fits(floor, label)) return true;
        if (!at_border(floor)) return claim(floor, label);
        if (!refused.empty() && refused[floor] == stamp) return true;
        if (!gather_group(floor)) return false;
        const bool together = group_fits(label);
        for (const std::uint32_t member : group) {
            if (!together) {
                refused[member] = stamp;
            } else if (!claim(member, label)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool grow(std::uint32_t seed, std::uint32_t label) {
        ++stamp;
        std::size_t head[kFlatness] = {};
        for (Array<std::uint32_t>& q : queue) q.clear();
        if (!claim_group(seed, label)) return false;
        for (;;) {
            std::uint32_t level = 0;
            while (level < kFlatness && head[level] == queue[level].size()) ++level;
            if (level == kFlatness) return true;
            const std::uint32_t floor = queue[level][head[level]++];
            if (!claim_group(floor, label)) return false;
        }
    }

    // Splits the part in hand, whose floors are all labelled `first`.
    [[nodiscard]] Result<void> split_part(std::uint32_t first) {
        pending = first;
        std::uint32_t label = 0;
        for (std::size_t i = 0; i < part.size(); ++i) {
            if (out.label[part[i]] != pending) continue;
            label = (out.count++) << 8;  // never the pending one
            if (out.count >= kLayersMax) return Error{ErrorCode::size_limit, Field::cell_size, kLayersMax};
            if (!grow(part[i], label)) return kNoMemory;
        }
        return {};
    }

    Result<void> run() {
        const std::size_t count = f.size();
        if (!out.label.resize_uninitialized(count) || !owner.resize(f.first.size())) return kNoMemory;
        std::fill(out.label.begin(), out.label.end(), kUnlabelled);
        mark_outside();
        for (std::uint32_t seed = 0; seed < count; ++seed) {
            if (f.area[seed] == 0 || out.label[seed] != kUnlabelled) continue;
            PartFacts facts;
            const std::uint32_t label = out.count << 8;
            if (!gather_part(seed, label, facts)) return kNoMemory;
            if (!facts.reaches_out && part.size() < settings.island_min) {
                for (const std::uint32_t floor : part) out.label[floor] = kDropped;
                continue;
            }
            if (++out.count >= kLayersMax) return Error{ErrorCode::size_limit, Field::cell_size, kLayersMax};
            if (facts.overlaps) {
                const Result<void> split = split_part(label);
                if (!split) return split;
            }
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            if (is_label(out.label[i])) out.label[i] |= f.area[i];
        }
        return {};
    }
};

bool many_floors(const Floors& f, std::uint32_t floor) {
    const std::uint32_t column = f.cell[floor];
    std::uint32_t count = 0;
    for (std::uint32_t i = f.first[column]; i < f.first[column + 1]; ++i) count += f.area[i] != 0 ? 1U : 0U;
    return count > 1;
}

}  // namespace

bool border_joined(const Settings& settings, const Floors& f, std::uint32_t a, std::uint32_t b,
                   std::uint32_t across) {
    const std::uint32_t over_a = f.link[4 * std::size_t{a} + across];
    const std::uint32_t over_b = f.link[4 * std::size_t{b} + across];
    if (over_a == kNone || over_b == kNone) return false;
    if (f.area[a] != f.area[b] || f.area[over_a] != f.area[over_b]) return false;
    std::uint32_t along = 0;
    while (along < 4 && f.link[4 * std::size_t{a} + along] != b) ++along;
    if (along == 4 || f.link[4 * std::size_t{over_a} + along] != over_b) return false;
    const bool many = many_floors(f, a);
    const bool many_over = many_floors(f, over_a);
    if (many != many_floors(f, b) || many_over != many_floors(f, over_b)) return false;
    // The tile on the right of an upright border has its low corner beside it.
    if ((across & 1U) != 0 || !(across == 2 ? many : many_over)) return true;
    const std::int32_t row = std::min(f.y_of(a), f.y_of(b)) % settings.tile;
    return row != 0;
}

Result<void> find_layers(const Settings& settings, const CellBox& interior, const Floors& floors,
                         Layers& out) {
    LayerFinder finder(settings, interior, floors, out);
    out.count = 0;
    return finder.run();
}

}  // namespace fairlead::bake
