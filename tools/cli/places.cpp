// Places in the arguments.

#include "cli/places.h"

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/text.h"

namespace fairlead::cli {

PlaceArgument to_place(std::string_view flag, std::string_view text) {
    const auto numbers = to_numbers(flag, text);
    if (numbers.size() < 2 || numbers.size() > 4 || !numbers[0] || !numbers[1]) {
        fail(fmt::format("{}: \"{}\" is not X,Y[,Z][,HEADING_DEG]", flag, text));
    }
    PlaceArgument place;
    place.position = {*numbers[0], *numbers[1]};
    if (numbers.size() > 2) place.z = numbers[2];
    if (numbers.size() > 3) place.heading_deg = numbers[3];
    return place;
}

}  // namespace fairlead::cli
