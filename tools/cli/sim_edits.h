// Edits of the world at given times: --edits of `sim`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/grid/grid.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead::cli {

class SimEdits {
  public:
    virtual ~SimEdits() = default;
    /// All edits of times up to `now` that were not made yet. True: there was one.
    virtual bool apply_until(double now) = 0;
};

/// A line of a file of edits that is not empty; a first line that begins with t_s is a header.
struct EditLine {
    std::string where;
    std::int64_t number = 0;
    std::vector<std::string> fields;
};
/// Fails where there are more fields than `count`, or fewer. An empty path: no lines.
[[nodiscard]] std::vector<EditLine> edit_lines(const std::string& path, std::size_t count);
[[nodiscard]] std::int64_t to_whole(const std::string& where, std::string_view text, double low, double high);

/// Lines `t_s,x0,y0,x1,y1,tile`: cells, half open.
class TileEdits : public SimEdits {
  public:
    /// An empty path: none.
    TileEdits(const std::string& path, Grid& grid);
    bool apply_until(double now) override;

  private:
    struct Line {
        double at = 0.0;
        CellRect rect{};
        std::uint8_t tile = 0;
    };
    Grid& grid_;
    std::vector<Line> lines_;
    std::size_t next_ = 0;
};

/// A line `t_s,add|remove,id,x0,y0,z0,x1,y1,z1`.
struct BoxLine {
    double at = 0.0;
    bool add = false;
    std::int64_t id = 0;
    std::int64_t line = 0;
    Vec3 low{};
    Vec3 high{};
};
/// By time. An empty path: none.
[[nodiscard]] std::vector<BoxLine> box_lines(const std::string& path);

/// Boxes that come and go.
class MeshEdits : public SimEdits {
  public:
    MeshEdits(const std::string& path, NavMesh& mesh);
    bool apply_until(double now) override;

  private:
    NavMesh& mesh_;
    std::string path_;
    std::vector<BoxLine> lines_;
    std::size_t next_ = 0;
};

}  // namespace fairlead::cli
