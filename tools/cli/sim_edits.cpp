#include "cli/sim_edits.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return fields;
        line = line.substr(comma + 1);
    }
}

/// Calls `take(where, fields)` for every line that is not empty; a first line that begins with t_s is a header.
template <class Take>
void each_line(const std::string& path, std::size_t count, Take take) {
    if (path.empty()) return;
    const std::string text = read_file(path);
    std::string_view rest = text;
    for (std::int64_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (line.empty() || line.starts_with("t_s")) continue;
        const std::string where = fmt::format("{}:{}", path, number);
        const std::vector<std::string_view> fields = fields_of(line);
        if (fields.size() != count)
            fail_at(where, fmt::format("{} fields are needed, here are {}", count, fields.size()));
        take(where, number, fields);
    }
}

template <class Line>
void sort_by_time(std::vector<Line>& lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.at < b.at; });
}

}  // namespace

std::int64_t to_whole(const std::string& where, std::string_view text, double low, double high) {
    const double number = to_number(where, text);
    if (!(number >= low && number <= high) ||
        number != static_cast<double>(static_cast<std::int64_t>(number))) {
        fail_at(where, fmt::format("\"{}\" is not a whole number from {} to {}", text, low, high));
    }
    return static_cast<std::int64_t>(number);
}

std::vector<EditLine> edit_lines(const std::string& path, std::size_t count) {
    std::vector<EditLine> lines;
    each_line(
        path, count,
        [&](const std::string& where, std::int64_t number, const std::vector<std::string_view>& fields) {
            lines.push_back({where, number, {fields.begin(), fields.end()}});
        });
    return lines;
}

TileEdits::TileEdits(const std::string& path, Grid& grid) : grid_(grid) {
    each_line(path, 6,
              [&](const std::string& where, std::int64_t, const std::vector<std::string_view>& fields) {
                  Line line;
                  line.at = to_number(where, fields[0]);
                  std::int32_t corners[4];
                  for (std::size_t i = 0; i < 4; ++i) {
                      corners[i] = static_cast<std::int32_t>(to_whole(where, fields[i + 1], 0.0, 16384.0));
                  }
                  line.rect = {{corners[0], corners[1]}, {corners[2], corners[3]}};
                  if (line.rect.empty() || line.rect.high.x > grid.state().width() ||
                      line.rect.high.y > grid.state().height()) {
                      fail_at(where, "not a rectangle of cells inside the map");
                  }
                  line.tile = static_cast<std::uint8_t>(to_whole(where, fields[5], 0.0, 255.0));
                  lines_.push_back(line);
              });
    sort_by_time(lines_);
}

bool TileEdits::apply_until(double now) {
    bool changed = false;
    for (; next_ < lines_.size() && lines_[next_].at <= now; ++next_) {
        if (const Result<void> done = grid_.fill(lines_[next_].rect, lines_[next_].tile); !done) {
            fail(query_error_text(done.error()));
        }
        changed = true;
    }
    return changed;
}

std::vector<BoxLine> box_lines(const std::string& path) {
    std::vector<BoxLine> lines;
    each_line(
        path, 9,
        [&](const std::string& where, std::int64_t number, const std::vector<std::string_view>& fields) {
            BoxLine line;
            line.line = number;
            line.at = to_number(where, fields[0]);
            if (fields[1] != "add" && fields[1] != "remove") fail_at(where, "neither add nor remove");
            line.add = fields[1] == "add";
            line.id = to_whole(where, fields[2], -1e15, 1e15);
            line.low = {to_number(where, fields[3]), to_number(where, fields[4]),
                        to_number(where, fields[5])};
            line.high = {to_number(where, fields[6]), to_number(where, fields[7]),
                         to_number(where, fields[8])};
            if (!(line.low.x <= line.high.x && line.low.y <= line.high.y && line.low.z <= line.high.z)) {
                fail_at(where, "the box's corners are not in order");
            }
            lines.push_back(line);
        });
    sort_by_time(lines);
    return lines;
}

MeshEdits::MeshEdits(const std::string& path, NavMesh& mesh)
    : mesh_(mesh), path_(path), lines_(box_lines(path)) {}

bool MeshEdits::apply_until(double now) {
    bool changed = false;
    for (; next_ < lines_.size() && lines_[next_].at <= now; ++next_) {
        const BoxLine& line = lines_[next_];
        const MeshEdit edit =
            line.add ? MeshEdit::add(line.id, MeshObstacle::box(ground((line.low + line.high) * 0.5),
                                                                ground((line.high - line.low) * 0.5), 0.0,
                                                                line.low.z, line.high.z))
                     : MeshEdit::remove(line.id);
        if (const Result<void> done = mesh_.apply({&edit, 1}); !done) {
            fail_at(fmt::format("{}:{}", path_, line.line), query_error_text(done.error()));
        }
        changed = true;
    }
    return changed;
}

}  // namespace fairlead::cli
