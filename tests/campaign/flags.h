// How campaigns read their options.
#pragma once

#include <string>

namespace fairlead::testing {

/// Words in pairs, a flag and its value; take(flag, value) says whether it knows the flag. False: it does not, or a value lacks.
template <class Take>
[[nodiscard]] bool read_flags(int count, char** words, Take take) {
    for (int i = 1; i < count; i += 2) {
        if (i + 1 == count || !take(std::string(words[i]), static_cast<const char*>(words[i + 1])))
            return false;
    }
    return true;
}

}  // namespace fairlead::testing
