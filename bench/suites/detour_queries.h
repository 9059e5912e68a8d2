// The peer of mesh queries: Detour as a game uses it, findNearestPoly for both ends, findPath, findStraightPath.
#pragma once

#include <memory>
#include <string>

#include <fairlead/math/vec.h>

namespace fairlead::bench {

class DetourQueries {
  public:
    /// Of tiles as RecastDemo saves them (RecastBake::detour_set).
    explicit DetourQueries(const std::string& set);
    DetourQueries(const DetourQueries&) = delete;
    DetourQueries& operator=(const DetourQueries&) = delete;
    ~DetourQueries();

    /// How many nodes a search may have, a power of two up to 32768. At first 2048, as in RecastDemo.
    void set_nodes(int nodes);
    [[nodiscard]] int nodes() const;

    /// One query; the answer stays inside.
    void ask(const Vec3& start, const Vec3& goal);
    /// About the last query.
    [[nodiscard]] bool arrived() const;
    [[nodiscard]] bool out_of_nodes() const;
    [[nodiscard]] double length() const;  ///< on the ground plane

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

}  // namespace fairlead::bench
