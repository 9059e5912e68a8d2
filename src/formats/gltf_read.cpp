// The JSON part of glTF 2.0 (Khronos 2017). Keys that do not matter for triangles are passed over.

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/gltf.h"
#include "formats/json_values.h"
#include "formats/soup.h"

namespace fairlead::formats {

namespace {

constexpr std::int64_t kIndexMax = UINT32_MAX;
constexpr std::int64_t kGltfSizeMax = std::int64_t{1} << 53;
constexpr std::size_t kUriMax = 4096;  // of one that names a file

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Empty if it is none.
std::optional<std::string> unpack_base64(std::string_view text) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    std::string out;
    out.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const int digit = base64_digit(c);
        if (digit < 0) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>(bits >> count & 0xff);
    }
    return out;
}

class GltfReader {
  public:
    GltfReader(std::string_view text, std::string_view binary, const TriangleFileOptions& options,
               Budget& budget, GltfFile& file)
        : json_(text), size_(text.size()), binary_(binary), options_(options), budget_(budget), file_(file) {}

    Result<void> read() {
        if (read_all()) return {};
        return other_ ? *other_ : json_.error();
    }

  private:
    bool fail(const Error& error) {
        other_ = error;
        return false;
    }

    template <class T>
    bool append(std::vector<T>& list, T value) {
        return budget_.append(list, std::move(value)) || fail(budget_.spent());
    }

    template <class Element>
    bool list(Element element) {
        if (!json_.open_array()) return false;
        while (json_.next_item()) {
            if (!element()) return false;
        }
        return json_.ok();
    }

    // Members of an object by key; those that nobody wants are skipped.
    template <class Member>
    bool object(Member member, JsonReader::Place* place = nullptr) {
        if (!json_.open_object()) return false;
        if (place != nullptr) *place = json_.place();
        while (json_.next_key()) {
            if (!member(json_.key())) return false;
        }
        return json_.ok();
    }

    bool index(std::int64_t& out) { return json_.read_integer(out, 0, kIndexMax); }
    bool size(std::uint64_t& out) {
        std::int64_t value = 0;
        if (!json_.read_integer(value, 0, kGltfSizeMax)) return false;
        out = static_cast<std::uint64_t>(value);
        return true;
    }

    bool read_all() {
        const bool done = object([&](std::string_view key) {
            if (key == "buffers") return list([&] { return read_buffer(); });
            if (key == "bufferViews") return list([&] { return read_view(); });
            if (key == "accessors") return list([&] { return read_accessor(); });
            if (key == "materials") return list([&] { return read_material(); });
            if (key == "meshes") return list([&] { return read_mesh(); });
            if (key == "nodes") return list([&] { return read_node(); });
            if (key == "scenes") return list([&] { return read_scene(); });
            if (key == "extensionsRequired") return list([&] { return refuse(ErrorCode::text_keyword); });
            if (key == "scene") {
                const bool read = index(file_.scene);
                file_.scene_place = json_.place();
                return read;
            }
            return json_.skip();
        });
        return done && json_.finish();
    }

    bool refuse(ErrorCode code) { return json_.fail_next(code); }

    bool read_buffer() {
        GltfBuffer buffer;
        bool uri = false;
        const bool done = object(
            [&](std::string_view key) {
                if (key == "byteLength") return size(buffer.length);
                if (key != "uri") return json_.skip();
                uri = true;
                return read_uri(buffer.data);
            },
            &buffer.place);
        if (!done) return false;
        if (!uri && !file_.buffers.empty()) return json_.fail_at(ErrorCode::text_missing, buffer.place);
        const std::string_view all = uri ? std::string_view(buffer.data) : binary_;
        if (buffer.length > all.size()) return json_.fail_at(ErrorCode::text_reference, buffer.place);
        return append(file_.buffers, std::move(buffer));
    }

    bool read_uri(std::string& out) {
        if (!budget_.take(std::uint64_t{3} * size_)) return fail(budget_.spent());
        std::string uri;
        const bool read = json_.read(uri, size_);
        const JsonReader::Place place = json_.place();
        if (!read) return false;
        bool good = true;
        if (uri.rfind("data:", 0) == 0) {
            const std::size_t comma = uri.find(";base64,");
            std::optional<std::string> data;
            if (comma != std::string::npos) {
                if (!budget_.take(uri.size())) return fail(budget_.spent());
                data = unpack_base64(std::string_view(uri).substr(comma + 8));
            }
            good = data.has_value();
            if (good) out = std::move(*data);
        } else if (options_.load_beside != nullptr && uri.size() <= kUriMax) {
            Result<std::string> loaded = options_.load_beside(uri, options_.user);
            good = loaded.has_value();
            if (good && !budget_.take(loaded->size())) return fail(budget_.spent());
            if (good) out = std::move(*loaded);
        } else {
            good = false;
        }
        budget_.give_back(std::uint64_t{3} * size_);
        return good || json_.fail_at(ErrorCode::text_reference, place);
    }

    bool read_view() {
        GltfView view;
        const bool done = object(
            [&](std::string_view key) {
                if (key == "buffer") return index(view.buffer);
                if (key == "byteOffset") return size(view.offset);
                if (key == "byteLength") return size(view.length);
                if (key == "byteStride") return size(view.stride);
                return json_.skip();
            },
            &view.place);
        return done && append(file_.views, view);
    }

    bool read_accessor() {
        GltfAccessor accessor;
        const bool done = object(
            [&](std::string_view key) {
                if (key == "bufferView") return index(accessor.view);
                if (key == "byteOffset") return size(accessor.offset);
                if (key == "componentType") return index(accessor.component);
                if (key == "count") {
                    std::int64_t count = 0;
                    const bool read = index(count);
                    accessor.count = static_cast<std::uint64_t>(count);
                    return read;
                }
                if (key == "type") {
                    std::string type;
                    const bool read = json_.read(type, kWordMax);
                    accessor.type = type == "SCALAR" ? 'S' : type == "VEC3" ? '3' : '?';
                    return read;
                }
                if (key == "sparse") accessor.sparse = true;
                return json_.skip();
            },
            &accessor.place);
        return done && append(file_.accessors, accessor);
    }

    bool read_material() {
        std::string name;
        const bool done = object(
            [&](std::string_view key) { return key == "name" ? json_.read(name, kTitleMax) : json_.skip(); });
        return done && append(file_.material_areas, area_of_name(options_, name));
    }

    bool read_mesh() {
        GltfMesh mesh{static_cast<std::uint32_t>(file_.primitives.size()), 0};
        const bool done = object([&](std::string_view key) {
            if (key != "primitives") return json_.skip();
            return list([&] { return read_primitive(); });
        });
        mesh.count = static_cast<std::uint32_t>(file_.primitives.size()) - mesh.first;
        return done && append(file_.meshes, mesh);
    }

    bool read_primitive() {
        GltfPrimitive primitive;
        const bool done = object(
            [&](std::string_view key) {
                if (key == "indices") return index(primitive.indices);
                if (key == "material") return index(primitive.material);
                if (key == "mode") return json_.read_integer(primitive.mode, 0, 6);
                if (key != "attributes") return json_.skip();
                return object([&](std::string_view attribute) {
                    return attribute == "POSITION" ? index(primitive.position) : json_.skip();
                });
            },
            &primitive.place);
        return done && append(file_.primitives, primitive);
    }

    template <std::size_t kCount>
    bool numbers(std::array<double, kCount>& out) {
        std::size_t count = 0;
        const bool done = list([&] {
            if (count == kCount) return refuse(ErrorCode::text_extra);
            return json_.read_number(out[count++], -kNumberMax, kNumberMax);
        });
        if (!done) return false;
        return count == kCount || json_.fail(ErrorCode::text_missing);
    }

    bool read_node() {
        GltfNode node;
        std::array<double, 3> move{0, 0, 0}, scale{1, 1, 1};
        std::array<double, 4> turn{0, 0, 0, 1};
        bool whole = false;
        node.first_child = static_cast<std::uint32_t>(file_.children.size());
        const bool done = object(
            [&](std::string_view key) {
                if (key == "mesh") return index(node.mesh);
                if (key == "translation") return numbers(move);
                if (key == "rotation") return numbers(turn);
                if (key == "scale") return numbers(scale);
                if (key == "matrix") {
                    whole = true;
                    return numbers(node.matrix);
                }
                return key == "children" ? read_indices(file_.children) : json_.skip();
            },
            &node.place);
        node.children = static_cast<std::uint32_t>(file_.children.size()) - node.first_child;
        if (done && !whole) node.matrix = placed(move, turn, scale);
        return done && append(file_.nodes, node);
    }

    static GltfMatrix placed(const std::array<double, 3>& move, const std::array<double, 4>& turn,
                             const std::array<double, 3>& scale) {
        const auto [x, y, z, w] = turn;
        return {scale[0] * (1 - 2 * (y * y + z * z)),
                scale[0] * 2 * (x * y + z * w),
                scale[0] * 2 * (x * z - y * w),
                0,
                scale[1] * 2 * (x * y - z * w),
                scale[1] * (1 - 2 * (x * x + z * z)),
                scale[1] * 2 * (y * z + x * w),
                0,
                scale[2] * 2 * (x * z + y * w),
                scale[2] * 2 * (y * z - x * w),
                scale[2] * (1 - 2 * (x * x + y * y)),
                0,
                move[0],
                move[1],
                move[2],
                1};
    }

    bool read_indices(std::vector<std::int64_t>& out) {
        return list([&] {
            std::int64_t value = 0;
            return index(value) && append(out, value);
        });
    }

    bool read_scene() {
        GltfMesh scene{static_cast<std::uint32_t>(file_.scene_nodes.size()), 0};
        const bool done = object([&](std::string_view key) {
            return key == "nodes" ? read_indices(file_.scene_nodes) : json_.skip();
        });
        scene.count = static_cast<std::uint32_t>(file_.scene_nodes.size()) - scene.first;
        return done && append(file_.scenes, scene);
    }

    JsonReader json_;
    std::size_t size_;
    std::string_view binary_;
    const TriangleFileOptions& options_;
    Budget& budget_;
    GltfFile& file_;
    std::optional<Error> other_;
};

}  // namespace

Result<void> read_gltf(std::string_view json, std::string_view binary, const TriangleFileOptions& options,
                       Budget& budget, GltfFile& file) {
    Result<void> done = GltfReader(json, binary, options, budget, file).read();
    for (GltfBuffer& buffer : file.buffers) {
        const std::string_view all = buffer.data.empty() ? binary : std::string_view(buffer.data);
        buffer.bytes =
            all.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(buffer.length, all.size())));
    }
    return done;
}

}  // namespace fairlead::formats
