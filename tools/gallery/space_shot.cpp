#include "gallery/space_shot.h"

#include <fairlead/verify/verify_volume.h>

namespace fairlead::gallery {

Flight::Flight(const VolumeState& volume, const VolumeQuery& query) {
    Scratch scratch;
    route = need(find_route(volume, query, scratch, {.trace = trace.hook()}));
}

Row flight_row(const std::string& label, const Flight& flight, const VolumeState& volume,
               const Agent& agent) {
    Row row = row_of(label, flight.route);
    row.length = flight.route.line_cost;
    row.legal = !verify(flight.route, volume, agent);
    return row;
}

std::string opened_text(const Flight& flight) {
    return count_text(flight.route.stats.expanded) + " nodes opened, length " +
           number_text(flight.route.line_cost, 1);
}

namespace legend {

LegendItem stone(std::string text) { return {.text = std::move(text), .color = debug::palette::kStone}; }
LegendItem section(debug::Color color) { return {.text = "cut open", .color = color}; }
LegendItem hidden() {
    return {.text = "route behind something",
            .color = debug::palette::kRoute,
            .mark = Mark::dashed,
            .opacity = 0.55};
}

}  // namespace legend

}  // namespace fairlead::gallery
