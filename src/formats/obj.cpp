#include <algorithm>
#include <utility>

#include <fairlead/formats/number.h>

#include "formats/soup.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

class ObjReader {
  public:
    ObjReader(std::string_view text, const TriangleFileOptions& options, const Limits& limits)
        : lines_(text), options_(options), budget_(limits) {}

    Result<TriangleFile> read() {
        while (lines_.next_filled()) {
            WordReader words(lines_);
            if (!read_line(words)) return budget_.spent();
            if (!words.ok()) return words.error();
        }
        return std::move(soup_);
    }

  private:
    // A line that goes on is read as far as its break; only faces are ever that long.
    [[nodiscard]] bool goes_on() const {
        const std::string_view line = without_tail(lines_.line());
        return !line.empty() && line.back() == '\\';
    }

    // False: no memory left.
    bool read_line(WordReader& words) {
        const std::string_view kind = words.word();
        if (kind == "v") return read_vertex(words);
        if (kind == "f") return read_face(words);
        if (kind == "g" || kind == "o") {
            group_ = read_name();
        } else if (kind == "usemtl") {
            material_ = read_name();
        } else {
            while (goes_on() && lines_.next()) {
            }
        }
        return true;
    }

    std::uint8_t read_name() {
        const std::string_view line = without_tail(lines_.line());
        const std::size_t from = line.find_first_of(" \t", line.find_first_not_of(" \t"));
        if (from == std::string_view::npos) return 0;
        const std::size_t name = line.find_first_not_of(" \t", from);
        return area_of_name(options_, line.substr(name));
    }

    bool read_vertex(WordReader& words) {
        Vec3 at;
        at.x = words.number(-kNumberMax, kNumberMax);
        at.y = words.number(-kNumberMax, kNumberMax);
        at.z = words.number(-kNumberMax, kNumberMax);
        if (soup_.vertices.size() == INT32_MAX) words.fail(ErrorCode::text_extra);
        return !words.ok() || budget_.append(soup_.vertices, to_z_up(at, options_.up));
    }

    bool read_face(WordReader& words) {
        std::uint32_t first = 0, last = 0, count = 0;
        WordReader* reader = &words;
        std::optional<WordReader> more;
        for (;;) {
            const std::string_view word = next_corner(*reader);
            if (word == "\\") {
                if (!lines_.next()) break;
                more.emplace(lines_);
                reader = &*more;
                continue;
            }
            if (word.empty()) break;
            const std::uint32_t corner = read_corner(*reader, word);
            if (!reader->ok()) break;
            if (count >= 2 &&
                !add_triangle(soup_, budget_, first, last, corner, group_ != 0 ? group_ : material_))
                return false;
            if (count == 0) first = corner;
            last = corner;
            ++count;
        }
        if (reader->ok() && count < 3) (void)reader->word(), reader->fail(ErrorCode::text_end);
        if (reader != &words && !reader->ok()) words = *reader;
        return true;
    }

    // Empty at the end of the line, where a word would be an error.
    static std::string_view next_corner(WordReader& words) {
        WordReader ahead = words;
        ahead.end();
        if (ahead.ok()) return {};
        return words.word();
    }

    std::uint32_t read_corner(WordReader& words, std::string_view word) {
        const std::optional<std::int64_t> number = parse_integer(word.substr(0, word.find('/')));
        if (!number) {
            words.fail(ErrorCode::text_number);
            return 0;
        }
        const auto count = static_cast<std::int64_t>(soup_.vertices.size());
        if (*number == 0) words.fail(ErrorCode::text_value);
        if (*number > count || *number < -count) words.fail(ErrorCode::text_reference);
        if (!words.ok()) return 0;
        return static_cast<std::uint32_t>(*number > 0 ? *number - 1 : count + *number);
    }

    LineReader lines_;
    const TriangleFileOptions& options_;
    Budget budget_;
    TriangleFile soup_;
    std::uint8_t group_ = 0;
    std::uint8_t material_ = 0;
};

}  // namespace

Result<TriangleFile> load_obj(std::string_view text, const TriangleFileOptions& options,
                              const Limits& limits) {
    return guarded(text, limits,
                   [&]() -> Result<TriangleFile> { return ObjReader(text, options, limits).read(); });
}

std::string save_obj(const TriangleFile& soup, const TriangleFileOptions& options) {
    std::string out;
    for (const Vec3& p : soup.vertices) {
        const Vec3 at = options.up == UpAxis::y ? Vec3{p.x, p.z, 0.0 - p.y} : p;
        out += 'v';
        for (const double value : {at.x, at.y, at.z}) {
            out += ' ';
            append_number(out, value);
        }
        out += '\n';
    }
    std::uint8_t area = 0;
    for (std::size_t t = 0; 3 * t + 2 < soup.triangles.size(); ++t) {
        const std::uint8_t own = soup.areas.empty() ? std::uint8_t{0} : soup.areas[t];
        if (own != area)
            out += own > 0 && own <= options.area_names.size() ? "g " + options.area_names[own - 1U] + '\n'
                                                               : "g\n";
        area = own;
        out += 'f';
        for (std::size_t i = 0; i < 3; ++i) {
            out += ' ';
            append_number(out, std::uint64_t{soup.triangles[3 * t + i]} + 1);
        }
        out += '\n';
    }
    return out;
}

}  // namespace fairlead::formats
