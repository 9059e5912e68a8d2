// What figures of volumes have in common: a flight with its trace, and a painted volume with its view.
#pragma once

#include <string>

#include <fairlead/debug/debug.h>
#include <fairlead/volume/find_route.h>

#include "gallery/figure.h"
#include "gallery/need.h"
#include "scenes/spaces.h"

namespace fairlead::gallery {

/// A query with its answer and all that its search told.
struct Flight {
    Route route;
    debug::Trace trace;

    Flight(const VolumeState& volume, const VolumeQuery& query);
};

[[nodiscard]] Row flight_row(const std::string& label, const Flight& flight, const VolumeState& volume,
                             const Agent& agent = {});
/// "312 nodes opened, length 81.4".
[[nodiscard]] std::string opened_text(const Flight& flight);

/// Blocks that are painted, then looked at. Stays where it is: the view points to the blocks.
class Shot {
  public:
    template <class Paint>
    Shot(const VolumeState& volume, const debug::BlockViewOptions& look, const Paint& paint,
         const debug::BlocksOptions& options = {})
        : blocks_(need(debug::Blocks::make(volume, options))) {
        paint(blocks_);
        view_.emplace(need(debug::BlockView::make(blocks_, look)));
    }
    Shot(const Shot&) = delete;
    Shot& operator=(const Shot&) = delete;

    [[nodiscard]] const debug::Blocks& blocks() const { return blocks_; }
    [[nodiscard]] const debug::BlockView& view() const { return *view_; }
    [[nodiscard]] Panel panel(std::string title) const { return {view_->bounds(), std::move(title), true}; }

  private:
    debug::Blocks blocks_;
    std::optional<debug::BlockView> view_;
};

namespace legend {
[[nodiscard]] LegendItem stone(std::string text = "solid");
[[nodiscard]] LegendItem section(debug::Color color = debug::palette::kWall);  ///< solid, cut open
[[nodiscard]] LegendItem hidden();                                             ///< the way behind something
}  // namespace legend

}  // namespace fairlead::gallery
