// What is wrong with the triangles of a level.

#include "cli/bake_faults.h"

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

constexpr std::size_t kToldMax = 5;

std::string point_text(Vec3 p) {
    return fmt::format("({}, {}, {})", text_of(p.x), text_of(p.y), text_of(p.z));
}

GridFrame frame_of(const TriangleSoup& soup, const bake::BakeOptions& baking) {
    return {baking.give_origin ? baking.origin : soup_low_corner(soup), effective_cell_size(baking.cell_size),
            baking.cell_height};
}

// All faults of the soup; empty where the options themselves are wrong, which the bake tells.
Array<SoupFault> faults_of(const TriangleSoup& soup, const bake::BakeOptions& baking) {
    if (!(baking.cell_size >= 1e-6 && baking.cell_size <= 1e6)) return {};
    Result<GridSoup> found = prepare_soup(soup, frame_of(soup, baking),
                                          {.slope_max_rad = baking.slope_max_rad, .tell_faults = true});
    return found ? std::move(found->faults) : Array<SoupFault>{};
}

std::string reason(SoupFaultKind kind, const GridFrame& frame) {
    switch (kind) {
        case SoupFaultKind::bad_index: return "a corner that is not there";
        case SoupFaultKind::not_finite: return "a coordinate is NaN or infinite";
        case SoupFaultKind::too_far:
            return fmt::format(
                "farther than 2^24 cells of --cell-size or --cell-height from the grid's origin {}",
                point_text(frame.origin));
        case SoupFaultKind::no_area: return "no area";
        case SoupFaultKind::duplicate: return "the same corners as an earlier one";
    }
    return {};
}

std::string fault_text(const TriangleSoup& soup, const SoupFault& fault, const GridFrame& frame) {
    std::string text = fmt::format("triangle {}", fault.triangle + 1);
    const auto corners = soup.triangles.subspan(std::size_t{fault.triangle} * 3, 3);
    for (std::size_t k = 0; k < 3; ++k) {
        const bool there = corners[k] < soup.vertices.size();
        text +=
            fmt::format("{}{}", k == 0 ? " " : " - ", there ? point_text(soup.vertices[corners[k]]) : "?");
    }
    return text + ": " + reason(fault.kind, frame);
}

bool is_left_out(const SoupFault& fault) {
    return fault.kind != SoupFaultKind::no_area && fault.kind != SoupFaultKind::duplicate;
}

}  // namespace

void refuse_bad_triangles(const std::string& file, const TriangleSoup& soup,
                          const bake::BakeOptions& baking) {
    if (!baking.refuse_bad) return;
    const Array<SoupFault> faults = faults_of(soup, baking);
    if (faults.empty()) return;
    fail_at(file, fmt::format("--refuse-bad: {} ({} bad ones)",
                              fault_text(soup, faults[0], frame_of(soup, baking)), faults.size()));
}

void tell_left_out(const std::string& file, const TriangleSoup& soup, const bake::BakeOptions& baking,
                   std::size_t count) {
    if (count == 0) return;
    const GridFrame frame = frame_of(soup, baking);
    std::size_t told = 0;
    for (const SoupFault& fault : faults_of(soup, baking)) {
        if (!is_left_out(fault)) continue;
        const std::string text = fault_text(soup, fault, frame);
        if (count == soup.triangles.size() / 3)
            fail_at(file, fmt::format("all {} triangles are bad; the first: {}", count, text));
        fmt::print(stderr, "fairlead: {}: left out: {}\n", file, text);
        if (++told == kToldMax) break;
    }
    if (count > told) fmt::print(stderr, "fairlead: {}: left out: {} more\n", file, count - told);
}

}  // namespace fairlead::cli
