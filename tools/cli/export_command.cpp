// fairlead export: a level mesh or a volume in another format.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairlead/formats/file.h>
#include <fairlead/formats/link_file.h>
#include <fairlead/formats/triangles.h>
#include <fairlead/formats/voxel_map.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/mesh_world.h"
#include "cli/volume_faces.h"
#include "cli/volume_picture.h"
#include "cli/volume_world.h"

namespace fairlead::cli {

namespace {

struct ExportCommand {
    std::string in;
    std::string out;
    std::string heights;
    std::string heights_out;
    std::string links_out;
    LookFlags look;

    void run() const;
    void run_mesh() const;
    void run_volume() const;
    void write_links(const NavMesh& mesh) const;
};

bool has_ending(const std::string& path, std::string_view ending) {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

void ExportCommand::run() const {
    const WorldKind kind = world_kind(in);
    if (kind != WorldKind::volume) look.refuse("for volumes only");
    if (kind == WorldKind::mesh) return run_mesh();
    if (kind == WorldKind::volume) return run_volume();
    fail_at(in,
            "a level mesh or a volume is needed here: a .mesh file, a Detour mesh, a .3dmap file or a baked "
            "one of either");
}

void ExportCommand::run_volume() const {
    if (!heights.empty()) fail("--heights: for .mesh files only");
    if (!heights_out.empty()) fail("--heights-out: only with .mesh");
    if (!links_out.empty()) fail("--links-out: for baked meshes only");
    const Volume volume = load_volume_file(in);
    const VolumeState& state = volume.state();
    const VolumePicture picture{state, look};
    if (has_ending(out, ".svg")) return write_file(out, make_svg(picture));
    if (has_ending(out, ".png")) return write_file(out, make_png(picture));
    look.refuse("only with .svg and .png");
    if (has_ending(out, ".obj")) {
        write_file(out, formats::save_obj(volume_faces(state)));
    } else if (has_ending(out, ".3dmap")) {
        const formats::VoxelMap map = expect(in, {}, formats::make_voxel_map(state));
        write_file(out, formats::save_voxel_map(map));
        if (state.origin() != Vec3{} || state.voxel_size() != Vec3{1.0, 1.0, 1.0})
            fmt::print(stderr,
                       "fairlead: {}: a .3dmap file has no place for the origin and the size of voxels\n",
                       out);
    } else {
        fail(fmt::format("-o: \"{}\" ends in none of .3dmap, .obj, .svg and .png", out));
    }
}

void ExportCommand::run_mesh() const {
    if (has_ending(out, ".svg")) {
        if (!heights_out.empty()) fail("--heights-out: only with .mesh");
        const NavMesh mesh = load_any_mesh(in, heights);
        write_file(out, make_svg(mesh));
        return write_links(mesh);
    }
    MeshSource source;
    if (const std::string text = read_file(in); is_baked_mesh(text)) {
        if (!heights.empty()) fail("--heights: for .mesh files only");
        const NavMesh mesh = load_baked_mesh(in, text);
        source.file = formats::mesh_file_of(mesh);
        write_links(mesh);
    } else {
        if (!links_out.empty()) fail("--links-out: for baked meshes only");
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
        fail(fmt::format("-o: \"{}\" ends in neither .mesh nor .obj nor .svg", out));
    }
}

void ExportCommand::write_links(const NavMesh& mesh) const {
    if (links_out.empty()) return;
    std::vector<MeshLink> links;
    for (std::uint32_t i = 0; i < mesh.state().links(); ++i) links.push_back(mesh.state().link_at(i).link);
    write_file(links_out, formats::save_links(links));
}

}  // namespace

void add_export(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("export",
                                       "Write a level mesh as .mesh or .obj, or draw it as .svg; a volume as "
                                       ".3dmap or .obj, or draw it as .svg or .png");
    const auto command = std::make_shared<ExportCommand>();
    sub->add_option("FILE", command->in,
                    "A .mesh file, a Detour mesh, a .3dmap file, or a baked .fl mesh or volume")
        ->required();
    sub->add_option(
           "-o,--out", command->out,
           "Where to; .mesh (Polyanya, version 2), .obj (y up), or .svg, a picture with the links; "
           "volumes: .3dmap, or "
           ".obj, the faces of solid voxels beside free ones and the bounds (y up); .svg or .png, a picture")
        ->required();
    sub->add_option("--heights", command->heights, "Heights of a .mesh file: lines x,y,height");
    sub->add_option("--heights-out", command->heights_out, "With .mesh: where its heights go, for --heights");
    sub->add_option("--links-out", command->links_out,
                    "Where the links of a baked mesh go, as JSON for --links");
    command->look.add(*sub, false);
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
