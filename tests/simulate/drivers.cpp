#include "simulate/driver.h"

namespace fairlead::simulate {

Script draw_grid_script(Dice& dice, int operations);
std::string play_grid_script(const Script& script, Tally& tally);

std::span<const Driver> drivers() {
    static constexpr Driver kDrivers[] = {
        {"grid", draw_grid_script, play_grid_script},
    };
    return kDrivers;
}

}  // namespace fairlead::simulate
