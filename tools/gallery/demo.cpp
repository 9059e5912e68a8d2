#include "gallery/demo.h"

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fairlead/formats/file.h>

#include "gallery/figure.h"
#include "gallery/page.h"

namespace fairlead::gallery {
namespace {

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    const Result<void> saved = formats::save_file(path.string(), bytes);
    if (!saved) throw DemoError{formats::error_line(path.string(), saved.error())};
}

[[nodiscard]] Shown draw_figure(const Figure& figure, const std::filesystem::path& out,
                                const DemoOptions& options) {
    Canvas canvas{figure.title, figure.caption, scene_directory(options.scenes), options.pixels_per_point,
                  options.y_up};
    try {
        figure.draw(canvas);
    } catch (const DemoError& error) {
        throw DemoError{std::string{figure.id} + ": " + error.text};
    }
    write_file(out / (std::string{figure.id} + ".svg"), canvas.svg());
    write_file(out / (std::string{figure.id} + ".png"), canvas.png());
    return {figure, canvas.size(), canvas.rows()};
}

/// The live page into the gallery; false: there is none.
[[nodiscard]] bool copy_page(const std::filesystem::path& out, const std::string& given) {
    const std::string from = page_file(given);
    if (from.empty()) return false;
    const Result<std::string> page = formats::load_file(from);
    if (!page) throw DemoError{formats::error_line(from, page.error())};
    write_file(out / "figure_1.html", *page);
    return true;
}

void draw_all(const DemoOptions& options) {
    const std::filesystem::path out{options.out};
    std::error_code failed;
    std::filesystem::create_directories(out, failed);
    if (failed) throw DemoError{options.out + ": " + failed.message()};

    std::vector<Shown> shown;
    for (const Figure& figure : all_figures()) {
        if (std::string_view{figure.id}.find(options.only) == std::string_view::npos) continue;
        shown.push_back(draw_figure(figure, out, options));
        if (!options.quiet) std::printf("%-24s %s\n", figure.id, figure.title);
    }
    if (shown.empty()) throw DemoError{"no figure whose id contains \"" + options.only + "\""};
    write_file(out / "index.html", make_page(shown, copy_page(out, options.page)));
    write_file(out / "summary.csv", make_csv(shown));
    if (!options.quiet) std::printf("%zu figures: %s\n", shown.size(), (out / "index.html").string().c_str());
}

}  // namespace

int run_demo(const DemoOptions& options) {
    try {
        draw_all(options);
        return 0;
    } catch (const DemoError& error) {
        std::fprintf(stderr, "fairlead demo: %s\n", error.text.c_str());
        return 2;
    }
}

}  // namespace fairlead::gallery
