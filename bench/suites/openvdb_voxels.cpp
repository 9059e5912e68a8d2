// The module is loaded when the first triangles are asked for.
#include "suites/openvdb_voxels.h"

#ifdef FAIRLEAD_OPENVDB_PEER

#include <dlfcn.h>

namespace fairlead::bench {

namespace {

using Band = std::uint64_t (*)(const double*, std::uint64_t);

Band band() {
    static const Band found = [] {
        void* const peer = dlopen(FAIRLEAD_OPENVDB_PEER, RTLD_NOW | RTLD_LOCAL);
        return peer == nullptr ? nullptr : reinterpret_cast<Band>(dlsym(peer, "fairlead_openvdb_band"));
    }();
    return found;
}

}  // namespace

bool has_openvdb() { return band() != nullptr; }
std::uint64_t openvdb_band(std::span<const double> numbers) {
    return band()(numbers.data(), numbers.size() / 9);
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

bool has_openvdb() { return false; }
std::uint64_t openvdb_band(std::span<const double>) { return 0; }

}  // namespace fairlead::bench

#endif
