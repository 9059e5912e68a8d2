#include "simulate/driver.h"

namespace fairlead::simulate {

Script draw_grid_script(Dice& dice, int operations);
std::string play_grid_script(const Script& script, Tally& tally);
Script draw_mesh_script(Dice& dice, int operations);
std::string play_mesh_script(const Script& script, Tally& tally);
Script draw_roadmap_script(Dice& dice, int operations);
std::string play_roadmap_script(const Script& script, Tally& tally);
Script draw_drive_script(Dice& dice, int operations);
std::string play_drive_script(const Script& script, Tally& tally);
Script draw_across_script(Dice& dice, int operations);
std::string play_across_script(const Script& script, Tally& tally);
Script draw_gaps_script(Dice& dice, int operations);
std::string play_gaps_script(const Script& script, Tally& tally);
Script draw_volume_script(Dice& dice, int operations);
std::string play_volume_script(const Script& script, Tally& tally);
Script draw_crowd_script(Dice& dice, int operations);
std::string play_crowd_script(const Script& script, Tally& tally);
Script draw_fleet_script(Dice& dice, int operations);
std::string play_fleet_script(const Script& script, Tally& tally);
Script draw_traffic_script(Dice& dice, int operations);
Script draw_flight_script(Dice& dice, int operations);
std::string play_flight_script(const Script& script, Tally& tally);

std::span<const Driver> drivers() {
    static constexpr Driver kDrivers[] = {
        {"grid", draw_grid_script, play_grid_script},
        {"mesh", draw_mesh_script, play_mesh_script},
        {"roadmap", draw_roadmap_script, play_roadmap_script},
        {"drive", draw_drive_script, play_drive_script},
        {"across", draw_across_script, play_across_script},
        {"gaps", draw_gaps_script, play_gaps_script},
        {"volume", draw_volume_script, play_volume_script},
        {"crowd", draw_crowd_script, play_crowd_script},
        {"fleet", draw_fleet_script, play_fleet_script},
        {"traffic", draw_traffic_script, play_fleet_script},
        {"flight", draw_flight_script, play_flight_script},
    };
    return kDrivers;
}

}  // namespace fairlead::simulate
