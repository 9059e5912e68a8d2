// A truck from one pose to another: Dubins, Reeds-Shepp with penalties, the second-shortest when the first is blocked.
#include <cstdio>

#include <fairlead/fairlead.h>

int main() {
    using namespace fairlead;
    const double radius = 6.0;  // the tightest turn, in world units
    const Pose here{{10, 10}, 0.0}, bay{{14, 22}, kPi};

    const CurveWord forward = shortest_dubins(here, bay, radius);
    std::printf("forward only: %s, %.2f\n", name(forward).text, forward.length * radius);

    const ReedsSheppCost dear{.reverse_factor = 2.0,
                              .cusp_cost = 1.0};  // a change of gear costs as much as a radius
    CurveWord words[kReedsSheppWords];
    const int count = reeds_shepp_words(here, bay, radius, dear, words);
    for (int i = 0; i < count; ++i) {
        const Aabb box = bounds_of_curve(here, radius, words[i]);
        if (box.high.x > 25.0) continue;  // a wall there: take the next
        std::printf("with reverse: %s, %.2f, %d cusps\n", name(words[i]).text, words[i].length * radius,
                    cusps(words[i]));
        for (double at = 0.0; at < words[i].length * radius; at += 5.0) {
            const Pose pose = pose_on_curve(here, radius, words[i], at);
            std::printf("  %5.1f: %6.2f %6.2f, heading %5.2f\n", at, pose.position.x, pose.position.y,
                        pose.heading_rad);
        }
        return 0;
    }
    return 1;
}
