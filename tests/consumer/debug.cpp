// Links fairlead::debug alone.
#include "town.h"

int main() {
    Walk walk;
    fairlead::debug::SvgWriter svg({.bounds = {{0, 0}, {20, 10}}});
    fairlead::debug::draw(*walk.town, svg.sink());
    fairlead::debug::draw(*walk.route, walk.query.agent, svg.sink());
    const auto text = svg.finish();
    return text && !text->empty() ? 0 : 1;
}
