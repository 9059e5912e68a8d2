// fairlead bake table: the shortest routes of a level mesh, worked out beforehand.

#include "cli/bake_table.h"

#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/mesh/mesh_table.h>

#include "cli/bake_work.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/mesh_world.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct BakeTable {
    std::string in, out, heights, bytes_max;
    ThreadFlag threads;
    bool json = false;

    void run() const;
};

std::string mesh_table_error_text(const Error& error, std::uint64_t bytes_max) {
    if (error.code == ErrorCode::cancelled) return "stopped; nothing was written";
    if (error.code == ErrorCode::size_limit && error.detail == static_cast<std::int64_t>(bytes_max))
        return fmt::format("the table would take more than --bytes-max {}", bytes_max);
    return error_text(error.code);
}

void BakeTable::run() const {
    if (!is_mesh(in)) fail_at(in, "a level mesh is needed here: a baked mesh, a .mesh file or a Detour mesh");
    MeshTableOptions making{.jobs = threads.jobs()};
    if (!bytes_max.empty()) {
        const double most = to_number("--bytes-max", bytes_max);
        if (!(most >= 0.0 && most <= 9e15)) fail(fmt::format("--bytes-max: {} is out of range", bytes_max));
        making.bytes_max = static_cast<std::uint64_t>(most);
    }
    const NavMesh mesh = load_any_mesh(in, heights);
    Stages stages;
    const StopOnInterrupt stop;
    BakeProgress progress("table");
    making.progress = progress.hook();
    const Result<MeshTable> table = MeshTable::make(mesh.acquire(), making);
    progress.end();
    if (!table) fail_at(in, mesh_table_error_text(table.error(), making.bytes_max));
    const double make_ms = stages.lap();
    Array<std::uint8_t> bytes;
    if (const Result<void> done = table->save(bytes); !done) fail_at(out, error_text(done.error()).c_str());
    write_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const MeshTableSize size = table->size();
    if (json) {
        const nlohmann::ordered_json report{
            {"file", out},           {"corners", size.corners}, {"lines", size.legs},
            {"sights", size.sights}, {"labels", size.labelled}, {"bytes", bytes.size()},
            {"make_ms", make_ms}};
        fmt::print("{}\n", report.dump(2));
        return;
    }
    fmt::print("{}: {} corners, {} entries of labels, {} bytes; {:.1f} ms\n", out, size.corners,
               size.labelled, bytes.size(), make_ms);
}

}  // namespace

void add_bake_table(CLI::App& bake, int& status) {
    CLI::App* sub = bake.add_subcommand(
        "table", "The shortest routes of a level mesh that stands still, to be looked up with --table");
    const auto command = std::make_shared<BakeTable>();
    sub->add_option("MESH", command->in, "A baked .fl mesh, a .mesh file or a Detour mesh")->required();
    sub->add_option("-o,--out", command->out, "The file to write, .fl")->required();
    sub->add_option("--heights", command->heights, "Heights of a .mesh file: lines x,y,height");
    sub->add_option("--bytes-max", command->bytes_max, "The largest table (default 2^30)");
    command->threads.add(*sub);
    sub->add_flag("--json", command->json, "The report for machines");
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
