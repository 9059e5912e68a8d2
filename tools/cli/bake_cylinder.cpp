// fairlead bake cylinder: the inside of a tube, from triangles to unrolled slices.

#include "cli/bake_cylinder.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/cylinder/save_cylinder.h>
#include <fairlead/cylinder_bake/cylinder_bake.h>
#include <fairlead/formats/file.h>

#include "cli/bake_level.h"
#include "cli/bake_work.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/numbers.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct BakeCylinder {
    std::string in, out, axis, cell, centre, radius, depth;
    int slices = 0;
    ThreadFlag threads;
    bool refuse_bad = false;
    bool json = false;

    void run() const;

  private:
    [[nodiscard]] bake::CylinderBakeOptions options() const;
    [[nodiscard]] CylinderWorld bake(const formats::TriangleFile& level, bake::CylinderReport& report) const;
    void tell(const CylinderWorld& world, const bake::CylinderReport& report, std::size_t bytes) const;
};

std::string floating_place(Vec3 p) {
    return fmt::format("({}, {}, {})", text_of(p.x), text_of(p.y), text_of(p.z));
}

double above_zero(const char* flag, const std::string& text) {
    const double value = to_number(flag, text);
    if (!(value > 0.0)) fail(fmt::format("{}: {} is not above 0", flag, text));
    return value;
}

Vec3 to_centre(const std::string& text) {
    double numbers[3] = {};
    const auto given = to_numbers("--centre", text);
    bool good = given.size() == 3;
    for (std::size_t i = 0; good && i < 3; ++i) {
        good = given[i].has_value();
        numbers[i] = given[i].value_or(0.0);
    }
    if (!good) fail(fmt::format("--centre: \"{}\" is not X,Y,Z", text));
    return {numbers[0], numbers[1], numbers[2]};
}

bake::CylinderBakeOptions BakeCylinder::options() const {
    bake::CylinderBakeOptions made;
    const std::string words[] = {"x", "y", "z"};
    int which = 0;
    while (which < 3 && words[which] != axis) ++which;
    if (which == 3) fail_word("--axis", axis, "x, y, z");
    made.axis = static_cast<CylinderAxis>(which);
    made.cell_size = above_zero("--cell", cell);
    if (slices < 1 || slices > kCylinderSlicesMax)
        fail(fmt::format("--slices: {} is not 1 to {}", slices, kCylinderSlicesMax));
    made.slices = slices;
    made.give_centre = !centre.empty();
    if (made.give_centre) made.centre = to_centre(centre);
    if (!radius.empty()) made.radius = above_zero("--radius", radius);
    if (!depth.empty()) made.depth = above_zero("--depth", depth);
    made.refuse_bad = refuse_bad;
    made.jobs = threads.jobs();
    return made;
}

std::string cylinder_bake_error_text(const Error& error, const bake::CylinderReport& report) {
    const std::string reason = error_text(error.code);
    switch (error.field) {
        case Field::none:
            if (error.code == ErrorCode::cancelled) return "stopped; nothing was written";
            if (error.index >= 0)
                return fmt::format("--refuse-bad: triangle {}: {}", error.index + 1, reason);
            break;
        case Field::obstacles:
            return fmt::format(
                "something floats: at {} (slice {}, tile {}, {}) there is an obstacle with free space "
                "between it "
                "and the wall; {} columns break this rule",
                floating_place(report.floating_at), report.floating_cell.layer, report.floating_cell.x,
                report.floating_cell.y, report.floating);
        case Field::triangles:
            if (error.code == ErrorCode::size_zero) return "no triangle is good";
            break;
        case Field::cell_size: return "--cell: too large: fewer than 8 tiles around";
        case Field::width: return fmt::format("--cell: too small: more than {} tiles around", error.detail);
        case Field::height: return fmt::format("--cell: too small: more than {} tiles along", error.detail);
        case Field::radius_max: return "--radius: " + reason;
        case Field::distance: return "--depth: it must be less than the radius";
        case Field::layers: return "--slices: they are too thin, or reach the axis";
        default: break;
    }
    return flag_error_text(error);
}

CylinderWorld BakeCylinder::bake(const formats::TriangleFile& level, bake::CylinderReport& report) const {
    bake::CylinderBakeOptions baking = options();
    const StopOnInterrupt stop;
    BakeProgress progress("bake");
    baking.progress = progress.hook();
    Result<CylinderWorld> world =
        bake::cylinder({level.vertices, level.triangles, level.areas}, baking, &report);
    progress.end();
    if (!world) fail_at(in, cylinder_bake_error_text(world.error(), report));
    if (report.triangles.left_out() > 0)
        fmt::print(stderr, "fairlead: {}: {} bad triangles left out, the first is triangle {}\n", in,
                   report.triangles.left_out(), report.triangles.first_bad + 1);
    if (StopOnInterrupt::asked()) fail_at(in, "stopped; nothing was written");
    return std::move(*world);
}

void BakeCylinder::tell(const CylinderWorld& world, const bake::CylinderReport& report,
                        std::size_t bytes) const {
    const Cylinder& shape = world.shape;
    if (json) {
        const nlohmann::ordered_json all{{"file", out},
                                         {"axis", axis},
                                         {"origin_x", shape.origin.x},
                                         {"origin_y", shape.origin.y},
                                         {"origin_z", shape.origin.z},
                                         {"radius", shape.radius},
                                         {"inner_radius", shape.inner_radius()},
                                         {"cell_size", shape.cell_size()},
                                         {"thickness", shape.thickness},
                                         {"around", shape.around},
                                         {"along", shape.along},
                                         {"slices", shape.slices},
                                         {"free_tiles", report.free},
                                         {"met_tiles", report.triangles.solid},
                                         {"filled_tiles", report.filled},
                                         {"triangles", report.triangles.triangles},
                                         {"triangles_outside", report.triangles.outside},
                                         {"triangles_left_out", report.triangles.left_out()},
                                         {"bytes", bytes}};
        fmt::print("{}\n", all.dump(2));
        return;
    }
    fmt::print("{}: radius {} to {}, {} slices of {} x {} tiles, {} free, {} bytes\n", out,
               text_of(shape.inner_radius()), text_of(shape.radius), shape.slices, shape.around, shape.along,
               report.free, bytes);
}

void BakeCylinder::run() const {
    const std::string text = read_file(in);
    const formats::FileKind kind = formats::sniff_kind(text);
    if (kind != formats::FileKind::obj && kind != formats::FileKind::gltf)
        fail_at(in,
                fmt::format("this is a {}; an OBJ or glTF file is needed here", formats::kind_name(kind)));
    bake::CylinderReport report;
    // The axes are the file's own: nothing is turned up.
    const CylinderWorld world = bake(load_level(in, text, "z"), report);
    Array<std::uint8_t> bytes;
    if (const Result<void> done = save_cylinder(world, bytes); !done)
        fail_at(out, error_text(done.error()).c_str());
    write_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    tell(world, report, bytes.size());
}

}  // namespace

void add_bake_cylinder(CLI::App& bake, int& status) {
    CLI::App* sub = bake.add_subcommand(
        "cylinder", "The inside of a tube with obstacles on its wall, as unrolled slices (OBJ, glTF)");
    const auto command = std::make_shared<BakeCylinder>();
    sub->add_option("IN", command->in, "An OBJ or glTF file")->required();
    sub->add_option("-o,--out", command->out, "The file to write, .fl")->required();
    sub->add_option("--axis", command->axis, "The tube lies along the file's own x, y or z")->required();
    sub->add_option("--cell", command->cell, "Side of a tile along the wall, about")->required();
    sub->add_option("--slices", command->slices, "Slices by depth, 1 to 64")->required();
    sub->add_option("--centre", command->centre, "X,Y,Z on the axis. Else the middle of the triangles' box");
    sub->add_option("--radius", command->radius, "Of the wall. Else found from the triangles");
    sub->add_option("--depth", command->depth,
                    "Of all slices, from the wall. Else the last one lies clear over the highest obstacle");
    command->threads.add(*sub);
    sub->add_flag("--refuse-bad", command->refuse_bad,
                  "A bad triangle is an error; else it is left out, and told of");
    sub->add_flag("--json", command->json, "The report for machines");
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
