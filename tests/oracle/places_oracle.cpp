#include "oracle/places_oracle.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fairlead::oracle {

namespace {

constexpr double kTiny = 1e-7;

}  // namespace

void PlacesOracle::measure(const std::vector<std::uint8_t>& walls, int width, int height) {
    for (int py = 0; py < rows_; ++py) {
        for (int px = 0; px < columns_; ++px) {
            // What is outside is solid: the nearest of it is straight ahead.
            std::int64_t least = std::min({px, py, width - px, height - py});
            least *= least;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    if (walls[static_cast<std::size_t>(y * width + x)] == 0) continue;
                    const std::int64_t dx = std::max({x - px, px - (x + 1), 0});
                    const std::int64_t dy = std::max({y - py, py - (y + 1), 0});
                    least = std::min(least, dx * dx + dy * dy);
                }
            }
            distance.push_back(least);
        }
    }
}

std::vector<bool> PlacesOracle::reached(double disc, double radius) const {
    const double reach = disc - radius + std::sqrt(2.0);
    std::vector<bool> result(distance.size(), false);
    for (std::size_t q = 0; q < distance.size(); ++q) {
        if (std::sqrt(static_cast<double>(distance[q])) < disc - kTiny) continue;
        for (std::size_t p = 0; p < distance.size(); ++p) {
            const int dx = static_cast<int>(p) % columns_ - static_cast<int>(q) % columns_;
            const int dy = static_cast<int>(p) / columns_ - static_cast<int>(q) / columns_;
            if (std::sqrt(static_cast<double>(dx * dx + dy * dy)) <= reach + kTiny) result[p] = true;
        }
    }
    for (std::size_t p = 0; p < distance.size(); ++p) result[p] = result[p] && stands[p];
    return result;
}

std::vector<int> PlacesOracle::around(int point, int reach) const {
    std::vector<int> result;
    for (int dy = -reach; dy <= reach; ++dy) {
        for (int dx = -reach; dx <= reach; ++dx) {
            const int x = point % columns_ + dx;
            const int y = point / columns_ + dy;
            if (x >= 0 && y >= 0 && x < columns_ && y < rows_ && (dx != 0 || dy != 0)) {
                result.push_back(y * columns_ + x);
            }
        }
    }
    return result;
}

std::vector<std::set<int>> PlacesOracle::floods(const std::vector<bool>& member) const {
    std::vector<std::set<int>> result;
    std::vector<bool> seen(member.size(), false);
    for (int p = 0; p < static_cast<int>(member.size()); ++p) {
        if (!member[static_cast<std::size_t>(p)] || seen[static_cast<std::size_t>(p)]) continue;
        std::set<int> piece{p};
        std::vector<int> todo{p};
        seen[static_cast<std::size_t>(p)] = true;
        while (!todo.empty()) {
            const int here = todo.back();
            todo.pop_back();
            for (const int next : around(here, 1)) {
                if (!member[static_cast<std::size_t>(next)] || seen[static_cast<std::size_t>(next)]) continue;
                seen[static_cast<std::size_t>(next)] = true;
                piece.insert(next);
                todo.push_back(next);
            }
        }
        result.push_back(piece);
    }
    return result;
}

/// `other`: by point, which piece of another kind, or -1.
std::vector<PlacesOracle::Touch> PlacesOracle::touches(const std::set<int>& piece,
                                                       const std::vector<int>& other) const {
    std::vector<Touch> result;
    for (const int p : piece) {
        int beyond = -1;
        for (const int next : around(p, 1)) {
            if (beyond < 0) beyond = other[static_cast<std::size_t>(next)];
        }
        if (beyond < 0) continue;
        Touch joined{{p}, {beyond}};
        for (std::size_t i = 0; i < result.size();) {
            bool near = result[i].beyond.count(beyond) != 0;
            bool touching = false;
            for (const int q : around(p, 2)) touching = touching || result[i].rim.count(q) != 0;
            near = near && touching;
            if (near) {
                joined.rim.insert(result[i].rim.begin(), result[i].rim.end());
                result.erase(result.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
        }
        result.push_back(joined);
    }
    return result;
}

/// The largest D^2 with which the points that keep it join some point of every mouth.
std::int64_t PlacesOracle::keepable(const Place& place, const std::vector<Touch>& mouths) const {
    std::set<std::int64_t> values;
    for (const int p : place.points) values.insert(distance[static_cast<std::size_t>(p)]);
    std::int64_t best = 0;
    for (const std::int64_t value : values) {
        std::vector<bool> member(distance.size(), false);
        for (const int p : place.points) {
            const auto i = static_cast<std::size_t>(p);
            member[i] = distance[i] >= value;
        }
        for (const std::set<int>& piece : floods(member)) {
            bool all = true;
            for (const Touch& mouth : mouths) {
                bool meets = false;
                for (const int p : mouth.rim) meets = meets || piece.count(p) != 0;
                all = all && meets;
            }
            if (all) best = value;
        }
    }
    return best;
}

void PlacesOracle::find_tokens(const std::vector<bool>& pair, double least) {
    std::vector<bool> narrow(stands);
    for (std::size_t p = 0; p < narrow.size(); ++p) narrow[p] = stands[p] && !pair[p];
    const std::vector<std::set<int>> wide = floods(pair);
    std::vector<int> wide_of(stands.size(), -1);
    for (std::size_t w = 0; w < wide.size(); ++w) {
        for (const int p : wide[w]) wide_of[static_cast<std::size_t>(p)] = static_cast<int>(w);
    }
    std::vector<std::set<int>> space = wide;
    std::vector<std::set<int>> passages;
    std::vector<std::vector<Touch>> mouths;
    for (const std::set<int>& piece : floods(narrow)) {
        std::vector<Touch> found = touches(piece, wide_of);
        if (found.size() == 1)
            space[static_cast<std::size_t>(*found[0].beyond.begin())].insert(piece.begin(), piece.end());
        if (found.size() < 2) continue;
        passages.push_back(piece);
        mouths.push_back(found);
    }
    std::vector<int> count(wide.size(), 0);
    for (const auto& list : mouths) {
        for (const Touch& mouth : list) ++count[static_cast<std::size_t>(*mouth.beyond.begin())];
    }
    std::vector<bool> pocket(wide.size(), false);
    for (std::size_t w = 0; w < wide.size(); ++w) {
        pocket[w] = count[w] >= 2 && static_cast<double>(space[w].size()) < least;
    }
    // Passages that share a pocket are one, again and again.
    std::vector<std::size_t> group(passages.size());
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        std::map<int, std::size_t> least_of;
        for (int round = 0; round < 2; ++round) {
            for (std::size_t i = 0; i < passages.size(); ++i) {
                for (const Touch& mouth : mouths[i]) {
                    const int w = *mouth.beyond.begin();
                    if (!pocket[static_cast<std::size_t>(w)]) continue;
                    const auto at = least_of.emplace(w, group[i]).first;
                    at->second = std::min(at->second, group[i]);
                    if (group[i] != at->second) changed = true;
                    group[i] = at->second;
                }
            }
        }
    }
    std::set<int> used;
    for (std::size_t g = 0; g < passages.size(); ++g) {
        Place place;
        std::vector<Touch> ends;
        std::set<int> joined;
        for (std::size_t i = 0; i < passages.size(); ++i) {
            if (group[i] != g) continue;
            place.points.insert(passages[i].begin(), passages[i].end());
            for (const Touch& mouth : mouths[i]) {
                const int w = *mouth.beyond.begin();
                if (pocket[static_cast<std::size_t>(w)]) {
                    joined.insert(w);
                } else {
                    ends.push_back(mouth);
                }
            }
        }
        if (ends.empty()) continue;
        for (const Touch& mouth : ends) used.insert(*mouth.beyond.begin());
        for (const int w : joined) {
            place.points.insert(space[static_cast<std::size_t>(w)].begin(),
                                space[static_cast<std::size_t>(w)].end());
        }
        place.mouths = static_cast<int>(ends.size());
        place.pockets = static_cast<int>(joined.size());
        place.widest = keepable(place, ends);
        tokens.push_back(place);
    }
    for (const int w : used) rooms.push_back(space[static_cast<std::size_t>(w)]);
}

void PlacesOracle::find_lanes(const std::vector<bool>& four) {
    std::vector<bool> token(stands.size(), false);
    for (const Place& place : tokens) {
        for (const int p : place.points) token[static_cast<std::size_t>(p)] = true;
    }
    std::vector<bool> narrow(stands.size(), false);
    std::vector<bool> wide(stands.size(), false);
    for (std::size_t p = 0; p < stands.size(); ++p) {
        narrow[p] = stands[p] && !four[p] && !token[p];
        wide[p] = four[p] && !token[p];
    }
    std::vector<int> other(stands.size(), -1);
    int number = 0;
    int first_token = 0;
    for (const std::vector<bool>* kind : {&wide, &token}) {
        if (kind == &token) first_token = number;
        for (const std::set<int>& piece : floods(*kind)) {
            for (const int p : piece) other[static_cast<std::size_t>(p)] = number;
            ++number;
        }
    }
    for (const std::set<int>& piece : floods(narrow)) {
        const std::vector<Touch> mouths = touches(piece, other);
        if (mouths.size() < 2) continue;
        Place place{.token = false, .points = piece, .mouths = static_cast<int>(mouths.size())};
        for (const Touch& mouth : mouths)
            place.mouths_to_tokens += *mouth.beyond.begin() >= first_token ? 1 : 0;
        place.widest = keepable(place, mouths);
        lanes.push_back(place);
    }
}

PlacesOracle::PlacesOracle(const std::vector<std::uint8_t>& walls, int width, int height, double radius,
                           double margin, double pocket)
    : columns_(width + 1), rows_(height + 1) {
    measure(walls, width, height);
    for (const std::int64_t d : distance)
        stands.push_back(std::sqrt(static_cast<double>(d)) >= radius - kTiny);
    const std::vector<bool> pair = reached(2.0 * radius * margin, radius);
    const std::vector<bool> four = reached(4.0 * radius * margin, radius);
    find_tokens(pair, pocket * 4.0 * radius * radius);
    find_lanes(four);
    const auto by_first = [](const Place& a, const Place& b) {
        return *a.points.begin() < *b.points.begin();
    };
    std::sort(tokens.begin(), tokens.end(), by_first);
    std::sort(lanes.begin(), lanes.end(), by_first);
    std::sort(rooms.begin(), rooms.end(),
              [](const auto& a, const auto& b) { return *a.begin() < *b.begin(); });
}

}  // namespace fairlead::oracle
