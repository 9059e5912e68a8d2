// The flags that describe the unit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/route/agent.h>

namespace fairlead::cli {

/// Flags of the contract whose feature is not in this version: shown in the help, refused with the reason.
class LaterFlags {
  public:
    void add(CLI::App& app, const std::string& flag, const std::string& reason, bool takes_value = true);
    /// Fails if one of them was given.
    void refuse() const;

  private:
    struct Flag {
        CLI::Option* option;
        std::string name;
        std::string reason;
    };
    std::vector<Flag> flags_;
};

class UnitFlags {
  public:
    void add(CLI::App& app);
    [[nodiscard]] Agent agent() const;

  private:
    std::string radius_;
    std::optional<int> footprint_;
    CLI::Option* radius_option_ = nullptr;
    LaterFlags later_;
};

}  // namespace fairlead::cli
