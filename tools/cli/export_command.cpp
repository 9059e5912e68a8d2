// fairlead export: a level mesh in another format.

#include <memory>
#include <string>

#include <fmt/format.h>

#include <fairlead/formats/file.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/mesh_world.h"

namespace fairlead::cli {

namespace {

struct ExportCommand {
    std::string in;
    std::string out;
    std::string heights;
    std::string heights_out;

    void run() const;
};

bool has_ending(const std::string& path, std::string_view ending) {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

void ExportCommand::run() const {
    if (!is_mesh(in)) fail_at(in, "a level mesh is needed here: a .mesh file, a Detour mesh or a baked mesh");
    MeshSource source;
    if (const std::string text = read_file(in); is_baked_mesh(text)) {
        if (!heights.empty()) fail("--heights: for .mesh files only");
        source.file = formats::mesh_file_of(load_baked_mesh(in, text));
    } else {
        source = load_mesh_source(in, heights);
        if (const std::string repaired = repairs_text(source.repairs); !repaired.empty())
            fmt::print(stderr, "fairlead: {}: {}\n", in, repaired);
        (void)make_mesh(in, source);  // nothing is written that could not be used
    }
    if (has_ending(out, ".obj")) {
        if (!heights_out.empty()) fail("--heights-out: an OBJ file has its heights");
        write_file(out, formats::save_mesh_obj(source.file));
    } else if (has_ending(out, ".mesh")) {
        write_file(out, formats::save_polyanya_mesh(source.file));
        if (!heights_out.empty()) write_file(heights_out, formats::save_heights(source.file));
    } else {
        fail(fmt::format("-o: \"{}\" ends in neither .mesh nor .obj", out));
    }
}

}  // namespace

void add_export(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("export", "Write a level mesh as .mesh or .obj");
    const auto command = std::make_shared<ExportCommand>();
    sub->add_option("FILE", command->in, "A .mesh file, a Detour mesh or a baked .fl mesh")->required();
    sub->add_option("-o,--out", command->out, "Where to; .mesh (Polyanya, version 2) or .obj (y up)")
        ->required();
    sub->add_option("--heights", command->heights, "Heights of a .mesh file: lines x,y,height");
    sub->add_option("--heights-out", command->heights_out, "With .mesh: where its heights go, for --heights");
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
