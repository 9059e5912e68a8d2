// A volume as a picture, with what a query's search opened, the way alone, or how many nodes were opened where.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/debug/blocks.h>
#include <fairlead/debug/trace.h>
#include <fairlead/explain/explain.h>
#include <fairlead/route/route.h>
#include <fairlead/volume/volume.h>

namespace fairlead::cli {

/// How it is looked at.
class LookFlags {
  public:
    /// `query`: there is one, so that --show has a meaning.
    void add(CLI::App& app, bool query);
    /// One more flag of pictures of volumes.
    void keep(CLI::Option* option);
    /// Fails if one of them was given; `where` for the message.
    void refuse(const char* where) const;

    [[nodiscard]] bool draws_solid() const { return solid_ != "none"; }
    /// What of the solid voxels is drawn; empty: all of them.
    [[nodiscard]] VoxelBox shown(const VolumeState& volume) const;
    [[nodiscard]] int quarter() const { return quarter_; }
    [[nodiscard]] std::int32_t block(const VolumeState& volume) const;
    /// "searched", "path" or "counts".
    [[nodiscard]] const std::string& show() const { return show_; }

  private:
    std::string show_ = "searched";
    std::string solid_ = "all";
    int quarter_ = 0;
    std::int32_t block_ = 0;
    std::vector<CLI::Option*> options_;
};

/// Without a route: the volume alone.
struct VolumePicture {
    const VolumeState& volume;
    const LookFlags& look;
    const Route* route = nullptr;
    const debug::Trace* trace = nullptr;
    const Explanation* why =
        nullptr;  ///< its place is marked and its text is the title; then the route alone is painted
};

[[nodiscard]] std::string make_svg(const VolumePicture& picture);
[[nodiscard]] std::string make_png(const VolumePicture& picture);
/// In space, colors at the vertices, y up as the other OBJ files.
[[nodiscard]] std::string make_obj(const VolumePicture& picture);

}  // namespace fairlead::cli
