// Seeing a search in space: what it opened, in an isometric picture as SVG, and in space as OBJ.
//
//     see_space                       says what would be seen
//     see_space space.svg space.obj   writes both files

#include <fairlead/fairlead.h>

#include <cstdio>

#include <fairlead/debug/debug.h>

#include "scenes/spaces.h"

namespace {

using namespace fairlead;

bool write(const char* path, const Result<std::span<const char>>& text) {
    if (!text) return false;
    std::FILE* file = std::fopen(path, "wb");
    if (file == nullptr) return false;
    const bool whole = std::fwrite(text->data(), 1, text->size(), file) == text->size();
    return std::fclose(file) == 0 && whole;
}

}  // namespace

int main(int count, char** arguments) {
    // A goal inside of an object with one small entrance.
    const scenes::Space sealed = scenes::sealed_object();
    const Result<Volume> space = sealed.make();
    if (!space) return 1;
    Scratch scratch;
    debug::Trace trace;
    const VolumeQuery query{.start = sealed.start, .goal = sealed.goal};
    const Result<Route> way = find_route(*space, query, scratch, {.trace = trace.hook()});
    if (!way || way->status != PathStatus::complete) return 1;
    std::printf("%llu nodes opened for a way of %.1f\n",
                static_cast<unsigned long long>(trace.count(debug::TraceKind::expand)), way->line_cost);

    // Solid voxels, the front cut away, and the nodes in the order in which they were opened.
    Result<debug::Blocks> blocks = debug::Blocks::make(*space);
    if (!blocks) return 1;
    debug::paint_solid(*blocks, *space, sealed.shown);
    const auto boxes = debug::paint_searched(*blocks, trace.events());
    std::printf("%llu of them are boxes of at most 8 voxels a side\n",
                static_cast<unsigned long long>(boxes));

    const Result<debug::BlockView> view = debug::BlockView::make(*blocks);
    if (!view) return 1;
    debug::SvgWriter svg({.bounds = view->bounds(), .y_up = true, .title = "A goal in an object"});
    view->draw(svg.sink());
    view->draw(*way, svg.sink());
    if (count > 1 && !write(arguments[1], svg.finish())) return 1;

    debug::ObjWriter obj;
    debug::draw(*blocks, obj.sink());
    if (count > 2 && !write(arguments[2], obj.finish())) return 1;
    return 0;
}
