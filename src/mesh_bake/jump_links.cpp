// Take-offs along walls, landings, and links of them.
#include <fairlead/mesh_bake/jump_links.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"

namespace fairlead::bake {

namespace {

enum JumpClass : std::uint8_t { kJumpDown, kJumpAcross };

Result<void> check_jump(const JumpOptions& o) {
    constexpr double kMost = 1e6;
    const double numbers[] = {o.agent_radius, o.agent_height, o.climb,     o.drop_min,
                              o.drop_max,     o.drop_reach,   o.gap_max,   o.rise_max,
                              o.apex,         o.gravity,      o.speed_max, o.sample_step};
    constexpr Field kFields[] = {Field::agent_radius, Field::agent_height, Field::climb,
                                 Field::drop_min,     Field::drop_max,     Field::drop_reach,
                                 Field::gap_max,      Field::rise_max,     Field::apex,
                                 Field::gravity,      Field::speed,        Field::sample_step};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
        if (!(numbers[i] >= 0.0 && numbers[i] <= kMost)) return Error{ErrorCode::out_of_range, kFields[i]};
    }
    if (o.rise_max > o.apex) return Error{ErrorCode::out_of_range, Field::rise_max};
    if (!(o.gravity >= 1e-6)) return Error{ErrorCode::out_of_range, Field::gravity};
    if (!(o.sample_step >= 1e-6)) return Error{ErrorCode::out_of_range, Field::sample_step};
    if (o.kind_down >= kLinkKindsMax) return Error{ErrorCode::out_of_range, Field::kind_down, o.kind_down};
    if (o.kind_across >= kLinkKindsMax)
        return Error{ErrorCode::out_of_range, Field::kind_across, o.kind_across};
    return {};
}

/// A take-off of a side.
struct TakeOff {
    Vec3 at{};
    bool done[2] = {};   ///< by class: it has its jump
    bool lands = false;  ///< at the distance at hand
    double z = 0.0;
};

class JumpFinder {
  public:
    JumpFinder(const SolidSpace& space, const NavMeshState& mesh, const JumpOptions& options,
               Array<MeshLink>& out)
        : space_(space), mesh_(mesh), options_(options), out_(out), samples_(out.allocator()) {}

    [[nodiscard]] Result<void> run() {
        out_.clear();
        for (std::uint32_t i = 0; i < mesh_.polygons(); ++i) {
            const PolygonId polygon = mesh_.polygon(i);
            const std::uint32_t corners = mesh_.corners(polygon);
            for (std::uint32_t k = 0; k < corners; ++k) {
                if (mesh_.neighbour(polygon, k).valid()) continue;
                const Result<void> done =
                    look_from(mesh_.corner(polygon, k), mesh_.corner(polygon, k + 1 < corners ? k + 1 : 0));
                if (!done) return done;
            }
        }
        return {};
    }

  private:
    // The wall has the surface on its left.
    [[nodiscard]] Result<void> look_from(Vec3 a, Vec3 b) {
        const Vec2 way = ground(b) - ground(a);
        const double wide = length(way);
        const double parts = std::ceil(wide / options_.sample_step);
        if (!(wide > 0.0)) return {};
        if (parts > 1e6) return Error{ErrorCode::out_of_range, Field::sample_step};
        along_ = way * (1.0 / wide);
        ahead_ = {along_.y, -along_.x};
        samples_.clear();
        for (double i = 0.5; i < parts; i += 1.0) {
            if (!samples_.push_back({a + (b - a) * (i / parts)})) return kNoMemory;
        }
        const double step = space_.frame.cell_size;
        const double most = std::max(options_.drop_reach, options_.gap_max);
        for (double far = step; far <= most; far += step) {
            if (far <= options_.drop_reach) {
                const Result<void> done = join(far, kJumpDown);
                if (!done) return done;
            }
            if (far <= options_.gap_max) {
                const Result<void> done = join(far, kJumpAcross);
                if (!done) return done;
            }
        }
        return {};
    }

    // All take-offs that can land at a distance; those side by side are one link.
    [[nodiscard]] Result<void> join(double far, JumpClass kind) {
        for (TakeOff& sample : samples_) {
            sample.lands = !sample.done[kind] && lands(sample, far, kind);
            sample.done[kind] = sample.done[kind] || sample.lands;
        }
        for (std::size_t i = 0; i < samples_.size();) {
            std::size_t end = i;
            while (end < samples_.size() && samples_[end].lands &&
                   (end == i || std::fabs(samples_[end].z - samples_[end - 1].z) <= options_.climb)) {
                ++end;
            }
            if (end == i) {
                ++i;
                continue;
            }
            const Result<void> done = put(i, end - 1, far, kind);
            if (!done) return done;
            i = end;
        }
        return {};
    }

    [[nodiscard]] bool lands(TakeOff& sample, double far, JumpClass kind) const {
        const Vec2 there = ground(sample.at) + ahead_ * far;
        const bool down = kind == kJumpDown;
        // Nearest in height to the highest place that counts, or to the take-off.
        const double z = down ? sample.at.z - options_.drop_min : sample.at.z;
        const MeshReach reach{
            .across = 0.0,
            .above = down ? 0.0 : options_.rise_max,
            .below = down ? std::max(0.0, options_.drop_max - options_.drop_min) : options_.drop_min};
        const MeshPoint landing = mesh_.nearest({there.x, there.y, z}, reach);
        if (!landing.polygon.valid()) return false;
        const JumpFlight flight = make_flight(sample.at, landing.position, options_);
        if (!(far <= options_.speed_max * flight.time)) return false;
        sample.z = landing.position.z;
        return is_clear(space_, flight, options_);
    }

    [[nodiscard]] Result<void> put(std::size_t first, std::size_t last, double far, JumpClass kind) {
        const std::uint64_t id = std::uint64_t{options_.first_id} + out_.size();
        if (id > UINT32_MAX) return Error{ErrorCode::size_limit, -1, UINT32_MAX};
        const TakeOff& a = samples_[first];
        const TakeOff& b = samples_[last];
        MeshLink link;
        link.id = static_cast<std::uint32_t>(id);
        link.from = (a.at + b.at) * 0.5;
        const Vec2 to = ground(link.from) + ahead_ * far;
        link.to = {to.x, to.y, (a.z + b.z) * 0.5};
        link.extent = distance(ground(a.at), ground(b.at));
        link.one_way = true;
        link.kind = kind == kJumpDown ? options_.kind_down : options_.kind_across;
        link.heading_rad = math::atan2(ahead_.y, ahead_.x);
        link.tag = kind == kJumpDown ? options_.tag_down : options_.tag_across;
        link.radius_max = options_.agent_radius;
        return out_.push_back(link) ? Result<void>{} : Result<void>{kNoMemory};
    }

    const SolidSpace& space_;
    const NavMeshState& mesh_;
    const JumpOptions& options_;
    Array<MeshLink>& out_;
    Array<TakeOff> samples_;
    Vec2 along_{};
    Vec2 ahead_{};
};

}  // namespace

Result<void> find_jump_links(const SolidSpace& space, const NavMeshState& mesh, const JumpOptions& options,
                             Array<MeshLink>& out) {
    out.clear();
    const Result<void> checked = check_jump(options);
    if (!checked) return checked;
    return JumpFinder(space, mesh, options, out).run();
}

Result<void> find_jump_links(const TriangleSoup& soup, const BakeOptions& bake, const NavMeshState& mesh,
                             const JumpOptions& options, Array<MeshLink>& out) {
    out.clear();
    const GridFrame frame{bake.give_origin ? bake.origin : soup_low_corner(soup),
                          effective_cell_size(bake.cell_size), bake.cell_height};
    const Result<GridSoup> grid =
        prepare_soup(soup, frame, {.slope_max_rad = bake.slope_max_rad}, bake.allocator);
    if (!grid) return grid.error();
    if (grid->triangles.empty()) return check_jump(options);
    const auto low = [&](int axis) { return static_cast<std::int32_t>(std::floor(grid->low[axis])); };
    const auto high = [&](int axis) { return static_cast<std::int32_t>(std::floor(grid->high[axis])) + 1; };
    Result<SpanField> field = SpanField::make({low(0), low(1), high(0), high(1)}, bake.allocator);
    if (!field) return field.error();
    const Result<void> filled = field->add(*grid);
    if (!filled) return filled;
    return find_jump_links({&*field, frame}, mesh, options, out);
}

}  // namespace fairlead::bake
