// What scenes say about units: their bodies, and how units with a turning radius are to be planned for.
#include <iterator>

#include <fairlead/formats/names.h>

#include "formats/scene_reader.h"

namespace fairlead::formats {

namespace {

constexpr double kSizeMax = 1e6;

// A length makes it a capsule, with a width a box.
BodyShape shape_of(const Agent& agent) {
    if (agent.width > 0.0) return BodyShape::box;
    return agent.length > 0.0 ? BodyShape::capsule : BodyShape::disc;
}

}  // namespace

bool SceneReader::read_agent(Agent& agent) {
    constexpr std::string_view kKeys[] = {"radius",      "footprint",      "length", "width",
                                          "axle_offset", "turning_radius", "reverse"};
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        bool good = false;
        switch (key) {
            case 0: good = json_.read_number(agent.radius, 0.0, kSizeMax); break;
            case 1: good = read_integer32(json_, agent.footprint, 1, 64); break;
            case 2: good = json_.read_number(agent.length, 0.0, kSizeMax); break;
            case 3: good = json_.read_number(agent.width, 0.0, kSizeMax); break;
            case 4: good = json_.read_number(agent.axle_offset, -kSizeMax, kSizeMax); break;
            case 5: good = json_.read_number(agent.turning_radius, 0.0, kSizeMax); break;
            case 6: good = json_.read(agent.can_reverse); break;
            default: good = json_.unknown_key(); break;
        }
        if (!good) return false;
    }
    if (!json_.ok()) return false;
    agent.shape = shape_of(agent);
    const bool wrong = !good_body(agent) || (agent.shape == BodyShape::box && agent.radius > 0.0) ||
                       (agent.shape == BodyShape::disc && agent.axle_offset != 0.0);
    return !wrong || json_.fail_at(ErrorCode::text_value, start);
}

bool SceneReader::read_planner(SceneQuery& query) {
    std::string name;
    if (!json_.read(name, kWordMax)) return false;
    query.drive.optimal = name == "lattice";
    if (name == "lattice" || name == "weighted_lattice") return true;
    const std::optional<GridPlanner> planner = planner_from_name(name);
    if (!planner) return json_.fail(ErrorCode::text_keyword);
    query.plain.planner = *planner;
    return true;
}

bool SceneReader::read_headings(SceneDrive& drive) {
    if (!read_integer32(json_, drive.headings, 8, 32)) return false;
    const bool good = drive.headings == 8 || drive.headings == 16 || drive.headings == 32;
    return good || json_.fail(ErrorCode::text_value);
}

bool SceneReader::read_epsilon(SceneQuery& query) {
    if (!json_.read_number(query.plain.epsilon, 1.0, 100.0)) return false;
    query.drive.epsilon = query.plain.epsilon;
    return true;
}

}  // namespace fairlead::formats
