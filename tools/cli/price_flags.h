// --danger and --current: what regions of a volume cost.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/volume/area.h>

namespace fairlead::cli {

class PriceFlags {
  public:
    void add(CLI::App& app);
    /// Dangers first, then currents, each in their order.
    [[nodiscard]] std::vector<VolumeArea> prices() const;
    /// Fails if one is given; `why` follows the flags' names.
    void refuse(const char* why) const;

  private:
    std::vector<std::string> dangers_;
    std::vector<std::string> currents_;
};

}  // namespace fairlead::cli
