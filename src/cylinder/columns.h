// What a cylinder's columns must be.
#pragma once

#include <fairlead/cylinder/cylinder.h>

namespace fairlead::cylinder {

/// The shape is good, and there is one number for each column, of no more slices than there are.
[[nodiscard]] Result<void> check_columns(const CylinderWorld& world);

}  // namespace fairlead::cylinder
