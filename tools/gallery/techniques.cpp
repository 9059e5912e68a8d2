#include "gallery/techniques.h"

namespace fairlead::gallery {
namespace {

constexpr Technique kTechniques[] = {
    {"A1", "sprites rounded to the nearest facing"},
    {"A2", "an arc as the polygon around it"},
    {"A3", "a line as two lines along facings"},
    {"A4", "fixed angles, tested against walls again"},
    {"B1", "why greedy smoothing is poor for turning units"},
    {"B2", "drive along a way of tiles"},
    {"B4", "searching from the goal too"},
    {"C1", "a line test that misses no corner"},
    {"C2", "the end of a line is tested too"},
    {"C3", "units wider than a tile"},
    {"C4", "exact bodies, not four points of them"},
    {"C5", "swept tiles, exactly"},
    {"C7", "smoothing that terrain costs survive"},
    {"C8", "smoothing over all pairs of waypoints"},
    {"C9", "a window that grows"},
    {"C10", "every word of a curve"},
    {"C13", "rules for cutting corners"},
    {"C14", "answers that say why"},
    {"C16", "a world that changes"},
    {"D1", "the heading in the state of the search"},
    {"D2", "the four ways of arc, line, arc"},
    {"D3", "circles in the same sense"},
    {"D4", "circles in opposite senses"},
    {"D6", "Directional-8, -24 and -48"},
    {"D11", "the hit-check table"},
    {"D13", "reverse gear"},
    {"D14", "what a lattice misses"},
    {"E1", "A* that relaxes its frontier"},
    {"E2", "A* that counts the way so far"},
    {"E4", "turns in the state of the search"},
    {"E6", "places inside the turning circle"},
    {"F1", "a search window of fixed size"},
    {"F2", "the range that a window allows"},
    {"G1", "drawing what a search looked at"},
    {"G2", "drawing the way without the search"},
    {"G3", "counting what a search looked at"},
    {"K1", "the turning radius of a unit"},
    {"K2", "an arc, then a line"},
    {"K3", "is the place within the circle?"},
    {"K4", "a way as lines and arcs"},
    {"K5", "where a unit is at a time"},
    {"L1", "curves that ignore walls"},
    {"L3", "tighter turns where it must be"},
    {"L4", "three-point turns"},
    {"M1", "on to the last visible node"},
    {"M2", "one sight test a frame"},
    {"P1", "the zigzag of tile routes"},
    {"P2", "is a straight move free?"},
    {"P3", "greedy smoothing"},
    {"P4", "smoothing by line of sight"},
    {"P5", "impossible parts, left or refused"},
    {"P6", "straight runs as one leg"},
    {"P9", "portal middles and a look ahead"},
    {"P10", "the funnel"},
    {"P11", "on which side of a line?"},
    {"P12", "the best corridor, not just a taut one"},
    {"R1", "the shortest curve leaves the road"},
    {"R2", "road tiles only"},
    {"R3", "off the road is forbidden"},
    {"R5", "cones beside the road"},
    {"S1", "A* and its kin"},
    {"S2", "the choice of a heuristic"},
    {"S3", "what is promised of the cost"},
    {"S5", "why there is no way"},
    {"S6", "neighbourhoods"},
    {"S7", "a price on turns"},
    {"S8", "greedy best-first search"},
    {"T5", "what to do without a way"},
    {"V6", "blocks: occupied, distance, visible"},
    {"V7", "A* over voxels"},
    {"V8", "a flat plate and its ball of nodes"},
    {"V11", "a goal within an object"},
    {"W1", "a weighted directed graph"},
    {"W2", "waypoints"},
    {"W3", "a grid with costs"},
    {"W4", "a navigation mesh"},
    {"W6", "a local grid on a mesh"},
    {"W7", "terrain costs"},
    {"W8", "slices of a cylinder"},
    {"W9", "a voxel map"},
    {"W10", "floors"},
    {"X2", "speed in the state of the search"},
    {"X3", "people, who turn on the spot"},
    {"X5", "many units at once"},
};

}  // namespace

std::span<const Technique> all_techniques() { return kTechniques; }

std::string_view technique_name(std::string_view id) {
    for (const Technique& technique : kTechniques) {
        if (technique.id == id) return technique.name;
    }
    return "";
}

}  // namespace fairlead::gallery
