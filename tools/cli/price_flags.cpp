// A ball has four numbers, a box six; what it costs comes after them.
#include "cli/price_flags.h"

#include <span>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

std::vector<double> numbers_of(const char* flag, const std::string& text) {
    std::vector<double> out;
    for (const auto& number : to_numbers(flag, text)) {
        if (!number) fail(fmt::format("{}: \"{}\" has an empty place", flag, text));
        out.push_back(*number);
    }
    return out;
}

VolumeBlocker region_of(const char* flag, const std::string& text, std::span<const double> n) {
    if (n.size() == 4) return VolumeBlocker::ball({n[0], n[1], n[2]}, n[3]);
    const VolumeBlocker box = VolumeBlocker::box({n[0], n[1], n[2]}, {n[3], n[4], n[5]});
    if (!box.is_box()) fail(fmt::format("{}: \"{}\": a box begins with its low corner", flag, text));
    return box;
}

}  // namespace

void PriceFlags::add(CLI::App& app) {
    app.add_option("--danger", dangers_,
                   "Volumes: where ways cost F times their length, X,Y,Z,R,F (a ball) or X0,Y0,Z0,X1,Y1,Z1,F "
                   "(a box), F 1 to 1000; "
                   "may be repeated")
        ->group("Query")
        ->allow_extra_args(false);
    app.add_option("--current", currents_,
                   "Volumes: where the unit drifts by DX,DY,DZ, in its own speed, less than 1: "
                   "X,Y,Z,R,DX,DY,DZ (a ball) or "
                   "X0,Y0,Z0,X1,Y1,Z1,DX,DY,DZ (a box); may be repeated")
        ->group("Query")
        ->allow_extra_args(false);
}

std::vector<VolumeArea> PriceFlags::prices() const {
    std::vector<VolumeArea> out;
    for (const std::string& text : dangers_) {
        const std::vector<double> n = numbers_of("--danger", text);
        if (n.size() != 5 && n.size() != 7)
            fail(fmt::format("--danger: \"{}\" is neither X,Y,Z,R,F nor X0,Y0,Z0,X1,Y1,Z1,F", text));
        out.push_back(
            VolumeArea::danger(region_of("--danger", text, std::span(n).first(n.size() - 1)), n.back()));
    }
    for (const std::string& text : currents_) {
        const std::vector<double> n = numbers_of("--current", text);
        if (n.size() != 7 && n.size() != 9)
            fail(fmt::format("--current: \"{}\" is neither X,Y,Z,R,DX,DY,DZ nor X0,Y0,Z0,X1,Y1,Z1,DX,DY,DZ",
                             text));
        const std::size_t at = n.size() - 3;
        out.push_back(VolumeArea::current(region_of("--current", text, std::span(n).first(at)),
                                          {n[at], n[at + 1], n[at + 2]}));
    }
    return out;
}

void PriceFlags::refuse(const char* why) const {
    if (!dangers_.empty() || !currents_.empty()) fail(fmt::format("--danger, --current: {}", why));
}

}  // namespace fairlead::cli
