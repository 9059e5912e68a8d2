// fairlead bake volume: from triangles or a voxel map to a baked volume.

#include "cli/bake_volume.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/file.h>
#include <fairlead/volume/save_volume.h>
#include <fairlead/volume_bake/volume_bake.h>

#include "cli/bake_level.h"
#include "cli/bake_work.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/limits.h"
#include "cli/text.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

/// Flags that only mean something for triangles.
constexpr const char* kOfLevels[] = {"--bounds", "--fill", "--up", "--refuse-bad", "--threads"};

struct BakeVolume {
    std::string in, out, voxel, bounds, fill = "nothing", up = "y";
    ThreadFlag threads;
    bool refuse_bad = false;
    bool json = false;
    CLI::App* app = nullptr;

    void run() const;

  private:
    void run_triangles(const std::string& text) const;
    void run_voxels() const;
    [[nodiscard]] Vec3 voxel_size() const;
    [[nodiscard]] bake::VolumeBakeOptions options() const;
    void warn(const bake::VolumeReport& report) const;
    void finish(const Volume& volume, const nlohmann::ordered_json& fields, const std::string& text,
                Stages& stages) const;
};

std::vector<double> numbers_of(const char* flag, const std::string& text) {
    std::vector<double> out;
    for (const std::optional<double> number : to_numbers(flag, text)) {
        if (!number) fail(fmt::format("{}: \"{}\" has an empty number", flag, text));
        out.push_back(*number);
    }
    return out;
}

Vec3 BakeVolume::voxel_size() const {
    const std::vector<double> n = numbers_of("--voxel", voxel);
    if (n.size() != 1 && n.size() != 3) fail(fmt::format("--voxel: \"{}\" is not S or SX,SY,SZ", voxel));
    for (const double side : n) {
        if (!(side > 0.0)) fail(fmt::format("--voxel: {} is not above 0", text_of(side)));
    }
    return n.size() == 1 ? Vec3{n[0], n[0], n[0]} : Vec3{n[0], n[1], n[2]};
}

bake::VolumeBakeOptions BakeVolume::options() const {
    bake::VolumeBakeOptions made;
    if (voxel.empty()) fail("--voxel is required");
    made.voxel_size = voxel_size();
    if (!bounds.empty()) {
        const std::vector<double> n = numbers_of("--bounds", bounds);
        if (n.size() != 6 || !(n[0] < n[3] && n[1] < n[4] && n[2] < n[5]))
            fail(fmt::format("--bounds: \"{}\" is not X0,Y0,Z0,X1,Y1,Z1 with X0 < X1, Y0 < Y1, Z0 < Z1",
                             bounds));
        made.give_bounds = true;
        made.low = {n[0], n[1], n[2]};
        made.high = {n[3], n[4], n[5]};
    }
    if (fill != "inside" && fill != "nothing") fail_word("--fill", fill, "nothing, inside");
    made.fill = fill == "inside" ? bake::VolumeFill::inside : bake::VolumeFill::nothing;
    made.refuse_bad = refuse_bad;
    made.jobs = threads.jobs();
    return made;
}

std::string volume_bake_error_text(const Error& error) {
    if (error.code == ErrorCode::cancelled) return "stopped; nothing was written";
    const std::string reason = error_text(error.code);
    switch (error.field) {
        case Field::none:
            if (error.index >= 0)
                return fmt::format("--refuse-bad: triangle {}: {}", error.index + 1, reason);
            break;
        case Field::triangles:
            if (error.code == ErrorCode::size_zero) return "no triangle is good";
            break;
        case Field::cell_size: return "--voxel: " + reason;
        case Field::box: return "--bounds: " + reason;
        case Field::origin: return "--voxel: too small so far from the origin";
        case Field::width:
            return fmt::format("--voxel: {}: {} voxels; larger ones or smaller --bounds need less", reason,
                               error.detail);
        default: break;
    }
    return flag_error_text(error);
}

std::string place_text(Vec3 p) {
    return fmt::format("({}, {}, {})", text_of(p.x), text_of(p.y), text_of(p.z));
}

void BakeVolume::warn(const bake::VolumeReport& report) const {
    if (report.triangles.left_out() > 0)
        fmt::print(stderr, "fairlead: {}: {} bad triangles left out, the first is triangle {}\n", in,
                   report.triangles.left_out(), report.triangles.first_bad + 1);
    if (report.open_edges > 0)
        fmt::print(
            stderr,
            "fairlead: {}: {} open edges, one at {}: what has a hole as wide as a voxel is not filled\n", in,
            report.open_edges, place_text(report.open_at));
}

void BakeVolume::run_triangles(const std::string& text) const {
    bake::VolumeBakeOptions baking = options();
    Stages stages;
    const formats::TriangleFile level = load_level(in, text, up);
    const double read_ms = stages.lap();
    const StopOnInterrupt stop;
    BakeProgress progress("bake");
    baking.progress = progress.hook();
    const Result<bake::BakedVolume> baked =
        bake::bake_volume({level.vertices, level.triangles, level.areas}, baking);
    progress.end();
    if (!baked) fail_at(in, volume_bake_error_text(baked.error()));
    warn(baked->report);
    const double bake_ms = stages.lap();
    const Result<Volume> volume = Volume::make(baked->options());
    if (!volume) fail_at(in, volume_bake_error_text(volume.error()));
    if (StopOnInterrupt::asked()) fail_at(in, "stopped; nothing was written");
    const double volume_ms = stages.lap();
    const bake::VolumeReport& report = baked->report;
    finish(*volume,
           {{"triangles", report.triangles.triangles},
            {"triangles_outside", report.triangles.outside},
            {"triangles_left_out", report.triangles.left_out()},
            {"voxels_met", report.triangles.solid},
            {"voxels_filled", report.filled},
            {"open_edges", report.open_edges},
            {"read_ms", read_ms},
            {"bake_ms", bake_ms},
            {"volume_ms", volume_ms}},
           fmt::format("; {} triangles, {} voxels filled; read {:.1f} ms, bake {:.1f} ms, volume {:.1f} ms",
                       report.triangles.triangles, report.filled, read_ms, bake_ms, volume_ms),
           stages);
}

// A voxel map says nothing of lengths: --voxel does.
void BakeVolume::run_voxels() const {
    for (const char* flag : kOfLevels) {
        if (app->get_option(flag)->count() > 0) fail(fmt::format("{}: for levels of triangles only", flag));
    }
    Stages stages;
    const formats::VoxelMap map = load_voxels(in);
    const double read_ms = stages.lap();
    VolumeOptions making = map.volume_options();
    if (!voxel.empty()) making.voxel_size = voxel_size();
    const Result<Volume> volume = Volume::make(making);
    if (!volume) fail_at(in, volume_bake_error_text(volume.error()));
    const double volume_ms = stages.lap();
    finish(*volume, {{"read_ms", read_ms}, {"volume_ms", volume_ms}},
           fmt::format("; read {:.1f} ms, volume {:.1f} ms", read_ms, volume_ms), stages);
}

void BakeVolume::finish(const Volume& volume, const nlohmann::ordered_json& fields, const std::string& text,
                        Stages& stages) const {
    const VolumeState& state = volume.state();
    Array<std::uint8_t> bytes;
    if (const Result<void> done = save_volume(state, bytes); !done)
        fail_at(out, error_text(done.error()).c_str());
    write_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const double save_ms = stages.lap();
    const Voxel size = state.size();
    if (json) {
        nlohmann::ordered_json all{{"file", out},
                                   {"size_x", size.x},
                                   {"size_y", size.y},
                                   {"size_z", size.z},
                                   {"solid_voxels", state.solid_voxels()},
                                   {"components", count_components(state)},
                                   {"bytes", bytes.size()}};
        all.update(fields);
        all["save_ms"] = save_ms;
        fmt::print("{}\n", all.dump(2));
        return;
    }
    fmt::print("{}: {} x {} x {} voxels, {} solid, {} bytes{}, save {:.1f} ms\n", out, size.x, size.y, size.z,
               state.solid_voxels(), bytes.size(), text, save_ms);
}

void BakeVolume::run() const {
    const std::string text = read_file(in);
    const formats::FileKind kind = formats::sniff_kind(text);
    switch (kind) {
        case formats::FileKind::obj:
        case formats::FileKind::gltf: return run_triangles(text);
        case formats::FileKind::voxel_map: return run_voxels();
        default:
            fail_at(in, fmt::format("this is a {}; an OBJ or glTF file or a .3dmap file is needed here",
                                    formats::kind_name(kind)));
    }
}

}  // namespace

void add_bake_volume(CLI::App& bake, int& status) {
    CLI::App* sub =
        bake.add_subcommand("volume", "A volume from triangles (OBJ, glTF) or a voxel map (.3dmap)");
    const auto command = std::make_shared<BakeVolume>();
    command->app = sub;
    sub->add_option("IN", command->in, "An OBJ or glTF file, or a .3dmap file")->required();
    sub->add_option("-o,--out", command->out, "The file to write, .fl")->required();
    sub->add_option("--voxel", command->voxel,
                    "Side of a voxel, S or SX,SY,SZ; of a .3dmap file's, which are 1 if it is not given");
    sub->add_option("--bounds", command->bounds,
                    "X0,Y0,Z0,X1,Y1,Z1, z up; outside is solid. Else the triangles' and 4 voxels beyond");
    sub->add_option("--fill", command->fill, "What is solid beside what triangles meet: nothing, or inside")
        ->capture_default_str();
    sub->add_option("--up", command->up, "The axis that is up in the file: y or z")->capture_default_str();
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
