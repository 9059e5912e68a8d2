// Faces and edges of blocks in the isometric picture. Triangles of one color in a column are one polygon, edges in a row one line; below
// the faces lies their union in one color, so that no paper shines through where two colors meet.
#include <fairlead/debug/block_view.h>

namespace fairlead::debug {
namespace {

constexpr Color kFloor = rgb(0xf1f3f6);
constexpr Color kFarWall = rgb(0xf8f9fb);

/// Light comes from above and from the left.
constexpr double kShade[3] = {0.20, 0.40, 0.0};

constexpr double kOutlineJump = 3.5;  ///< blocks, along the line of sight: one thing stands before another

std::int32_t floor_half(std::int32_t n) { return n >> 1; }
std::int32_t ceil_half(std::int32_t n) { return (n + 1) >> 1; }

/// A column of the lattice is one unit wide; its triangles alternate, those on its left side first. Corners on the left side are at
/// (i, i + column), on the right at (i, i + column + 1).
struct Column {
    std::int32_t number;

    [[nodiscard]] Vec3 left(std::int32_t i) const { return corner(i, i + number); }
    [[nodiscard]] Vec3 right(std::int32_t i) const { return corner(i, i + number + 1); }
    [[nodiscard]] static Vec3 corner(std::int32_t i, std::int32_t j) {
        constexpr double kCos30 = 0.86602540378443865;
        return {(j - i) * kCos30, -0.5 * (i + j), 0.0};
    }
};

}  // namespace

Color BlockView::shade(const Face& face) const {
    const Color base = blocks_->color(face.paint);
    return mix(base, palette::kInk, kShade[face.axis] * (face.paint >= BlockPaint::kHeat ? 0.6 : 1.0));
}

// Runs of triangles that look like `like`; or all where something is seen.
void BlockView::draw_runs(const Sink& sink, const Fill& fill, bool all, const Face& like) const {
    const auto fits = [&](std::int32_t column, std::int32_t n) {
        const std::int32_t i = n >> 1, half = (n & 1) == 0 ? 1 : 0;
        const Face& f = face(i, i + column + (n & 1), half);
        return f.axis >= 0 && (all || (f.axis == like.axis && f.paint == like.paint));
    };
    const std::int32_t low = -size_.z, width = size_.x + size_.z, height = size_.y + size_.z;
    for (std::int32_t c = -width; c < height; ++c) {
        const Column column{c};
        std::int32_t begin = 0;
        bool open = false;
        // n / 2 runs over i of the lattice; one more closes what is open.
        for (std::int32_t n = 2 * low; n <= 2 * size_.x + 1; ++n) {
            const bool in = fits(c, n);
            if (in && !open) begin = n;
            if (!in && open) {
                const std::int32_t a = begin, b = n - 1;
                const std::int32_t top[2] = {ceil_half(a), floor_half(a)},
                                   end[2] = {floor_half(b) + 1, ceil_half(b)};
                Vec3 corners[4];
                std::size_t count = 0;
                corners[count++] = column.left(top[0]);
                if (end[0] != top[0]) corners[count++] = column.left(end[0]);
                corners[count++] = column.right(end[1]);
                if (top[1] != end[1]) corners[count++] = column.right(top[1]);
                draw_polygon(sink, {corners, count}, fill);
            }
            open = in;
        }
    }
}

void BlockView::draw_faces(const Sink& sink) const {
    const Group group{sink, "faces"};
    bool seen[3][256] = {};
    for (const Face& f : faces_) {
        if (f.axis >= 0) seen[f.axis][f.paint] = true;
    }
    draw_runs(sink, {mix(palette::kStone, palette::kInk, 0.25)}, true, {});
    for (int paint = 0; paint < 256; ++paint) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!seen[axis][paint]) continue;
            const Face like{0, static_cast<std::int8_t>(axis), static_cast<std::uint8_t>(paint), 0};
            draw_runs(sink, {shade(like)}, false, like);
        }
    }
}

/// Lines between triangles, in runs of one direction.
struct BlockView::Edges {
    const BlockView& view;
    const Sink& sink;

    enum class Look : std::uint8_t { none, fine, crease, outline };

    // How far a face is at a point of the picture, along z.
    static double depth(const Face& f, double i, double j) {
        return f.axis == 2 ? f.plane : f.axis == 0 ? f.plane - i : f.plane - j;
    }
    static Look between(const Face& a, const Face& b, double i, double j) {
        if (a.axis < 0 && b.axis < 0) return Look::none;
        if (a.axis < 0 || b.axis < 0) return Look::outline;
        const double away = depth(a, i, j) - depth(b, i, j);
        if (away > kOutlineJump || away < -kOutlineJump) return Look::outline;
        if (a.axis != b.axis || away > 0.01 || away < -0.01) return Look::crease;
        return a.number != b.number || a.paint != b.paint ? Look::fine : Look::none;
    }
    // Direction 0: along the diagonal of square (i, j); 1: its side below in j; 2: that below in i.
    [[nodiscard]] Look look(int direction, std::int32_t i, std::int32_t j) const {
        const double x = i, y = j;
        if (direction == 0) return between(view.face(i, j, 0), view.face(i, j, 1), x + 0.5, y + 0.5);
        if (direction == 1) return between(view.face(i, j, 0), view.face(i, j - 1, 1), x + 0.5, y);
        return between(view.face(i, j, 1), view.face(i - 1, j, 0), x, y + 0.5);
    }

    void draw(Look wanted, const Stroke& stroke) const {
        const std::int32_t low = -view.size_.z, i_end = view.size_.x, j_end = view.size_.y;
        for (int direction = 0; direction < 3; ++direction) {
            const std::int32_t di = direction != 2 ? 1 : 0, dj = direction != 1 ? 1 : 0;
            for (std::int32_t j = low; j <= j_end; ++j) {
                for (std::int32_t i = low; i <= i_end; ++i) {
                    if (look(direction, i, j) != wanted) continue;
                    if (look(direction, i - di, j - dj) == wanted) continue;  // told with its first
                    std::int32_t n = 1;
                    while (look(direction, i + n * di, j + n * dj) == wanted) ++n;
                    debug::draw_line(sink, Column::corner(i, j), Column::corner(i + n * di, j + n * dj),
                                     stroke);
                }
            }
        }
    }
};

void BlockView::draw_edges(const Sink& sink) const {
    const Group group{sink, "edges"};
    const Edges edges{*this, sink};
    edges.draw(Edges::Look::fine, {.color = palette::kInk, .width = 0.4, .opacity = 0.25});
    edges.draw(Edges::Look::crease, {.color = palette::kInk, .width = 0.5, .opacity = 0.35});
    edges.draw(Edges::Look::outline, {.color = palette::kInk, .width = 0.9, .opacity = 0.8});
}

void BlockView::draw_frame(const Sink& sink) const {
    const Group group{sink, "frame"};
    const double x = size_.x, y = size_.y, z = size_.z;
    const Vec3 sides[3][4] = {{{0, 0, 0}, {x, 0, 0}, {x, y, 0}, {0, y, 0}},
                              {{0, 0, 0}, {x, 0, 0}, {x, 0, z}, {0, 0, z}},
                              {{0, 0, 0}, {0, y, 0}, {0, y, z}, {0, 0, z}}};
    for (int k = 0; k < 3; ++k) {
        Vec3 corners[4];
        for (int i = 0; i < 4; ++i) corners[i] = at_height(flat(sides[k][i]));
        draw_polygon(sink, corners, {k == 0 ? kFloor : kFarWall});
    }
    for (const auto& side : sides) {
        Vec3 corners[4];
        for (int i = 0; i < 4; ++i) corners[i] = at_height(flat(side[i]));
        draw_outline(sink, corners, {.color = palette::kFaint, .width = 0.7, .opacity = 0.6});
    }
}

void BlockView::draw(const Sink& sink) const {
    const Group group{sink, "blocks"};
    if (options_.frame) draw_frame(sink);
    draw_faces(sink);
    if (options_.edges) draw_edges(sink);
}

}  // namespace fairlead::debug
