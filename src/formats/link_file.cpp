#include <fairlead/formats/link_file.h>

#include <fairlead/formats/number.h>
#include <fairlead/mesh/nav_mesh.h>

#include "formats/json_writer.h"
#include "formats/schema_reader.h"

namespace fairlead::formats {

namespace {

constexpr double kLinkHeadingMax = 1e4;
constexpr std::string_view kLinkKeys[] = {"id",   "from", "to",      "extent", "one_way",   "kind",
                                          "cost", "tag",  "heading", "reach",  "radius_max"};

class LinkFileReader : SchemaReader {
  public:
    LinkFileReader(std::string_view links, const Limits& limits) : SchemaReader(links, limits) {}

    Result<std::vector<MeshLink>> read() {
        if (read_file() && differ(ids_)) return std::move(links_);
        return error();
    }

  private:
    bool read_file() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            if (json_.key() != "links" ? !json_.unknown_key()
                                       : !json_.once(seen, 0) || !read_list([&] { return read_link(); }))
                return false;
        }
        if (!json_.ok()) return false;
        return seen != 0 ? json_.finish() : json_.fail_at(ErrorCode::text_missing, start);
    }

    bool read_link() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        MeshLink link;
        WrittenId id{.index = static_cast<std::uint32_t>(links_.size())};
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            const unsigned which = key_index(json_.key(), kLinkKeys);
            if (which == std::size(kLinkKeys)) {
                if (!json_.unknown_key()) return false;
                continue;
            }
            if (!json_.once(seen, which) || !read_member(which, link)) return false;
            if (which == 0) id.place = json_.place();
        }
        if (!json_.ok()) return false;
        if ((seen & 7U) != 7U) return json_.fail_at(ErrorCode::text_missing, start);
        id.id = link.id;
        return append(links_, link) && append(ids_, id);
    }

    bool read_member(unsigned which, MeshLink& link) {
        switch (which) {
            case 0: return whole(link.id, UINT32_MAX);
            case 1: return place(link.from);
            case 2: return place(link.to);
            case 3: return json_.read_number(link.extent, 0.0, kMeshSpan);
            case 4: return json_.read(link.one_way);
            case 5: return whole(link.kind, kLinkKindsMax - 1);
            case 6: return json_.read_number(link.cost, 0.0, kLinkCostMax);
            case 7: return whole(link.tag, UINT32_MAX);
            case 8: return json_.read_number(link.heading_rad, -kLinkHeadingMax, kLinkHeadingMax);
            case 9: return json_.read_number(link.reach, 0.0, kMeshSpan);
            default: return json_.read_number(link.radius_max, 0.0, kNumberMax);
        }
    }

    template <class T>
    bool whole(T& out, std::uint32_t high) {
        std::int64_t value = 0;
        if (!json_.read_integer(value, 0, high)) return false;
        out = static_cast<T>(value);
        return true;
    }

    bool place(Vec3& out) {
        double* const parts[] = {&out.x, &out.y, &out.z};
        return read_tuple(json_, parts, -2.0 * kMeshSpan, 2.0 * kMeshSpan);
    }

    std::vector<MeshLink> links_;
    std::vector<WrittenId> ids_;
};

void add_place(std::string& out, std::string_view key, const Vec3& at) {
    append_json_key(out, key);
    out += '[';
    append_number(out, at.x);
    out += ',';
    append_number(out, at.y);
    out += ',';
    append_number(out, at.z);
    out += ']';
}

template <class T>
void add_other_than(std::string& out, std::string_view key, T value, T plain) {
    if (value == plain) return;
    append_json_key(out, key);
    append_number(out, value);
}

void append_link(std::string& out, const MeshLink& link) {
    const MeshLink plain;
    out += '{';
    append_json_key(out, "id");
    append_number(out, std::int64_t{link.id});
    add_place(out, "from", link.from);
    add_place(out, "to", link.to);
    add_other_than(out, "extent", link.extent, plain.extent);
    if (link.one_way) {
        append_json_key(out, "one_way");
        out += "true";
    }
    add_other_than(out, "kind", std::int64_t{link.kind}, std::int64_t{plain.kind});
    add_other_than(out, "cost", link.cost, plain.cost);
    add_other_than(out, "heading", link.heading_rad, plain.heading_rad);
    add_other_than(out, "tag", std::int64_t{link.tag}, std::int64_t{plain.tag});
    add_other_than(out, "radius_max", link.radius_max, plain.radius_max);
    add_other_than(out, "reach", link.reach, plain.reach);
    out += '}';
}

}  // namespace

Result<std::vector<MeshLink>> load_links(std::string_view text, const Limits& limits) {
    return guarded(text, limits,
                   [&]() -> Result<std::vector<MeshLink>> { return LinkFileReader(text, limits).read(); });
}

std::string save_links(std::span<const MeshLink> links) {
    std::string out = "{\"links\":[";
    for (std::size_t i = 0; i < links.size(); ++i) {
        out += i == 0 ? "\n" : ",\n";
        append_link(out, links[i]);
    }
    out += "]}\n";
    return out;
}

}  // namespace fairlead::formats
