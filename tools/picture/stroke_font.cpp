#include "picture/stroke_font.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fairlead::picture {
namespace {

// The em is 28 units; capitals stand 20 high, small letters 14, tails hang to -6. A glyph is a program for a
// pen:
//   M x y   lift and go         L x y   line to             D x y   dot
//   v x y   quarter of an ellipse that leaves vertically and arrives horizontally
//   h x y   the same, leaving horizontally and arriving vertically
//   C ...   cubic curve (two control points, end)
struct Glyph {
    std::uint32_t code;
    double advance;
    const char* strokes;
};

constexpr double kEm = 28.0;

constexpr Glyph kGlyphs[] = {
    {' ', 7.6, ""},
    {'!', 7.8, "M 3.9 20 L 3.9 6.4 D 3.9 .5"},
    {'"', 10, "M 3 20 L 3 14 M 7 20 L 7 14"},
    {'#', 17.6, "M 7 20 L 4 0 M 13.6 20 L 10.6 0 M 2 13.4 L 16 13.4 M 1.4 6.6 L 15.4 6.6"},
    {'$', 15.6,
     "M 13 15.4 v 7.8 18.6 h 2.6 14.4 C 2.6 11.4 5 10.8 8 10 C 11.2 9.2 13.4 8 13.4 5.2 v 7.8 1.4 h 2 5 M "
     "7.8 22 L 7.8 -2"},
    {'%', 24, "M 2 15 v 6 20 h 10 15 v 6 10 h 2 15 M 14 5 v 18 10 h 22 5 v 18 0 h 14 5 M 17.6 20 L 6.4 0"},
    {'&', 19.6,
     "M 18 0 L 6 13 C 4.6 14.4 4.2 15.2 4.2 16.4 v 8 20 h 11.8 16.4 C 11.8 13.8 9.6 12.6 7 11 C 4 9.2 2 7.6 "
     "2 5 v 7.6 0 C 12 0 15.4 4 16.2 9.4"},
    {'\'', 6, "M 3 20 L 3 14"},
    {'(', 9, "M 7 22 C 1.8 16 1.8 1.4 7 -5"},
    {')', 9, "M 2 22 C 7.2 16 7.2 1.4 2 -5"},
    {'*', 11.6, "M 5.8 20 L 5.8 12 M 2.3 18 L 9.3 14 M 9.3 18 L 2.3 14"},
    {'+', 16.4, "M 8.2 2.6 L 8.2 14 M 2.5 8.3 L 13.9 8.3"},
    {',', 7.4, "M 3.9 .8 L 2.9 -3.4"},
    {'-', 9.6, "M 2 7.6 L 7.6 7.6"},
    {'.', 7.4, "D 3.7 .5"},
    {'/', 8.8, "M 1 -2 L 7.8 21"},
    {'0', 15.6, "M 2.2 10 v 7.8 20 h 13.4 10 v 7.8 0 h 2.2 10"},
    {'1', 15.6, "M 3.2 15.8 L 8.8 20 L 8.8 0"},
    {'2', 15.6, "M 2.5 14.6 v 7.8 20 h 13 14.8 C 13 10 4.8 6.4 2.3 0 L 13.4 0"},
    {'3', 15.6,
     "M 2.6 15.8 v 7.6 20 h 12.7 15.3 v 7.4 10.7 L 5.8 10.7 M 7.4 10.7 h 13.3 5.4 v 7.6 0 h 2.2 4.6"},
    {'4', 15.6, "M 10.6 0 L 10.6 20 L 1.7 5.8 L 14 5.8"},
    {'5', 15.6, "M 12.4 20 L 4 20 L 3 10.4 C 4.2 11.8 5.8 12.7 7.8 12.7 h 13.4 6.4 v 7.6 0 h 2.2 4.4"},
    {'6', 15.6,
     "M 12.6 16.4 C 11.8 18.8 10.2 20 8.2 20 h 2.2 9.6 L 2.2 6.4 v 7.8 0 h 13.4 6.2 v 7.8 12.4 h 2.2 6.4"},
    {'7', 15.6, "M 2.2 20 L 13.4 20 C 9.4 14.8 6.6 8 6 0"},
    {'8', 15.6,
     "M 7.8 10.8 h 2.9 15.4 v 7.8 20 h 12.7 15.4 v 7.8 10.8 h 2.2 5.4 v 7.8 0 h 13.4 5.4 v 7.8 10.8"},
    {'9', 15.6,
     "M 3 3.6 C 3.8 1.2 5.4 0 7.4 0 h 13.4 10.4 L 13.4 13.6 v 7.8 20 h 2.2 13.8 v 7.8 7.6 h 13.4 13.6"},
    {':', 7.4, "D 3.7 12.6 D 3.7 .5"},
    {';', 7.4, "D 3.7 12.6 M 3.9 .8 L 2.9 -3.4"},
    {'<', 16.4, "M 13.6 14 L 2.8 8.3 L 13.6 2.6"},
    {'=', 16.4, "M 2.5 11 L 13.9 11 M 2.5 5.6 L 13.9 5.6"},
    {'>', 16.4, "M 2.8 14 L 13.6 8.3 L 2.8 2.6"},
    {'?', 14.6, "M 2.2 15 v 7.2 20 h 12.2 15.2 C 12.2 11 7.2 11 7.2 6.4 D 7.2 .5"},
    {'@', 27,
     "M 18 5.6 v 12.8 13 h 8 8.2 v 12 3.8 h 18 9 M 18.6 12.6 L 17.8 6.4 C 17.6 4.4 18.4 3.6 19.8 3.6 C 22.6 "
     "3.6 24.8 6.4 24.8 10 v 14 19.6 h 2.6 8 v 13.6 -4 C 16 -4 18.6 -3.2 20.4 -2.2"},
    {'A', 18.4, "M 1.2 0 L 9.2 20 L 17.2 0 M 3.9 6.6 L 14.5 6.6"},
    {'B', 18.4,
     "M 2.9 0 L 2.9 20 L 9.8 20 h 15.2 15.3 v 9.8 10.6 L 2.9 10.6 M 9.8 10.6 h 16.3 5.3 v 9.8 0 L 2.9 0"},
    {'C', 19.8, "M 17.8 14 v 10.6 20 h 2.2 10 v 10.6 0 h 18 6.2"},
    {'D', 20.2, "M 2.9 0 L 2.9 20 L 8.8 20 h 18.1 10 v 8.8 0 L 2.9 0"},
    {'E', 18, "M 16 20 L 2.9 20 L 2.9 0 L 16.2 0 M 2.9 10.4 L 14.8 10.4"},
    {'F', 16.8, "M 15.6 20 L 2.9 20 L 2.9 0 M 2.9 10 L 14 10"},
    {'G', 21.2, "M 18 14.6 v 10.8 20 h 2.2 10 v 10.8 0 h 18.6 6.4 L 18.6 9.4 L 11.8 9.4"},
    {'H', 20.2, "M 2.9 20 L 2.9 0 M 17.3 20 L 17.3 0 M 2.9 10.4 L 17.3 10.4"},
    {'I', 6.8, "M 3.4 20 L 3.4 0"},
    {'J', 13.9, "M 11 20 L 11 5.4 v 6.2 0 h 1.5 5"},
    {'K', 18.4, "M 2.9 20 L 2.9 0 M 16.4 20 L 2.9 6.8 M 7.7 11.5 L 17 0"},
    {'L', 15.4, "M 2.9 20 L 2.9 0 L 14.6 0"},
    {'M', 23.2, "M 2.9 0 L 2.9 20 L 11.6 2.6 L 20.3 20 L 20.3 0"},
    {'N', 20.2, "M 2.9 0 L 2.9 20 L 17.3 0 L 17.3 20"},
    {'O', 21.8, "M 2.2 10 v 10.9 20 h 19.6 10 v 10.9 0 h 2.2 10"},
    {'P', 18, "M 2.9 0 L 2.9 20 L 10 20 h 16.2 14.7 v 10 9.4 L 2.9 9.4"},
    {'Q', 21.8, "M 2.2 10 v 10.9 20 h 19.6 10 v 10.9 0 h 2.2 10 M 13 5.2 L 19.4 -1.2"},
    {'R', 19, "M 2.9 0 L 2.9 20 L 10 20 h 16.4 15 v 10 10 L 2.9 10 M 9.8 10 L 16.8 0"},
    {'S', 18.2,
     "M 15.7 15.2 v 9.1 20 h 2.8 15.2 C 2.8 12 5.6 11.3 9.3 10.4 C 13.2 9.4 16.3 8.6 16.3 5.2 v 9.1 0 h 1.9 "
     "5.2"},
    {'T', 17, "M 1.2 20 L 15.8 20 M 8.5 20 L 8.5 0"},
    {'U', 20, "M 2.8 20 L 2.8 7.4 v 10 0 h 17.2 7.4 L 17.2 20"},
    {'V', 18, "M 1.2 20 L 9 0 L 16.8 20"},
    {'W', 26, "M 1.2 20 L 6.8 0 L 13 20 L 19.2 0 L 24.8 20"},
    {'X', 18.2, "M 1.8 20 L 16.4 0 M 16.4 20 L 1.8 0"},
    {'Y', 17.8, "M 1.2 20 L 8.9 9.6 L 16.6 20 M 8.9 9.6 L 8.9 0"},
    {'Z', 17.6, "M 1.8 20 L 15.6 20 L 1.6 0 L 16 0"},
    {'[', 8.4, "M 6.6 22 L 3 22 L 3 -5 L 6.6 -5"},
    {'\\', 8.8, "M 1 21 L 7.8 -2"},
    {']', 8.4, "M 1.8 22 L 5.4 22 L 5.4 -5 L 1.8 -5"},
    {'^', 14, "M 2.4 10 L 7 19 L 11.6 10"},
    {'_', 15.6, "M .4 -4 L 15.2 -4"},
    {'`', 9, "M 3 20.6 L 6 16.6"},
    {'a', 15, "M 2.8 10.8 v 7.4 14 h 12.4 9.4 L 12.4 0 M 12.4 8 L 6.8 8 h 2 4 v 6.4 0 h 12.4 5"},
    {'b', 15.8, "M 2.6 20.6 L 2.6 0 M 2.6 7 v 8.2 14 h 13.8 7 v 8.2 0 h 2.6 7"},
    {'c', 13.8, "M 12.5 10 v 7.6 14 h 2 7 v 7.6 0 h 12.5 4"},
    {'d', 15.8, "M 13.2 20.6 L 13.2 0 M 13.2 7 v 7.6 14 h 2 7 v 7.6 0 h 13.2 7"},
    {'e', 15.2, "M 2.1 7.3 L 13.3 7.3 v 7.7 14 h 2 7 v 7.9 0 h 13 3.6"},
    {'f', 8.6, "M 9.2 20.6 L 8.6 20.6 h 4.4 16.6 L 4.4 0 M 1 14 L 8.6 14"},
    {'g', 15.8, "M 13.2 14 L 13.2 -.6 v 7.6 -6 h 2.6 -2.8 M 13.2 7 v 7.6 14 h 2 7 v 7.6 0 h 13.2 7"},
    {'h', 15.4, "M 2.6 20.6 L 2.6 0 M 2.6 8 v 7.8 14 h 12.8 8.8 L 12.8 0"},
    {'i', 5.8, "M 2.9 14 L 2.9 0 D 2.9 19.4"},
    {'j', 6, "M 3.1 14 L 3.1 -2.4 v -.4 -6 L -1 -6 D 3.1 19.4"},
    {'k', 13.2, "M 2.6 20.6 L 2.6 0 M 11.6 14 L 2.6 5.4 M 6 8.7 L 12.1 0"},
    {'l', 5.8, "M 2.9 20.6 L 2.9 0"},
    {'m', 23,
     "M 2.6 14 L 2.6 0 M 2.6 8.4 v 7.2 14 h 11.5 9.2 L 11.5 0 M 11.5 8.4 v 16.2 14 h 20.4 9.2 L 20.4 0"},
    {'n', 15.4, "M 2.6 14 L 2.6 0 M 2.6 8 v 7.8 14 h 12.8 8.8 L 12.8 0"},
    {'o', 15.6, "M 2 7 v 7.8 14 h 13.6 7 v 7.8 0 h 2 7"},
    {'p', 15.8, "M 2.6 14 L 2.6 -6 M 2.6 7 v 8.2 14 h 13.8 7 v 8.2 0 h 2.6 7"},
    {'q', 15.8, "M 13.2 14 L 13.2 -6 M 13.2 7 v 7.6 14 h 2 7 v 7.6 0 h 13.2 7"},
    {'r', 9.4, "M 2.6 14 L 2.6 0 M 2.6 7.4 v 8.2 14 L 8.8 14"},
    {'s', 13.4,
     "M 11.2 10.8 v 6.7 14 h 2.1 10.6 C 2.1 8.2 4.2 7.8 6.8 7.1 C 9.4 6.4 11.6 6 11.6 3.7 v 6.8 0 h 1.8 3.3"},
    {'t', 9.2, "M 4.4 18.4 L 4.4 3.8 v 8 0 L 8.6 0 M 1 14 L 8.6 14"},
    {'u', 15.4, "M 2.6 14 L 2.6 5.2 v 7.6 0 h 12.8 6 M 12.8 14 L 12.8 0"},
    {'v', 13.4, "M 1.2 14 L 6.7 0 L 12.2 14"},
    {'w', 20, "M 1.2 14 L 5.3 0 L 10 14 L 14.7 0 L 18.8 14"},
    {'x', 13.6, "M 1.6 14 L 12 0 M 12 14 L 1.6 0"},
    {'y', 13.4, "M 1.2 14 L 6.8 .2 M 12.4 14 L 5.6 -3.4 C 4.8 -5.3 4 -6 2.4 -6 L 1.8 -6"},
    {'z', 13.6, "M 2 14 L 11.6 14 L 1.8 0 L 12 0"},
    {'{', 9.4, "M 7.6 22 C 3 22 5.6 9 2 8.5 C 5.6 8 3 -5 7.6 -5"},
    {'|', 7, "M 3.5 22 L 3.5 -5"},
    {'}', 9.4, "M 1.8 22 C 6.4 22 3.8 9 7.4 8.5 C 3.8 8 6.4 -5 1.8 -5"},
    {'~', 16.4, "M 2.4 7 C 4.6 10.6 6.6 9.6 8.2 8.4 C 9.8 7.2 11.8 6.2 14 9.8"},
    {0xB0, 11, "M 2 16.4 v 5.5 20 h 9 16.4 v 5.5 12.8 h 2 16.4"},                       // degree
    {0xB1, 16.4, "M 8.2 4.6 L 8.2 15 M 2.5 9.8 L 13.9 9.8 M 2.5 1 L 13.9 1"},           // plus minus
    {0xB2, 9.8, "M 2 17.4 v 4.8 20 h 7.8 17.4 C 7.8 14.8 3.4 13.6 2 10.8 L 8.2 10.8"},  // squared
    {0xB7, 7.4, "D 3.7 8"},                                                             // middle dot
    {0xD7, 16.4, "M 3.6 3.7 L 12.8 12.9 M 12.8 3.7 L 3.6 12.9"},                        // times
    {0x3B5, 13,
     "M 11.4 11.6 v 7 14 h 2.6 10.6 v 7 7.4 L 8.6 7.4 M 7 7.4 h 2 3.6 v 7 0 h 11.8 2.8"},  // epsilon
    {0x3B8, 14.8, "M 2.2 10 v 7.4 20 h 12.6 10 v 7.4 0 h 2.2 10 M 2.4 10 L 12.4 10"},      // theta
    {0x3C0, 16, "M 1.6 14 L 14.6 14 M 5 14 L 4.4 0 M 11 14 L 11 3.4 v 14.4 0"},            // pi
    {0x3C6, 16, "M 2 7 v 8 14 h 14 7 v 8 0 h 2 7 M 8 20 L 8 -6"},                          // phi
    {0x2013, 15.6, "M 1 7.6 L 14.6 7.6"},                                                  // en dash
    {0x2019, 6, "M 3.4 20 L 2.6 15.4"},                                                    // apostrophe
    {0x2026, 22, "D 3.7 .5 D 11 .5 D 18.3 .5"},                                            // ellipsis
    {0x2190, 24, "M 22 8.3 L 2.4 8.3 M 8 13.4 L 2.4 8.3 L 8 3.2"},                         // arrow left
    {0x2192, 24, "M 2 8.3 L 21.6 8.3 M 16 13.4 L 21.6 8.3 L 16 3.2"},                      // arrow right
    {0x221A, 17, "M 1.4 9.6 L 3.6 10.8 L 8 0 L 14 22 L 17.6 22"},                          // root
    {0x2248, 16.4,
     "M 2.4 9.6 C 4.6 13 6.6 12.2 8.2 11 C 9.8 9.8 11.8 9 14 12.4 M 2.4 4.2 C 4.6 7.6 6.6 6.8 8.2 5.6 C 9.8 "
     "4.4 11.8 3.6 14 7"},
    {0x2264, 16.4, "M 13.6 16 L 2.8 10.6 L 13.6 5.2 M 2.8 1 L 13.6 1"},  // at most
    {0x2265, 16.4, "M 2.8 16 L 13.6 10.6 L 2.8 5.2 M 2.8 1 L 13.6 1"},   // at least
};

/// Air between letters, more for the broader pen.
[[nodiscard]] constexpr double tracking(bool bold) { return bold ? 1.3 : 0.5; }

constexpr Glyph kMissing{0, 14, "M 2.4 0 L 2.4 18 L 11.6 18 L 11.6 0 L 2.4 0"};

[[nodiscard]] const Glyph& find_glyph(std::uint32_t code) {
    const auto* glyph = std::lower_bound(std::begin(kGlyphs), std::end(kGlyphs), code,
                                         [](const Glyph& g, std::uint32_t c) { return g.code < c; });
    return glyph != std::end(kGlyphs) && glyph->code == code ? *glyph : kMissing;
}

/// Reads one character and moves on; a malformed byte counts as one unknown character.
[[nodiscard]] std::uint32_t next_code(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (first < 0x80) return first;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
    if (more == 0 || text.size() < static_cast<std::size_t>(more)) return 0;
    std::uint32_t code = first & (0x3FU >> more);
    for (int i = 0; i < more; ++i) {
        const auto next = static_cast<unsigned char>(text.front());
        if ((next & 0xC0U) != 0x80U) return 0;
        code = code << 6 | (next & 0x3FU);
        text.remove_prefix(1);
    }
    return code;
}

class Pen {
  public:
    Pen(TextStrokes& out, double x, double scale) : out_(out), x_(x), scale_(scale) {}

    void run(const char* program) {
        while (*program != '\0') {
            const char command = *program++;
            if (command == ' ') continue;
            const int count = command == 'C' ? 3 : 1;
            std::array<Vec2, 3> p{};
            for (int i = 0; i < count; ++i) {
                p[static_cast<std::size_t>(i)].x = number(program);
                p[static_cast<std::size_t>(i)].y = number(program);
            }
            step(command, p);
        }
    }

  private:
    static constexpr double kQuarter = 0.5523;  // control points of a quarter of a circle

    [[nodiscard]] static double number(const char*& text) {
        while (*text == ' ') ++text;
        const bool negative = *text == '-';
        if (negative) ++text;
        double value = 0;
        double unit = 1;
        bool fraction = false;
        for (; (*text >= '0' && *text <= '9') || *text == '.'; ++text) {
            if (*text == '.') {
                fraction = true;
                continue;
            }
            value = value * 10 + (*text - '0');
            if (fraction) unit *= 10;
        }
        return (negative ? -value : value) / unit;
    }

    void step(char command, const std::array<Vec2, 3>& p) {
        const Vec2 from = at_;
        switch (command) {
            case 'M':
            case 'D': lift(p[0]); return;
            case 'L': line(p[0]); return;
            case 'C': curve(p[0], p[1], p[2]); return;
            case 'v':
                curve({from.x, from.y + (p[0].y - from.y) * kQuarter},
                      {p[0].x - (p[0].x - from.x) * kQuarter, p[0].y}, p[0]);
                return;
            case 'h':
                curve({from.x + (p[0].x - from.x) * kQuarter, from.y},
                      {p[0].x, p[0].y - (p[0].y - from.y) * kQuarter}, p[0]);
                return;
            default: return;
        }
    }
    void lift(Vec2 p) {
        at_ = p;
        out_.lines.emplace_back().push_back(place(p));
    }
    void line(Vec2 p) {
        at_ = p;
        out_.lines.back().push_back(place(p));
    }
    void curve(Vec2 b, Vec2 c, Vec2 d) {
        constexpr int kChords = 10;
        const Vec2 a = at_;
        for (int i = 1; i <= kChords; ++i) {
            const double t = static_cast<double>(i) / kChords;
            const double s = 1 - t;
            line(a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t));
        }
    }
    [[nodiscard]] Vec2 place(Vec2 p) const { return {x_ + p.x * scale_, p.y * scale_}; }

    TextStrokes& out_;
    double x_;
    double scale_;
    Vec2 at_{};
};

}  // namespace

TextStrokes text_strokes(std::string_view utf8, double size, bool bold) {
    const double scale = size / kEm;
    TextStrokes strokes;
    while (!utf8.empty()) {
        const Glyph& glyph = find_glyph(next_code(utf8));
        Pen{strokes, strokes.width, scale}.run(glyph.strokes);
        strokes.width += (glyph.advance + tracking(bold)) * scale;
    }
    return strokes;
}

double text_width(std::string_view utf8, double size, bool bold) {
    double width = 0;
    while (!utf8.empty()) width += find_glyph(next_code(utf8)).advance + tracking(bold);
    return width * size / kEm;
}

}  // namespace fairlead::picture
