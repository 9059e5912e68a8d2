// The peer of mesh queries: Detour as a game uses it, findNearestPoly for both ends, findPath, findStraightPath.
#pragma once

#include <memory>
#include <string>

#include <fairlead/math/vec.h>

namespace fairlead::bench {

class DetourQueries {
  public:
    /// Of tiles as RecastDemo saves them (RecastBake::detour_set). A search may have so many nodes, up to 32768; 2048 in
    /// RecastDemo.
    explicit DetourQueries(const std::string& set, int nodes = 2048);
    DetourQueries(const DetourQueries&) = delete;
    DetourQueries& operator=(const DetourQueries&) = delete;
    ~DetourQueries();

    /// More than before: Detour takes no nodes away.
    void grow_nodes(int nodes);
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
