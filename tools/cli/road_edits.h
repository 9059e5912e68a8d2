// Edits of a roadmap at given times: --edits of `sim`.
#pragma once

#include <fairlead/roadmap/roadmap.h>

#include "cli/sim_edits.h"

namespace fairlead::cli {

/// Lines `t_s,close|open,from,to,one_way`: all edges between two waypoints, or only those from the first to the second (one_way 1); `open`
/// puts back what was closed.
class RoadEdits : public SimEdits {
  public:
    RoadEdits(const std::string& path, Roadmap& roads);
    bool apply_until(double now) override;

  private:
    struct Line {
        double at = 0.0;
        bool close = false;
        WaypointId from{};
        WaypointId to{};
        bool one_way = false;
        std::int64_t line = 0;
    };
    [[nodiscard]] std::vector<WaypointEdge> edges_of(const Line& line) const;
    void close(const Line& line, const std::string& where);
    void open(const Line& line, const std::string& where);

    Roadmap& roads_;
    std::string path_;
    std::vector<Line> lines_;
    std::vector<WaypointEdge> closed_;  ///< each in one direction
    std::size_t next_ = 0;
};

}  // namespace fairlead::cli
