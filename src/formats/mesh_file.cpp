#include <fairlead/formats/mesh_file.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/budget.h"
#include "formats/field_reader.h"
#include "formats/mesh_sides.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::int64_t kMeshCountMax = INT32_MAX;

/// Reads twice: first vertices and corners, then, when all sides are known, what the file says about neighbours.
class PolyanyaReader {
  public:
    PolyanyaReader(std::string_view text, const Limits& limits) : lines_(text), budget_(limits) {}

    Result<MeshFile> read() {
        if (read_head() && read_vertices() && read_polygons() && check()) return std::move(mesh_);
        return error_;
    }

  private:
    bool fail(const Error& error) {
        error_ = error;
        return false;
    }
    bool good(const WordReader& words) { return words.ok() || fail(words.error()); }
    bool next(LineReader& lines) { return lines.next_filled() || fail(lines.error(ErrorCode::text_end)); }

    bool read_head() {
        if (!next(lines_)) return false;
        WordReader name(lines_);
        name.keyword("mesh");
        name.end();
        if (!good(name) || !next(lines_)) return false;
        WordReader version(lines_);
        (void)version.integer(2, 2);
        version.end();
        if (!good(version) || !next(lines_)) return false;
        WordReader counts(lines_);
        vertices_ = static_cast<std::uint32_t>(counts.integer(0, kMeshCountMax));
        polygons_ = static_cast<std::uint32_t>(counts.integer(0, kMeshCountMax));
        counts.end();
        head_ = lines_;
        return good(counts);
    }

    bool read_vertices() {
        for (std::uint32_t v = 0; v < vertices_; ++v) {
            if (!next(lines_)) return false;
            WordReader words(lines_);
            Vec3 at;
            at.x = words.number(-kMeshSpan, kMeshSpan);
            at.y = words.number(-kMeshSpan, kMeshSpan);
            if (!good(words)) return false;
            if (!budget_.append(mesh_.vertices, at)) return fail(budget_.spent());
        }
        return true;
    }

    // A number of a vertex or polygon.
    static std::int64_t reference(WordReader& words, std::int64_t low, std::uint32_t count) {
        const std::int64_t value = words.integer(INT64_MIN, INT64_MAX);
        if (value < low || value >= count) words.fail(ErrorCode::text_reference);
        return words.ok() ? value : -1;
    }

    bool read_polygons() {
        std::vector<std::uint32_t> last;  // the polygon that had each vertex last, plus 1
        if (!budget_.reserve(last, vertices_)) return fail(budget_.spent());
        last.resize(vertices_, 0);
        for (std::uint32_t p = 0; p < polygons_; ++p) {
            if (!next(lines_)) return false;
            WordReader words(lines_);
            const std::int64_t size = words.integer(3, kMeshCountMax);
            for (std::int64_t i = 0; i < size && words.ok(); ++i) {
                const std::int64_t vertex = reference(words, 0, vertices_);
                if (!words.ok()) break;
                if (std::exchange(last[static_cast<std::size_t>(vertex)], p + 1) == p + 1)
                    words.fail(ErrorCode::text_duplicate);
                if (!budget_.append(mesh_.polygon_corners, static_cast<std::uint32_t>(vertex)))
                    return fail(budget_.spent());
            }
            if (!good(words)) return false;
            if (!budget_.append(mesh_.polygon_sizes, static_cast<std::uint32_t>(size)))
                return fail(budget_.spent());
        }
        if (lines_.next_filled()) return fail(lines_.error(ErrorCode::text_extra));
        return true;
    }

    bool check() {
        if (!budget_.take(MeshSides::bytes(mesh_))) return fail(budget_.spent());
        const MeshSides sides(mesh_);
        return check_vertices(head_) && check_polygons(sides);
    }

    // The lists of the vertices against the polygons that have them. Leaves head_ behind the last vertex.
    bool check_vertices(LineReader& lines) {
        std::vector<std::uint32_t> first;  // of each vertex' polygons in `around`
        std::vector<std::uint32_t> around;
        if (!budget_.reserve(first, std::uint64_t{vertices_} + 1) ||
            !budget_.reserve(around, mesh_.polygon_corners.size()))
            return fail(budget_.spent());
        first.resize(std::size_t{vertices_} + 1, 0);
        around.resize(mesh_.polygon_corners.size());
        for (const std::uint32_t v : mesh_.polygon_corners) ++first[v];
        std::uint32_t sum = 0;
        for (std::uint32_t& place : first) place = sum += std::exchange(place, 0);
        std::size_t corner = mesh_.polygon_corners.size();
        for (auto p = static_cast<std::uint32_t>(mesh_.polygon_sizes.size()); p-- > 0;) {
            for (std::uint32_t i = 0; i < mesh_.polygon_sizes[p]; ++i)
                around[--first[mesh_.polygon_corners[--corner]]] = p;
        }
        for (std::uint32_t v = 0; v < vertices_; ++v) {
            if (!next(lines)) return false;
            const auto own = around.begin() + first[v];
            if (!check_vertex(lines, own, around.begin() + first[v + 1])) return false;
        }
        return true;
    }

    using Around = std::vector<std::uint32_t>::iterator;

    // [from, to): the polygons of this vertex, in order. Those found are marked by adding kFound.
    bool check_vertex(const LineReader& lines, Around from, Around to) {
        constexpr std::uint32_t kFound = 0x80000000U;
        WordReader words(lines);
        (void)words.number(-kMeshSpan, kMeshSpan);
        (void)words.number(-kMeshSpan, kMeshSpan);
        const std::int64_t size = words.integer(0, kMeshCountMax);
        std::int64_t found = 0;
        for (std::int64_t i = 0; i < size && words.ok(); ++i) {
            const std::int64_t listed = reference(words, -1, polygons_);
            if (listed < 0) continue;
            const auto number = static_cast<std::uint32_t>(listed);
            const auto at = std::lower_bound(
                from, to, number, [](std::uint32_t a, std::uint32_t b) { return (a & ~kFound) < b; });
            if (at == to || (*at & ~kFound) != number) {
                words.fail(ErrorCode::text_value);
            } else if ((*at & kFound) != 0) {
                words.fail(ErrorCode::text_duplicate);
            } else {
                *at |= kFound;
                ++found;
            }
        }
        if (words.ok() && found != to - from) words.fail(ErrorCode::text_value);
        words.end();
        return good(words);
    }

    bool check_polygons(const MeshSides& sides) {
        std::uint32_t first = 0;
        for (std::uint32_t p = 0; p < polygons_; ++p) {
            if (!next(head_)) return false;
            WordReader words(head_);
            const std::uint32_t size = mesh_.polygon_sizes[p];
            (void)words.integer(0, INT64_MAX);
            for (std::uint32_t i = 0; i < size; ++i) {
                (void)words.word();
                const std::uint32_t from = mesh_.polygon_corners[first + i];
                const std::uint32_t to = mesh_.polygon_corners[first + (i + 1 < size ? i + 1 : 0)];
                if (sides.find(from, to)->polygon != p) words.fail(ErrorCode::text_duplicate);
            }
            for (std::uint32_t i = 0; i < size; ++i) {
                const std::int64_t listed = reference(words, -1, polygons_);
                const std::uint32_t from = mesh_.polygon_corners[first + (i > 0 ? i : size) - 1];
                const std::uint32_t across = sides.polygon(mesh_.polygon_corners[first + i], from);
                if (words.ok() && listed != (across == MeshSides::kNone ? -1 : std::int64_t{across}))
                    words.fail(ErrorCode::text_value);
            }
            words.end();
            if (!good(words)) return false;
            first += size;
        }
        return true;
    }

    LineReader lines_;
    LineReader head_{{}};  // behind the counts
    Budget budget_;
    std::uint32_t vertices_ = 0;
    std::uint32_t polygons_ = 0;
    MeshFile mesh_;
    Error error_{};
};

bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-4 + 1e-6 * std::fabs(b); }

Result<void> read_heights(std::string_view text, const MeshFile& mesh, std::vector<double>& heights) {
    LineReader lines(text);
    while (lines.next_filled()) {
        if (lines.number() == 1 && lines.line()[0] == '#') continue;
        if (heights.size() == mesh.vertices.size()) return lines.error(ErrorCode::text_extra);
        const Vec3 vertex = mesh.vertices[heights.size()];
        FieldReader fields(lines);
        for (const double expected : {vertex.x, vertex.y}) {
            const double value = fields.number();
            if (fields.ok() && !is_near(value, expected)) fields.fail(ErrorCode::text_value);
        }
        const double height = fields.number();
        if (fields.ok() && !(std::fabs(height) <= kMeshSpan)) fields.fail(ErrorCode::text_value);
        fields.end();
        if (!fields.ok()) return fields.error();
        heights.push_back(height);
    }
    if (heights.size() < mesh.vertices.size()) return lines.error(ErrorCode::text_end);
    return {};
}

}  // namespace

NavMeshTile MeshFile::tile() const {
    return {.vertices = vertices,
            .polygon_sizes = polygon_sizes,
            .polygon_corners = polygon_corners,
            .areas = areas};
}

Result<MeshFile> load_polyanya_mesh(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<MeshFile> { return PolyanyaReader(text, limits).read(); });
}

Result<void> load_heights(std::string_view text, MeshFile& mesh, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<void> {
        Budget budget(limits);
        std::vector<double> heights;
        if (!budget.reserve(heights, mesh.vertices.size())) return budget.spent();
        const Result<void> done = read_heights(text, mesh, heights);
        if (!done) return done;
        for (std::size_t i = 0; i < heights.size(); ++i) mesh.vertices[i].z = heights[i];
        return {};
    });
}

}  // namespace fairlead::formats
