// --blocker: what is in the way for a while.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/grid/query.h>

namespace fairlead::cli {

class BlockerFlags {
  public:
    void add(CLI::App& app);
    [[nodiscard]] std::vector<Blocker> blockers() const;

  private:
    std::vector<std::string> texts_;
};

}  // namespace fairlead::cli
