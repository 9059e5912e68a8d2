// Prints the digests of math_digest.h and fails where one differs from its golden value. For toolchains
// without a test framework: build with src/math/*.cpp and src/base/*.cpp.
#include <cinttypes>
#include <cstdio>

#include "math_digest.h"

int main() {
    using namespace fairlead::math_test;
    int wrong = 0;
    for (const NamedDigest& d : kDigests) {
        const std::uint64_t few = d.compute(kFew);
        const std::uint64_t many = d.compute(kMany);
        const bool same = few == d.golden_few && many == d.golden_many;
        std::printf("%-9s 0x%016" PRIx64 " 0x%016" PRIx64 "%s\n", d.name, few, many, same ? "" : "  DIFFERS");
        wrong += same ? 0 : 1;
    }
    return wrong;
}
