#include <cstdint>

#include <fairlead/base/rng.h>

#include "digest/digest_scene.h"

using fairlead::Rng;

FAIRLEAD_DIGEST_SCENE(base_digest) {
    digest.add(std::uint64_t{0});
    digest.add(std::int64_t{-1});
    digest.add(std::int32_t{-7});
    digest.add(std::uint32_t{0xffffffffU});
    digest.add(-0.0);
    for (double x = 1e-300; x < 1e300; x *= 1.7e9) digest.add(x / 3.0);
}

FAIRLEAD_DIGEST_SCENE(base_rng) {
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        Rng rng(seed);
        for (int i = 0; i < 256; ++i) {
            digest.add(rng.next());
            digest.add(rng.below(1000));
            digest.add(rng.between(-50, 50));
            digest.add(rng.unit());
            digest.add(rng.between(-3.25, 1e6));
        }
    }
}

// a * b + c must be two roundings: a compiler that fuses them changes this digest.
FAIRLEAD_DIGEST_SCENE(base_no_contraction) {
    Rng rng(7);
    double sum = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const double a = rng.between(-1.0, 1.0);
        const double b = rng.between(-1.0, 1.0);
        sum = a * b + sum;
        digest.add(a * b - b * a * (1.0 + 0x1p-40));
    }
    digest.add(sum);
}
