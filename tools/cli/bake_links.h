// The links of a baked mesh: a file of them, and jumps that are found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh_bake/jump_links.h>

namespace fairlead::cli {

/// What became of them.
struct LinkCounts {
    std::uint32_t links = 0;
    std::uint32_t jumps = 0;   ///< of these, found
    std::uint32_t asleep = 0;  ///< on no surface
};

class LinkFlags {
  public:
    void add(CLI::App& app);

    /// Of --links.
    [[nodiscard]] std::vector<MeshLink> authored() const;
    [[nodiscard]] bool finds_jumps() const { return jumps_; }
    /// Appends the jumps that a level offers, with numbers of their own.
    void find_jumps(const TriangleSoup& soup, const bake::BakeOptions& bake, const NavMeshState& mesh,
                    std::vector<MeshLink>& links) const;
    /// Fails if jumps are asked for, or told how.
    void refuse_jumps() const;
    /// Puts links into a mesh and measures its landmarks. Those of the file that lie on no surface are told.
    [[nodiscard]] LinkCounts put(const std::vector<MeshLink>& links, std::uint32_t landmarks,
                                 NavMesh& mesh) const;

  private:
    [[nodiscard]] bake::JumpOptions options(const bake::BakeOptions& bake,
                                            const std::vector<MeshLink>& links) const;
    void refuse_jump_numbers(const char* why) const;

    std::string file_;
    bool jumps_ = false;
    std::vector<std::string> numbers_;  ///< as kJumpFlags
    CLI::App* app_ = nullptr;
};

}  // namespace fairlead::cli
