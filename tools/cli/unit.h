// The flags that describe the unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/curve/airplane.h>
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

/// Bodies that turn with their heading, turning circles, facings.
class DriverFlags {
  public:
    void add(CLI::App& app);
    /// Into an agent that has its radius. Fails on numbers that no unit has.
    void read(Agent& agent) const;
    [[nodiscard]] std::int32_t facings() const { return facings_.value_or(0); }

  private:
    CLI::Option* number(CLI::App& app, const std::string& flag, std::string& text, const std::string& what);
    void read_body(Agent& agent) const;

    std::string length_, width_, axle_offset_, turning_radius_;
    std::optional<std::int32_t> facings_;
    bool reverse_ = false;
    bool pivot_ = false;
};

/// A unit in a volume. How steeply it climbs is said only of one with a turning radius.
struct Flyer {
    Agent agent{};
    ClimbLimits climb{};
};

class UnitFlags {
  public:
    /// For commands that plan. `speeds`: the command has flags for them itself.
    void add(CLI::App& app, bool speeds = false);
    /// For commands that judge: any unit will do.
    void add_to_judge(CLI::App& app);
    /// Commands that plan: fails for units that no planner drives. On the ground nothing has a height.
    [[nodiscard]] Agent agent() const;
    /// The same in a volume.
    [[nodiscard]] Agent agent_in_volume() const;
    [[nodiscard]] Flyer flyer() const;
    [[nodiscard]] std::int32_t facings() const { return driver_.facings(); }

  private:
    void add_all(CLI::App& app, bool speeds);
    [[nodiscard]] Agent read() const;
    void check_planned(const Agent& agent) const;

    std::string radius_, height_;
    std::optional<int> footprint_;
    std::string climb_;
    CLI::Option* radius_option_ = nullptr;
    DriverFlags driver_;
    bool plans_ = false;
    LaterFlags later_;
};

}  // namespace fairlead::cli
