#include "gallery/page.h"

#include "gallery/techniques.h"

namespace fairlead::gallery {
namespace {

constexpr const char* kStyle = R"css(
:root { --paper: #ffffff; --ground: #f4f5f7; --ink: #1f2733; --faint: #5d6877; --line: #dfe3e8; --accent: #0b62b3; --chip: #e9f1f9; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1b2028; --ground: #12151a; --ink: #e7ebf0; --faint: #9aa6b4; --line: #2d343f; --accent: #79b8f3; --chip: #1f3347; }
  figure a { background: #ffffff; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
header, main, footer { max-width: 1320px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 40px; padding-bottom: 8px; }
h1 { margin: 0 0 6px; font-size: 30px; letter-spacing: -0.01em; }
header p { margin: 0; max-width: 62ch; color: var(--faint); }
nav { display: flex; flex-wrap: wrap; gap: 6px 16px; margin: 18px 0 0; padding: 12px 0;
  border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); font-size: 14px; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 560px), 1fr));
  gap: 24px; padding: 24px 0; align-items: start; }
figure { margin: 0; background: var(--paper); border: 1px solid var(--line); border-radius: 10px;
  overflow: hidden; scroll-margin-top: 12px; }
figure a.picture { display: block; border-bottom: 1px solid var(--line); }
figure img { display: block; width: 100%; height: auto; }
figcaption { padding: 14px 18px 16px; }
h2 { margin: 0 0 4px; font-size: 18px; }
figcaption p { margin: 0; color: var(--faint); font-size: 14.5px; }
.meta { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 10px; font-size: 12.5px; align-items: center; color: var(--faint); }
.chip { background: var(--chip); color: var(--accent); border-radius: 99px; padding: 1px 9px; }
.scroll { overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 12px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--faint); font-weight: 600; }
td.number, th.number { text-align: right; }
td.bad { color: #c2183f; font-weight: 600; }
tbody tr:last-child td { border-bottom: 0; }
h3 { font-size: 20px; margin: 16px 0 10px; }
footer { padding-top: 16px; padding-bottom: 40px; color: var(--faint); font-size: 13.5px; }
)css";

[[nodiscard]] std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

[[nodiscard]] std::string chips(std::string_view techniques) {
    std::string out;
    while (!techniques.empty()) {
        const std::size_t blank = techniques.find(' ');
        const std::string_view id = techniques.substr(0, blank);
        const std::string name = escaped(technique_name(id));
        if (!id.empty()) out += "<span class=\"chip\" title=\"" + name + "\">" + escaped(id) + "</span>";
        techniques = blank == std::string_view::npos ? std::string_view{} : techniques.substr(blank + 1);
    }
    return out;
}

[[nodiscard]] std::string card(const Shown& shown) {
    const std::string id = escaped(shown.figure.id);
    const std::string title = escaped(shown.figure.title);
    std::string out = "<figure id=\"" + id + "\">\n<a class=\"picture\" href=\"" + id + ".svg\"><img src=\"" +
                      id + ".svg\" width=\"" + number_text(shown.size.x, 0) + "\" height=\"" +
                      number_text(shown.size.y, 0) + "\" loading=\"lazy\" alt=\"" + title +
                      "\"></a>\n<figcaption><h2>" + title + "</h2><p>" + escaped(shown.figure.caption) +
                      "</p>\n<div class=\"meta\">" + chips(shown.figure.techniques) + "<a href=\"" + id +
                      ".png\">PNG</a><a href=\"" + id + ".svg\">SVG</a></div></figcaption>\n</figure>\n";
    return out;
}

[[nodiscard]] std::string live_card(bool live) {
    const std::string text = live ? "<a href=\"figure_1.html\">Open it</a>: drag the blockers and the ends "
                                    "of the way, and see all four stages "
                                    "follow. The library runs in the page."
                                  : "The page on which its blockers and ends are dragged is not here: it "
                                    "takes Emscripten to make it. "
                                    "<code>./run page</code> does.";
    return "<figure id=\"live\">\n<figcaption><h2>Figure 1, live</h2><p>" + text +
           "</p></figcaption>\n</figure>\n";
}

/// The cells of a row behind the figure's name.
struct Cells {
    std::string label, planner, status, length, cost, bound, expanded, generated, legal, note;
};

[[nodiscard]] Cells cells_of(const Row& row, int decimals) {
    const auto number = [&](const std::optional<double>& value) {
        return value ? number_text(*value, decimals) : "";
    };
    const auto count = [](const std::optional<std::uint64_t>& value) {
        return value ? std::to_string(*value) : "";
    };
    return {row.label,
            row.planner,
            row.status,
            number(row.length),
            number(row.cost),
            row.bound ? number_text(*row.bound, 3) : "",
            count(row.expanded),
            count(row.generated),
            !row.legal   ? ""
            : *row.legal ? "yes"
                         : "no",
            row.note};
}

[[nodiscard]] std::string table(const std::vector<Shown>& figures) {
    std::string body;
    for (const Shown& shown : figures) {
        for (const Row& row : shown.rows) {
            const Cells cells = cells_of(row, 3);
            const auto text = [&](const std::string& value) { body += "<td>" + escaped(value) + "</td>"; };
            const auto number = [&](const std::string& value) {
                body += "<td class=\"number\">" + escaped(value) + "</td>";
            };
            body += "<tr><td><a href=\"#" + escaped(shown.figure.id) + "\">" + escaped(shown.figure.title) +
                    "</a></td>";
            text(cells.label);
            text(cells.planner);
            text(cells.status);
            number(cells.length);
            number(cells.cost);
            number(cells.bound);
            number(cells.expanded);
            number(cells.generated);
            body += cells.legal == "no" ? "<td class=\"bad\">no</td>" : "<td>" + cells.legal + "</td>";
            text(cells.note);
            body += "</tr>\n";
        }
    }
    if (body.empty()) return "";
    return "<h3 id=\"summary\">Summary</h3>\n<div "
           "class=\"scroll\"><table>\n<thead><tr><th>Figure</th><th>Case</th>"
           "<th>Planner</th><th>Status</th><th class=\"number\">Length</th><th class=\"number\">Cost</th>"
           "<th class=\"number\">Bound</th><th class=\"number\">Expanded</th><th "
           "class=\"number\">Generated</th>"
           "<th>Legal</th><th>Note</th></tr></thead>\n<tbody>\n" +
           body + "</tbody>\n</table></div>\n";
}

[[nodiscard]] std::string csv_cell(const std::string& value) {
    if (value.find_first_of(",\"\n") == std::string::npos) return value;
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

}  // namespace

std::string make_page(const std::vector<Shown>& figures, bool live) {
    std::string links = "<a href=\"#live\">Figure 1, live</a>\n";
    std::string cards = live_card(live);
    for (const Shown& shown : figures) {
        links += "<a href=\"#" + escaped(shown.figure.id) + "\">" + escaped(shown.figure.title) + "</a>\n";
        cards += card(shown);
    }
    const std::string summary = table(figures);
    if (!summary.empty()) links += "<a href=\"#summary\">Summary</a>\n";
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<title>fairlead: the "
           "gallery</title>\n<style>" +
           std::string{kStyle} +
           "</style>\n</head>\n<body>\n<header>\n<h1>fairlead</h1>\n<p>One picture a technique. Every route "
           "below was "
           "planned when this page was made, on the maps in <code>scenes/</code>; y grows up. The small "
           "labels name the "
           "technique: point at one, or see docs/gallery.md.</p>\n<nav>\n" +
           links + "</nav>\n</header>\n<main>\n<div class=\"gallery\">\n" + cards + "</div>\n" + summary +
           "</main>\n<footer>Made by <code>fairlead demo</code>. The numbers are also in <a "
           "href=\"summary.csv\">summary.csv</a>.</footer>\n</body>\n</html>\n";
}

std::string make_csv(const std::vector<Shown>& figures) {
    std::string out = "figure,case,planner,status,length,cost,bound,expanded,generated,legal,note\n";
    for (const Shown& shown : figures) {
        for (const Row& row : shown.rows) {
            const Cells c = cells_of(row, 9);
            out += csv_cell(shown.figure.id);
            for (const std::string* cell : {&c.label, &c.planner, &c.status, &c.length, &c.cost, &c.bound,
                                            &c.expanded, &c.generated, &c.legal, &c.note}) {
                out += ',' + csv_cell(*cell);
            }
            out += '\n';
        }
    }
    return out;
}

}  // namespace fairlead::gallery
