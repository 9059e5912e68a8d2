// A volume as a picture.

#include "cli/volume_picture.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <fairlead/debug/block_view.h>
#include <fairlead/debug/obj.h>
#include <fairlead/debug/svg.h>

#include "cli/failure.h"
#include "cli/text.h"
#include "picture/raster.h"

namespace fairlead::cli {

namespace {

constexpr std::int32_t kSideMost =
    160;                           ///< blocks along the longest side of a picture, unless --block says so
constexpr std::int32_t kCube = 8;  ///< voxels along the side of a cube of --show counts

template <class T>
T need(const char* what, Result<T> result) {
    if (!result) fail_at(what, error_text(result.error()).c_str());
    return std::move(*result);
}

debug::Blocks painted(const VolumePicture& picture) {
    const LookFlags& look = picture.look;
    debug::Blocks blocks =
        need("--block", debug::Blocks::make(picture.volume, {.side = look.block(picture.volume)}));
    const VoxelBox shown = look.shown(picture.volume);
    if (look.draws_solid()) debug::paint_solid(blocks, picture.volume, shown);
    if (picture.route == nullptr) return blocks;
    if (look.show() == "path" || picture.trace == nullptr) {
        debug::paint_path(blocks, *picture.route);
    } else if (look.show() == "counts") {
        debug::paint_counts(blocks, picture.trace->events(), std::max(kCube, blocks.side()),
                            {.shown = shown});
    } else {
        debug::paint_searched(blocks, picture.trace->events(), {.shown = shown});
    }
    return blocks;
}

/// The page, and what is drawn on it.
struct Page {
    debug::Blocks blocks;
    debug::BlockView view;
    std::string title;

    explicit Page(const VolumePicture& picture)
        : blocks(painted(picture)),
          view(need("--block", debug::BlockView::make(blocks, {.quarter = picture.look.quarter()}))) {
        if (picture.why != nullptr)
            title = picture.why->text().c_str();
        else if (picture.route != nullptr)
            title =
                fmt::format("{}, {}: length {:.2f}, {} nodes opened", status_name(picture.route->status),
                            picture.route->planner, picture.route->line_cost, picture.route->stats.expanded);
    }
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    [[nodiscard]] debug::SvgOptions options() const {
        debug::SvgOptions page{.bounds = view.bounds(), .y_up = true};
        const double wide = page.bounds.high.x - page.bounds.low.x;
        page.width = std::clamp(16.0 + 8.0 * wide, 500.0, 1200.0);
        page.title = title.c_str();
        return page;
    }
    void draw(const VolumePicture& picture, const debug::Sink& sink) const {
        view.draw(sink);
        if (picture.route != nullptr) view.draw(*picture.route, sink);
        if (picture.why != nullptr && picture.why->has_place)
            view.draw_dot(picture.why->place.position, 6.0, debug::palette::kWarning, sink);
    }
};

std::string to_text(const Result<std::span<const char>>& text) {
    if (!text) fail(error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

}  // namespace

void LookFlags::keep(CLI::Option* option) { options_.push_back(option->group("Picture of a volume")); }

void LookFlags::add(CLI::App& app, bool query) {
    if (query)
        keep(app.add_option("--show", show_,
                            "searched: what the search opened, light to dark (default); path: the way alone; "
                            "counts: how many nodes "
                            "were opened in each cube of 8 voxels"));
    keep(app.add_option("--solid", solid_,
                        "Which solid voxels are drawn: all, none, or those in X0,Y0,Z0,X1,Y1,Z1"));
    keep(app.add_option("--quarter", quarter_, "Turns the world by quarters, counter-clockwise from above")
             ->check(CLI::Range(0, 3)));
    keep(app.add_option(
                "--block", block_,
                "Voxels along the side of a drawn block; else the least power of 2 with at most 160 blocks "
                "along each side")
             ->check(CLI::Range(1, 1 << 17)));
}

void LookFlags::refuse(const char* where) const {
    for (const CLI::Option* option : options_) {
        if (option->count() > 0) fail(fmt::format("{}: {}", option->get_name(), where));
    }
}

VoxelBox LookFlags::shown(const VolumeState& volume) const {
    if (show_ != "searched" && show_ != "path" && show_ != "counts")
        fail_word("--show", show_, "searched, path, counts");
    if (solid_ == "all" || solid_ == "none") return {};
    const std::vector<std::optional<double>> numbers = to_numbers("--solid", solid_);
    if (numbers.size() != 6 || std::any_of(numbers.begin(), numbers.end(), [](const auto& n) { return !n; }))
        fail_at("--solid", "all, none or six numbers: X0,Y0,Z0,X1,Y1,Z1");
    const Vec3 origin = volume.origin(), side = volume.voxel_size();
    const auto at = [](double p, double low, double step) {
        return static_cast<std::int32_t>(
            std::clamp(std::floor((p - low) / step + 0.5), -1.0, 1.0 * kVolumeSideMax));
    };
    const VoxelBox box{{at(*numbers[0], origin.x, side.x), at(*numbers[1], origin.y, side.y),
                        at(*numbers[2], origin.z, side.z)},
                       {at(*numbers[3], origin.x, side.x), at(*numbers[4], origin.y, side.y),
                        at(*numbers[5], origin.z, side.z)}};
    if (box.empty()) fail_at("--solid", "the box holds no voxel");
    return box;
}

std::int32_t LookFlags::block(const VolumeState& volume) const {
    if (block_ > 0) return block_;
    const Voxel size = volume.size();
    std::int32_t side = 1;
    while (std::max({size.x, size.y, size.z}) > kSideMost * side) side *= 2;
    return side;
}

std::string make_svg(const VolumePicture& picture) {
    const Page page(picture);
    debug::SvgWriter svg(page.options());
    page.draw(picture, svg.sink());
    return to_text(svg.finish());
}

std::string make_png(const VolumePicture& picture) {
    const Page page(picture);
    picture::RasterWriter raster(page.options());
    page.draw(picture, raster.sink());
    return picture::encode_png(raster.image());
}

std::string make_obj(const VolumePicture& picture) {
    const debug::Blocks blocks = painted(picture);
    debug::ObjWriter obj({.y_up = true});
    debug::draw(blocks, obj.sink());
    if (picture.route != nullptr && !picture.route->legs.empty()) {
        const debug::Group group{obj.sink(), "route"};
        std::vector<Vec3> line;
        constexpr int kPieces = 32;  // of a curve
        for (const Leg& leg : picture.route->legs) {
            const int pieces = leg.curvature != 0.0 ? kPieces : 1;
            for (int i = 0; i < pieces; ++i)
                line.push_back(place_on_leg(leg, leg.length * i / kPieces).position);
        }
        line.push_back(picture.route->end.position);
        debug::draw_polyline(obj.sink(), line, {.color = debug::palette::kRoute});
    }
    return to_text(obj.finish());
}

}  // namespace fairlead::cli
