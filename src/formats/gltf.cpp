// Triangles of a glTF file: its nodes walked, its accessors read.

#include "formats/gltf.h"

#include <cmath>
#include <cstring>
#include <utility>

#include <fairlead/base/bytes.h>

#include "formats/soup.h"

namespace fairlead::formats {

namespace {

constexpr std::uint32_t kGlbJson = 0x4e4f534a;
constexpr std::uint32_t kGlbBinary = 0x004e4942;

GltfMatrix product(const GltfMatrix& a, const GltfMatrix& b) {
    GltfMatrix out{};
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            double sum = 0;
            for (std::size_t i = 0; i < 4; ++i) sum += a[4 * i + row] * b[4 * column + i];
            out[4 * column + row] = sum;
        }
    }
    return out;
}

Vec3 transformed(const GltfMatrix& m, Vec3 p) {
    return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
            m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

bool mirrors(const GltfMatrix& m) {
    return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) +
               m[8] * (m[1] * m[6] - m[5] * m[2]) <
           0;
}

Error error_at(ErrorCode code, JsonReader::Place place) { return {code, place.line, place.column}; }

class SoupMaker {
  public:
    SoupMaker(const GltfFile& file, const TriangleFileOptions& options, Budget& budget)
        : file_(file), options_(options), budget_(budget) {}

    Result<TriangleFile> make() {
        if (walk()) return std::move(soup_);
        return error_;
    }

  private:
    struct Visit {
        std::int64_t node = 0;
        GltfMatrix matrix{};
        JsonReader::Place from{};
    };

    bool fail(ErrorCode code, JsonReader::Place place) {
        error_ = error_at(code, place);
        return false;
    }
    bool spend() {
        error_ = budget_.spent();
        return false;
    }
    bool charge(bool had) { return had || spend(); }

    bool push(std::vector<Visit>& stack, std::int64_t node, const GltfMatrix& matrix,
              JsonReader::Place from) {
        if (node < 0 || static_cast<std::uint64_t>(node) >= file_.nodes.size())
            return fail(ErrorCode::text_reference, from);
        return charge(budget_.append(stack, Visit{node, matrix, from}));
    }

    bool push_roots(std::vector<Visit>& stack) {
        const GltfMatrix& unit = GltfNode{}.matrix;
        if (file_.scenes.empty()) {
            std::vector<bool> child(file_.nodes.size());
            for (const std::int64_t node : file_.children) {
                if (static_cast<std::uint64_t>(node) < child.size())
                    child[static_cast<std::size_t>(node)] = true;
            }
            for (std::size_t i = file_.nodes.size(); i-- > 0;) {
                if (!child[i] && !push(stack, static_cast<std::int64_t>(i), unit, file_.nodes[i].place))
                    return false;
            }
            return true;
        }
        const std::int64_t scene = file_.scene == kGltfNone ? 0 : file_.scene;
        if (static_cast<std::uint64_t>(scene) >= file_.scenes.size())
            return fail(ErrorCode::text_reference, file_.scene_place);
        const GltfMesh& range = file_.scenes[static_cast<std::size_t>(scene)];
        for (std::uint32_t i = range.count; i-- > 0;) {
            if (!push(stack, file_.scene_nodes[range.first + i], unit, file_.scene_place)) return false;
        }
        return true;
    }

    // Depth first, children in their order.
    bool walk() {
        if (!budget_.take(file_.nodes.size() / 4 + 64)) return spend();
        std::vector<bool> seen(file_.nodes.size());
        std::vector<Visit> stack;
        if (!push_roots(stack)) return false;
        while (!stack.empty()) {
            const Visit visit = stack.back();
            stack.pop_back();
            const auto number = static_cast<std::size_t>(visit.node);
            const GltfNode& node = file_.nodes[number];
            if (seen[number]) return fail(ErrorCode::text_reference, node.place);
            seen[number] = true;
            const GltfMatrix matrix = product(visit.matrix, node.matrix);
            if (node.mesh != kGltfNone && !add_mesh(node, matrix)) return false;
            for (std::uint32_t i = node.children; i-- > 0;) {
                if (!push(stack, file_.children[node.first_child + i], matrix, node.place)) return false;
            }
        }
        return true;
    }

    bool add_mesh(const GltfNode& node, const GltfMatrix& matrix) {
        if (static_cast<std::uint64_t>(node.mesh) >= file_.meshes.size())
            return fail(ErrorCode::text_reference, node.place);
        const GltfMesh& mesh = file_.meshes[static_cast<std::size_t>(node.mesh)];
        for (std::uint32_t i = 0; i < mesh.count; ++i) {
            if (!add_primitive(file_.primitives[mesh.first + i], matrix)) return false;
        }
        return true;
    }

    // Where the elements of an accessor lie.
    struct Elements {
        std::string_view bytes;
        std::size_t stride = 0, count = 0;
        std::int64_t component = 0;

        [[nodiscard]] std::uint32_t word(std::size_t at, std::size_t bytes_wanted) const {
            std::uint32_t value = 0;
            for (std::size_t i = 0; i < bytes_wanted; ++i)
                value |= std::uint32_t{static_cast<std::uint8_t>(bytes[at + i])} << (8 * i);
            return value;
        }
        [[nodiscard]] double number(std::size_t at) const {
            const std::uint32_t bits = word(at, 4);
            float value = 0;
            std::memcpy(&value, &bits, sizeof value);
            return static_cast<double>(value);
        }
    };

    bool open(std::int64_t which, char type, JsonReader::Place from, Elements& out) {
        if (which < 0 || static_cast<std::uint64_t>(which) >= file_.accessors.size())
            return fail(ErrorCode::text_reference, from);
        const GltfAccessor& accessor = file_.accessors[static_cast<std::size_t>(which)];
        const bool index = type == 'S';
        const std::uint64_t width = accessor.component == 5121 ? 1 : accessor.component == 5123 ? 2 : 4;
        const bool known = index ? width < 4 || accessor.component == 5125 : accessor.component == 5126;
        if (accessor.sparse || accessor.type != type || !known)
            return fail(ErrorCode::text_type, accessor.place);
        if (accessor.view < 0 || static_cast<std::uint64_t>(accessor.view) >= file_.views.size())
            return fail(ErrorCode::text_reference, accessor.place);
        const GltfView& view = file_.views[static_cast<std::size_t>(accessor.view)];
        if (view.buffer < 0 || static_cast<std::uint64_t>(view.buffer) >= file_.buffers.size())
            return fail(ErrorCode::text_reference, view.place);
        const std::string_view buffer = file_.buffers[static_cast<std::size_t>(view.buffer)].bytes;
        if (view.offset > buffer.size() || view.length > buffer.size() - view.offset)
            return fail(ErrorCode::text_reference, view.place);
        const std::uint64_t element = index ? width : 12;
        const std::uint64_t stride = view.stride == 0 ? element : view.stride;
        if (stride < element || stride > 65535) return fail(ErrorCode::text_value, view.place);
        const std::uint64_t needed = accessor.count == 0 ? 0 : (accessor.count - 1) * stride + element;
        if (accessor.offset > view.length || needed > view.length - accessor.offset)
            return fail(ErrorCode::text_reference, accessor.place);
        out.bytes = buffer.substr(static_cast<std::size_t>(view.offset + accessor.offset),
                                  static_cast<std::size_t>(needed));
        out.stride = static_cast<std::size_t>(stride);
        out.count = static_cast<std::size_t>(accessor.count);
        out.component = accessor.component;
        return true;
    }

    bool add_primitive(const GltfPrimitive& primitive, const GltfMatrix& matrix) {
        if (primitive.mode < 4 || primitive.position == kGltfNone) return true;  // points and lines; nothing
        Elements positions;
        if (!open(primitive.position, '3', primitive.place, positions)) return false;
        const auto first = static_cast<std::uint32_t>(soup_.vertices.size());
        if (soup_.vertices.size() + positions.count > INT32_MAX) return spend();
        for (std::size_t i = 0; i < positions.count; ++i) {
            const std::size_t at = i * positions.stride;
            const Vec3 p = transformed(
                matrix, {positions.number(at), positions.number(at + 4), positions.number(at + 8)});
            for (const double value : {p.x, p.y, p.z}) {
                if (!(std::fabs(value) <= kNumberMax)) return fail(ErrorCode::text_value, primitive.place);
            }
            if (!budget_.append(soup_.vertices, to_z_up(p, options_.up))) return spend();
        }
        std::uint8_t area = 0;
        if (primitive.material != kGltfNone) {
            if (static_cast<std::uint64_t>(primitive.material) >= file_.material_areas.size())
                return fail(ErrorCode::text_reference, primitive.place);
            area = file_.material_areas[static_cast<std::size_t>(primitive.material)];
        }
        return add_triangles(primitive, positions.count, first, area, mirrors(matrix));
    }

    bool add_triangles(const GltfPrimitive& primitive, std::size_t vertices, std::uint32_t first,
                       std::uint8_t area, bool mirrored) {
        Elements indices;
        const bool listed = primitive.indices != kGltfNone;
        if (listed && !open(primitive.indices, 'S', primitive.place, indices)) return false;
        const std::size_t count = listed ? indices.count : vertices;
        const std::size_t width = indices.component == 5121 ? 1 : indices.component == 5123 ? 2 : 4;
        const auto corner = [&](std::size_t i, std::uint32_t& out) {
            out = listed ? indices.word(i * indices.stride, width) : static_cast<std::uint32_t>(i);
            if (out >= vertices) return fail(ErrorCode::text_reference, primitive.place);
            out += first;
            return true;
        };
        const std::size_t triangles = primitive.mode == 4 ? count / 3 : count < 3 ? 0 : count - 2;
        for (std::size_t t = 0; t < triangles; ++t) {
            std::size_t at[3] = {3 * t, 3 * t + 1, 3 * t + 2};
            if (primitive.mode == 5) {  // each second one of a strip runs the other way
                at[0] = t + t % 2;
                at[1] = t + 1 - t % 2;
                at[2] = t + 2;
            } else if (primitive.mode == 6) {
                at[0] = 0;
                at[1] = t + 1;
                at[2] = t + 2;
            }
            if (mirrored) std::swap(at[1], at[2]);
            std::uint32_t corners[3] = {};
            for (int i = 0; i < 3; ++i) {
                if (!corner(at[i], corners[i])) return false;
            }
            if (!budget_.take(1)) return spend();  // work that leaves nothing has its price too
            if (!add_triangle(soup_, budget_, corners[0], corners[1], corners[2], area)) return spend();
        }
        return true;
    }

    const GltfFile& file_;
    const TriangleFileOptions& options_;
    Budget& budget_;
    TriangleFile soup_;
    Error error_{};
};

Error part_error(std::size_t at) { return {ErrorCode::file_packed, -1, static_cast<std::int64_t>(at)}; }

// The parts of a .glb.
Result<void> open_glb(std::string_view bytes, std::string_view& json, std::string_view& binary) {
    const auto word = [&](std::size_t at) {
        return ByteReader({reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, 4}).get<std::uint32_t>();
    };
    if (bytes.size() < 20) return part_error(bytes.size());
    if (word(4) != 2) return part_error(4);
    if (word(8) != bytes.size()) return part_error(8);
    std::size_t at = 12;
    bool first = true;
    while (at < bytes.size()) {
        if (bytes.size() - at < 8) return part_error(at);
        const std::size_t size = word(at);
        const std::uint32_t type = word(at + 4);
        if (size > bytes.size() - at - 8) return part_error(at);
        const std::string_view part = bytes.substr(at + 8, size);
        if (first && type != kGlbJson) return part_error(at + 4);
        if (first) json = part;
        if (!first && type == kGlbBinary && binary.empty()) binary = part;
        first = false;
        at += 8 + size;
    }
    return {};
}

}  // namespace

Result<TriangleFile> load_gltf(std::string_view bytes, const TriangleFileOptions& options,
                               const Limits& limits) {
    return guarded(bytes, limits, [&]() -> Result<TriangleFile> {
        Budget budget(limits);
        std::string_view json = bytes, binary;
        if (bytes.substr(0, 4) == "glTF") {
            if (Result<void> done = open_glb(bytes, json, binary); !done) return done.error();
        }
        GltfFile file;
        if (Result<void> done = read_gltf(json, binary, options, budget, file); !done) return done.error();
        return SoupMaker(file, options, budget).make();
    });
}

}  // namespace fairlead::formats
