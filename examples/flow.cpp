// Thousands of units go to one place: one field, no searches.
#include <cstdio>

#include <fairlead/fairlead.h>

using namespace fairlead;

int main() {
    Result<Grid> town = Grid::make({.width = 40, .height = 40});
    if (!town || !town->fill({{19, 0}, {21, 18}}, 0) || !town->fill({{19, 20}, {21, 40}}, 0))
        return 1;  // a door
    const Vec2 flag{36.5, 4.5};

    FlowFill fill;
    if (!fill.begin(*town, {.goal = flag, .agent = {.radius = 0.4}})) return 1;
    while (fill.running()) fill.step(2000);  // a frame's share each
    FlowField field;
    if (!fill.take(field)) return 1;
    FlowHold hold;
    const FlowStep next = field.sample({2.5, 2.5}, hold);  // go straight to next.to; keep the hold
    std::printf("first to (%.2f, %.2f), %.2f to go\n", next.to.x, next.to.y, next.remaining);

    // 3,000 units, a tenth of a tile a frame; they walk through each other here, a crowd would not
    constexpr int kUnits = 3000;
    static Vec2 at[kUnits];
    static FlowHold holds[kUnits];
    for (int i = 0; i < kUnits; ++i) at[i] = {1.0 + i % 17, 1.0 + i % 37};
    int arrived = 0;
    int frames = 0;
    for (; arrived < kUnits && frames < 2000; ++frames) {
        arrived = 0;
        for (int i = 0; i < kUnits; ++i) {
            const FlowStep step = field.sample(at[i], holds[i]);
            if (step.status != PathStatus::complete) return 1;
            const double way = distance(at[i], step.to);
            at[i] = way <= 0.1 ? step.to : at[i] + (step.to - at[i]) * (0.1 / way);
            arrived += at[i] == flag ? 1 : 0;
        }
    }
    std::printf("%d of %d are there after %d frames\n", arrived, kUnits, frames);

    // shared: who asks often enough gets a field
    Result<GoalFields> fields = GoalFields::make({.fields_max = 2, .asked_min = 10});
    if (!fields) return 1;
    Route route;
    int routes = 0;
    for (int i = 0; i < 100; ++i) {
        const Result<const FlowField*> found = fields->find(*town, {.goal = flag, .agent = {.radius = 0.4}});
        if (!found) return 1;
        if (*found != nullptr && (*found)->route({2.5, 2.5}, route) && route.status == PathStatus::complete)
            ++routes;
        fields->step(500);
    }
    std::printf("%d of 100 routes out of the shared field\n", routes);
    return arrived == kUnits && routes > 50 ? 0 : 1;
}
