// Places of several sizes as one set. Where a small unit cannot pass is within where a larger one cannot, if the larger one fits at all: so
// a place whose axis lies within one place of a larger size is that place.
#include "crowd/places/place_set.h"

#include <algorithm>

#include <fairlead/math/vec.h>

namespace fairlead::crowd {

namespace {

constexpr double kMargin = 1.02;          // as PlacesOptions has it
constexpr double kSameSize = 1.0 - 1e-9;  // radii that differ by less are one size
constexpr std::uint32_t kSizesMax = 32;

Vec2 between(const PlaceNode& a, const PlaceNode& b, double part) { return a.at + (b.at - a.at) * part; }

}  // namespace

void PlaceSet::clear() {
    sheets_.clear();
    radii_.clear();
    places_.clear();
    mouths_.clear();
    facts_.clear();
    floors_ = {};
    one_floor_ = true;
}

bool PlaceSet::add_radius(double radius) {
    for (const double known : radii_) {
        if (known >= radius * kSameSize && radius >= known * kSameSize) return true;
    }
    if (!radii_.push_back(radius)) return false;
    for (std::size_t i = radii_.size() - 1; i > 0 && radii_[i - 1] > radii_[i]; --i)
        std::swap(radii_[i - 1], radii_[i]);
    return true;
}

/// Of units of a radius; radii_.size(): they are larger than all.
std::uint32_t PlaceSet::size_of(double radius) const {
    std::uint32_t size = 0;
    while (size < radii_.size() && !(radii_[size] >= radius * kSameSize)) ++size;
    return size;
}

bool PlaceSet::add_sheet(const PlaceSheet& given, std::uint32_t number) {
    Sheet sheet;
    sheet.places = given.places;
    sheet.floor = given.floor;
    sheet.size = size_of(given.places->radius());
    sheet.place = static_cast<std::uint32_t>(places_.size());
    sheet.mouth = static_cast<std::uint32_t>(mouths_.size());
    for (NarrowPlace place : given.places->places()) {
        place.mouth += sheet.mouth;
        if (!places_.push_back(place) || !facts_.push_back({number, kNone, 0})) return false;
    }
    for (const PlaceMouth& mouth : given.places->mouths()) {
        if (!mouths_.push_back(mouth)) return false;
    }
    one_floor_ = one_floor_ && (number == 0 || sheet.floor == sheets_[0].floor);
    return sheets_.push_back(sheet);
}

bool PlaceSet::make(const PlaceSheets& given) {
    clear();
    floors_ = given.floors;
    bool good = true;
    for (const PlaceSheet& sheet : given.sheets) good = good && add_radius(sheet.places->radius());
    for (std::uint32_t i = 0; good && i < given.sheets.size(); ++i) good = add_sheet(given.sheets[i], i);
    if (!good) {
        clear();
        return false;
    }
    drop_strangers();
    for (std::size_t size = radii_.size(); size-- > 0;) {  // larger ones first
        for (std::uint32_t place = 0; place < places_.size(); ++place) {
            if (sheet_of(place).size == size && facts_[place].root == kNone) join(place);
        }
    }
    return true;
}

/// What the sheet of another floor tells of as its own.
void PlaceSet::drop_strangers() {
    if (floors_.home_of == nullptr) return;
    for (std::uint32_t place = 0; place < places_.size(); ++place) {
        const Sheet& mine = sheet_of(place);
        const std::span<const PlaceNode> nodes = mine.places->nodes();
        if (places_[place].nodes < 2) continue;
        const PlaceNode& node = nodes[places_[place].node + places_[place].nodes / 2];
        const Vec2 middle = between(node, nodes[node.parent], 0.5);
        const std::uint32_t home = floors_.home_of(mine.floor, middle, floors_.user);
        if (home == mine.floor) continue;
        for (const Sheet& other : sheets_) {
            if (other.floor != home || other.size != mine.size) continue;
            const std::uint32_t there = other.places->place_at(middle);
            if (there != kNoPlace) facts_[place].root = other.place + there;
        }
    }
}

/// The place of a larger size that the axis of a place lies in.
std::uint32_t PlaceSet::place_around(const Sheet& larger, std::uint32_t place) const {
    const std::span<const PlaceNode> nodes = sheet_of(place).places->nodes();
    std::uint32_t around = kNoPlace;
    for (std::uint32_t i = 1; i < places_[place].nodes; ++i) {
        const PlaceNode& node = nodes[places_[place].node + i];
        for (const double part : {0.25, 0.5, 0.75}) {  // the ends are at the rims of both
            const std::uint32_t here = larger.places->place_at(between(node, nodes[node.parent], part));
            if (here == kNoPlace || (around != kNoPlace && here != around)) return kNoPlace;
            around = here;
        }
    }
    return around;
}

/// Can units of a size not pass those that a place was found for?
bool PlaceSet::meet_in(std::uint32_t place, std::uint32_t size) const {
    return places_[place].kind == PlaceKind::token &&
           0.5 * places_[place].width < kMargin * (radius(place) + radii_[size]);
}

void PlaceSet::join(std::uint32_t place) {
    const Sheet& mine = sheet_of(place);
    for (std::uint32_t size = mine.size + 1; size < radii_.size() && mine.size < kSizesMax; ++size) {
        for (const Sheet& larger : sheets_) {
            if (larger.size != size || larger.floor != mine.floor) continue;
            const std::uint32_t found = place_around(larger, place);
            if (found == kNoPlace) continue;
            std::uint32_t around = larger.place + found;
            const bool lanes =
                places_[around].kind == PlaceKind::lanes && places_[place].kind == PlaceKind::lanes;
            if (!lanes && !meet_in(around, mine.size)) continue;
            while (facts_[around].root != kNone) around = facts_[around].root;
            facts_[place].root = around;
            facts_[around].serves |= std::uint32_t{1} << mine.size;
            return;
        }
    }
}

bool PlaceSet::obeys(std::uint32_t size, std::uint32_t place) const {
    if (facts_[place].root != kNone || places_[place].mouths == 0) return false;
    const std::uint32_t theirs = sheet_of(place).size;
    if (theirs == size) return true;
    const bool one_of_its_own = size < kSizesMax && (facts_[place].serves >> size & 1U) != 0;
    return theirs > size && (one_of_its_own || meet_in(place, size));
}

bool PlaceSet::holds(std::uint32_t place, Vec2 centre, double radius) const {
    const Sheet& sheet = sheet_of(place);
    return sheet.places->place_near(centre, sheet.places->radius() - radius) == place - sheet.place;
}

bool PlaceSet::axis(std::uint32_t place, std::uint32_t from, std::uint32_t to, Array<PlaceNode>& out) const {
    const Sheet& sheet = sheet_of(place);
    return sheet.places->axis(place - sheet.place, from, to, out);
}

bool PlaceSet::add_stretch(std::uint32_t floor, double from, double to) {
    if (!stretches_.empty() && stretches_.back().floor == floor) {
        stretches_.back().to = to;
        return true;
    }
    return stretches_.push_back({floor, from, to});
}

/// By floors, looked at every `step`.
bool PlaceSet::find_stretches(const Place& from, std::span<const WayPoint> way, double step) {
    stretches_.clear();
    Place at = from;
    double done = 0.0;
    for (const WayPoint& next : way) {
        const Vec3 start = at.position;
        const double whole = distance(ground(start), ground(next.at));
        at.layer = next.layer;
        double from_here = 0.0;
        while (true) {
            const double on = from_here + step < whole ? from_here + step : whole;
            const double middle = whole > 0.0 ? 0.5 * (from_here + on) / whole : 0.0;
            at.position = start + (next.at - start) * middle;
            const std::uint32_t floor = floors_.floor_of == nullptr ? static_cast<std::uint32_t>(at.layer)
                                                                    : floors_.floor_of(at, floors_.user);
            if (!add_stretch(floor, done + from_here, done + on)) return false;
            from_here = on;
            if (!(on < whole)) break;
        }
        at.position = next.at;
        done += whole;
    }
    return true;
}

/// The part of a way between two distances, into line_.
bool PlaceSet::cut_line(const Place& from, std::span<const WayPoint> way, double low, double high) {
    line_.clear();
    Vec2 a = ground(from.position);
    double done = 0.0;
    if (low <= 0.0 && !line_.push_back(a)) return false;
    for (const WayPoint& next : way) {
        const Vec2 b = ground(next.at);
        const double whole = distance(a, b);
        if (low > done && low <= done + whole && !line_.push_back(a + (b - a) * ((low - done) / whole)))
            return false;
        if (high < done + whole)
            return line_.push_back(a + (b - a) * (whole > 0.0 ? (high - done) / whole : 0.0));
        if (low <= done + whole && !line_.push_back(b)) return false;
        done += whole;
        a = b;
    }
    return true;
}

/// The places of a sheet along line_, which begins `low` behind the start of the way.
bool PlaceSet::look(const Sheet& sheet, std::uint32_t size, double radius, double low,
                    Array<SetCrossing>& out) {
    if (!sheet.places->crossings(line_.span(), found_, sheet.places->radius() - radius)) return false;
    for (const PlaceCrossing& one : found_) {
        const std::uint32_t place = sheet.place + one.place;
        if (!obeys(size, place)) continue;
        const auto mouth = [&](std::uint32_t m) {
            return m == kNoMouth || m == kOverSide ? kNone : places_[place].mouth + m;
        };
        if (!out.push_back({place, mouth(one.in), mouth(one.out), low + one.from, low + one.to}))
            return false;
    }
    return true;
}

bool PlaceSet::crossings(const Place& from, std::span<const WayPoint> way, double radius,
                         Array<SetCrossing>& out) {
    out.clear();
    const std::uint32_t size = size_of(radius);
    if (size >= radii_.size()) return true;
    const double endless = 1e300;
    if (one_floor_ && floors_.floor_of != nullptr) {
        stretches_.clear();
        if (!stretches_.push_back({sheets_[0].floor, 0.0, endless})) return false;
    } else if (!find_stretches(from, way, floors_.floor_of == nullptr ? endless : radius)) {
        return false;
    }
    for (const Stretch& stretch : stretches_) {
        const double low = stretch.from - floors_.beyond;
        bool cut = false;
        for (const Sheet& sheet : sheets_) {
            if (sheet.floor != stretch.floor || sheet.size < size) continue;
            if (!cut && !cut_line(from, way, low, stretch.to + floors_.beyond)) return false;
            cut = true;
            if (!look(sheet, size, radius, low > 0.0 ? low : 0.0, out)) return false;
        }
    }
    const auto before = [](const SetCrossing& a, const SetCrossing& b) {
        if (a.from != b.from) return a.from < b.from;
        return a.to != b.to ? a.to > b.to : a.place < b.place;
    };
    std::sort(out.begin(), out.end(), before);  // total order
    std::size_t kept = 0;
    for (const SetCrossing& one : out) {  // one within another is a part of it
        if (kept == 0 || one.to > out[kept - 1].to) out[kept++] = one;
    }
    while (out.size() > kept) out.pop_back();
    return true;
}

}  // namespace fairlead::crowd
