// Where the contact of a body that turns begins, and where it is worst. The first is found by halving, asking the
// verdict itself each time. The second is looked for at distances from there that grow by a quarter, from next to nothing
// to the end of the leg, and then by thirds between the neighbours of the best of them: on a straight motion the depth is
// a concave function of the distance (the depth of a point in a convex set, the Minkowski difference), so that this is the
// maximum.
#include "verify/rigid_contact.h"
#include "verify/scale.h"

namespace fairlead::witness {

namespace {

constexpr int kThirds = 100;
constexpr double kGrowth = 1.25;
constexpr double kFirstShare = 0x1p-44;

}  // namespace

double contact_begin(const Motion& motion, const RigidBody& body, const Obstacle& obstacle, double threshold,
                     double from, double to) {
    double outside = from;
    if (goes_deeper(part_of(motion, from, from), body, obstacle, threshold)) return from;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (outside + to);
        // What lies before `outside` is known to be clear.
        (goes_deeper(part_of(motion, outside, middle), body, obstacle, threshold) ? to : outside) = middle;
    }
    return to;
}

Contact rigid_contact(const Motion& motion, const RigidBody& body, const Obstacle& obstacle, double threshold,
                      double begin) {
    const auto depth = [&](double at) { return depth_at(part_of(motion, at, at), body, obstacle); };
    Contact contact{begin, begin, depth(begin)};
    const double rest = motion.extent - begin;
    double before = begin;
    double low = begin;
    double high = begin;
    bool open = true;
    bool deep = false;
    for (double step = kFirstShare * rest; open && rest > 0.0; step *= kGrowth) {
        open = step < rest;
        const double at = begin + smaller(step, rest);
        const double here = depth(at);
        if (contact.worst == before) high = at;
        if (here > contact.depth) {
            contact.worst = at;
            contact.depth = here;
            low = before;
            high = at;
        }
        before = at;
        deep = deep || here > threshold;
        if (deep && here <= 0.0) break;  // it has come free
    }
    for (int i = 0; i < kThirds && low < high; ++i) {
        const double a = low + (high - low) / 3.0;
        const double b = high - (high - low) / 3.0;
        const bool rises = depth(a) < depth(b);
        (rises ? low : high) = rises ? a : b;
    }
    const double middle = 0.5 * (low + high);
    const double here = depth(middle);
    if (here > contact.depth) contact = {begin, middle, here};
    return contact;
}

}  // namespace fairlead::witness
