// A town with one building, and a route round it.
#pragma once

#include <fairlead/fairlead.h>

struct Walk {
    fairlead::Result<fairlead::Grid> town = fairlead::Grid::make({.width = 20, .height = 10});
    fairlead::Scratch scratch;
    fairlead::GridQuery query;
    fairlead::Result<fairlead::Route> route = fairlead::Route{};

    Walk() {
        if (!town || !town->fill({{5, 2}, {7, 10}}, 0)) return;
        query.start = fairlead::cell_centre(1, 8);
        query.goal = fairlead::cell_centre(12, 8);
        query.agent.radius = 0.4;
        route = fairlead::find_route(*town, query, scratch);
    }
    bool arrives() const { return route && route->status == fairlead::PathStatus::complete; }
};
