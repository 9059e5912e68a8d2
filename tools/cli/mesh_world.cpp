// Level meshes as WORLD.

#include "cli/mesh_world.h"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/base/baked.h>
#include <fairlead/debug/draw.h>
#include <fairlead/debug/draw_drive.h>
#include <fairlead/debug/draw_mesh.h>
#include <fairlead/debug/svg.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/names.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "cli/baked.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/limits.h"
#include "cli/picture.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

std::string mesh_planner_words() {
    std::string words = "auto";
    for (int i = 0; i < static_cast<int>(MeshPlanner::count_); ++i)
        words += fmt::format(", {}", planner_name(static_cast<MeshPlanner>(i)));
    return words;
}

bool is_detour(const std::string& text) {
    return formats::sniff_kind(text) == formats::FileKind::detour_mesh;
}

}  // namespace

bool is_baked_mesh(const std::string& text) { return baked_kind(text) == kBakedMesh; }

NavMesh load_baked_mesh(const std::string& path, const std::string& text) {
    Result<NavMesh> mesh = load_mesh(bytes_of(text), {.gate_work_max = gate_work_max()});
    if (!mesh && is_gate_work(mesh.error()))
        fail_at(path, "looking for its gates (--radius-max) is more work than --gate-work-max");
    if (!mesh) fail_at(path, baked_error_text(mesh.error()));
    return std::move(*mesh);
}

bool is_mesh(const std::string& path) { return world_kind(path) == WorldKind::mesh; }

MeshSource load_mesh_source(const std::string& path, const std::string& heights) {
    const std::string text = read_file(path);
    MeshSource source;
    if (is_detour(text)) {
        if (!heights.empty()) fail("--heights: for .mesh files only");
        Result<formats::DetourMesh> loaded = formats::load_detour(text, file_limits(std::uint64_t{1} << 36));
        if (!loaded && loaded.error().code == ErrorCode::incompatible) {
            const Error& error = loaded.error();
            const char* reason = formats::detour_rule_text(static_cast<formats::DetourRule>(error.detail));
            fail_at(path,
                    error.index < 0 ? std::string(reason) : fmt::format("tile {}: {}", error.index, reason));
        }
        source.detour = expect(path, {}, std::move(loaded));
        source.file = std::move(source.detour.mesh);
        source.repairs = source.detour.repairs;
        return source;
    }
    source.file = expect(path, text, formats::load_polyanya_mesh(text, file_limits()));
    if (!heights.empty()) {
        const std::string lines = read_file(heights);
        const Result<void> done = formats::load_heights(lines, source.file, file_limits());
        if (!done) fail_file(heights, done.error(), lines);
    }
    if (const Result<void> done = formats::repair_mesh(source.file, source.repairs); !done)
        fail_at(path, error_text(done.error()).c_str());
    return source;
}

NavMesh make_mesh(const std::string& path, const MeshSource& source, const Agent& agent) {
    const NavMeshTile tile = source.file.tile();
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = source.detour.agent_radius,
                                          .radius_max = agent.footprint == 0 ? agent.radius : 0.0,
                                          .tiles = {&tile, 1}});
    if (!mesh && mesh.error().code == ErrorCode::incompatible) {
        const char* reason = nav_mesh_rule_text(static_cast<NavMeshRule>(mesh.error().detail));
        fail_at(path, fmt::format("polygon {}: {}", mesh.error().index, reason));
    }
    return expect(path, {}, std::move(mesh));
}

std::string repairs_text(const formats::MeshRepairs& repairs) {
    std::string text;
    const auto add = [&](const char* what, std::size_t count) {
        if (count > 0) text += fmt::format("{}{} polygons {}", text.empty() ? "" : ", ", count, what);
    };
    add("cut to be convex", repairs.cut.size());
    add("without area or overlapping left out", repairs.dropped.size());
    return text;
}

NavMesh load_any_mesh(const std::string& path, const std::string& heights, const Agent& agent) {
    if (const std::string text = read_file(path); is_baked_mesh(text)) {
        if (!heights.empty()) fail("--heights: for .mesh files only");
        return load_baked_mesh(path, text);
    }
    const MeshSource source = load_mesh_source(path, heights);
    if (const std::string text = repairs_text(source.repairs); !text.empty())
        fmt::print(stderr, "fairlead: {}: {}\n", path, text);
    return make_mesh(path, source, agent);
}

MeshTable load_mesh_table(const std::string& path, const NavMesh& mesh) {
    const std::string text = read_file(path);
    Result<MeshTable> table = MeshTable::load(bytes_of(text), mesh.acquire());
    if (!table && table.error().code == ErrorCode::incompatible)
        fail_at(path, "the table is of another mesh, or of this one made for another --radius");
    if (!table) fail_at(path, baked_error_text(table.error()));
    return std::move(*table);
}

MeshWorld load_mesh_world(const WorldFlags& world, const Agent& agent, const std::string& table) {
    if (world.has_terrain()) fail("--terrain: for tile maps only");
    MeshWorld out{load_any_mesh(world.path(), world.heights(), agent), world.closed_areas(),
                  world.closed_links()};
    if (!table.empty()) out.table = load_mesh_table(table, out.mesh);
    return out;
}

MeshQuery mesh_query(const Agent& agent, const PlannerFlags& planner, const WorldFlags& world) {
    planner.refuse_off_tiles("on level meshes", {"--reach"});
    MeshQuery query;
    query.planner =
        to_word("--planner", planner.name(), formats::mesh_planner_from_name, mesh_planner_words());
    query.agent = agent;
    query.filter.areas.closed = KindSet::of_mask(world.closed_areas());
    query.filter.links.closed = KindSet::of_mask(world.closed_links());
    query.partial = planner.partial();
    query.reach.across = planner.reach().value_or(query.reach.across);
    query.expansions_max = planner.budget();
    return query;
}

MeshReach any_height(MeshReach reach) {
    reach.above = reach.below = 2.0 * kMeshSpan;
    return reach;
}

std::string mesh_query_error_text(const Error& error) {
    if (error.code == ErrorCode::incompatible) return "level meshes take discs: no --footprint";
    if (error.code == ErrorCode::out_of_range && error.field == Field::agent_radius)
        return "--radius: wider than this mesh was made for; `bake navmesh --radius-max` says how wide units "
               "may be";
    if (error.code == ErrorCode::unsupported)
        return "this version does not plan for such a unit on level meshes";
    return flag_error_text(error);
}

Violation verify_on_mesh(const Route& route, const MeshWorld& level, const Agent& agent) {
    return verify(route, level.mesh, agent,
                  {.filter = {.areas = {.closed = KindSet::of_mask(level.closed_areas)},
                              .links = {.closed = KindSet::of_mask(level.closed_links)}},
                   .check_revision = false});
}

namespace {

/// A link on a route: where it is entered and left, and how far that is from the start, on the ground.
struct TakenLink {
    std::size_t leg = 0;
    double at = 0.0;
    Vec3 from{};
    Vec3 to{};
    MeshLink link{};
};

std::vector<TakenLink> links_of(const Route& route, const NavMeshState& mesh) {
    std::vector<TakenLink> out;
    double at = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        at += leg.length;
        if (leg.kind != LegKind::link) continue;
        if (const std::optional<MeshLinkState> link = mesh.link(leg.link_id))
            out.push_back({i, at, leg.start.position, leg_end(route, i).position, link->link});
    }
    return out;
}

}  // namespace

void append_links(std::string& line, const Route& route, const NavMeshState& mesh) {
    const std::vector<TakenLink> taken = links_of(route, mesh);
    if (taken.empty()) return;
    const auto place = [](const Vec3& p) { return nlohmann::ordered_json{p.x, p.y, p.z}; };
    auto list = nlohmann::ordered_json::array();
    for (const TakenLink& t : taken) {
        list.push_back({{"leg", t.leg},
                        {"id", t.link.id},
                        {"kind", t.link.kind},
                        {"tag", t.link.tag},
                        {"at", t.at},
                        {"from", place(t.from)},
                        {"to", place(t.to)}});
    }
    line.resize(line.rfind('}'));
    line += ",\"links\":" + list.dump() + "}\n";
}

void print_links(const Route& route, const NavMeshState& mesh) {
    for (const TakenLink& t : links_of(route, mesh)) {
        const auto place = [](const Vec3& p) {
            return fmt::format("{},{},{}", text_of(p.x), text_of(p.y), text_of(p.z));
        };
        fmt::print("link      {} of kind {}, tag {}, after {:.6f}: {} to {}\n", t.link.id, t.link.kind,
                   t.link.tag, t.at, place(t.from), place(t.to));
    }
}

std::string make_svg(const MeshPicture& picture) {
    const NavMesh& mesh = picture.level.mesh;
    const Route& route = picture.route;
    const std::string title =
        fmt::format("{}, {}: length {:.2f}", status_name(route.status), route.planner, route.length);
    debug::SvgOptions options{.bounds = debug::world_bounds(mesh), .y_up = picture.y_up};
    options.title = title.c_str();
    debug::SvgWriter svg{options};
    const debug::Sink sink = svg.sink();
    const bool turns = picture.agent.turning_radius > 0;
    debug::draw(mesh, sink, {.filter = picture.filter});
    if (mesh.state().links() > 0) debug::draw_links(mesh, sink, picture.filter);
    if (!turns) debug::draw_corridor(mesh, route, sink);
    debug::draw(picture.trace.events(), sink);
    if (turns) {
        debug::draw_drive(route, picture.agent, sink);
    } else {
        debug::draw(route, picture.agent, sink);
    }
    const Result<std::span<const char>> text = svg.finish();
    if (!text) fail_at("--svg", error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

std::string make_svg(const NavMesh& mesh) {
    debug::SvgWriter svg{{.bounds = debug::world_bounds(mesh)}};
    debug::draw(mesh, svg.sink());
    if (mesh.state().links() > 0) debug::draw_links(mesh, svg.sink());
    const Result<std::span<const char>> text = svg.finish();
    if (!text) fail(error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

}  // namespace fairlead::cli
