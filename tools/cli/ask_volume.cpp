// Spheres in volumes, and units with a turning circle there.

#include <fairlead/fly/find_fly.h>
#include <fairlead/volume/find_route.h>

#include "cli/any_world.h"
#include "cli/failure.h"
#include "cli/fly_query.h"
#include "cli/volume_world.h"

namespace fairlead::cli {

namespace {

/// What both units share: the volume and its pictures.
class InVolume : public AnyWorld {
  public:
    InVolume(const QueryFlags& flags, const LookFlags* look)
        : volume_(load_volume_world(flags.world)), look_(look) {}

    bool in_space() const override { return true; }
    void check_y_up() const override { fail("--y-up: volumes are seen from aside; --quarter turns them"); }
    std::string svg(const AskedEnds&, const Answer& answer, bool) const override {
        return make_svg(picture(answer));
    }
    std::string png(const Answer& answer) const override { return make_png(picture(answer)); }
    std::string obj(const Answer& answer) const override { return make_obj(picture(answer)); }

  protected:
    [[nodiscard]] const Volume& volume() const { return volume_; }

  private:
    [[nodiscard]] VolumePicture picture(const Answer& answer) const {
        return {volume_, *look_, &answer.route, &answer.events};
    }

    Volume volume_;
    const LookFlags* look_;
};

class Spheres final : public InVolume {
  public:
    Spheres(const QueryFlags& flags, const LookFlags* look, const VolumeQuery& plain)
        : InVolume(flags, look), prices_(flags.prices.prices()), plain_(plain) {
        plain_.areas = prices_;
    }

    void check(const AskedEnds& ends) const override { (void)query(ends); }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool watched) const override {
        return search_into(volume(), query(ends), scratch, out, watched);
    }
    std::string error(const Error& error) const override { return volume_error_text(error); }
    bool is_explained() const override { return true; }

  private:
    [[nodiscard]] VolumeQuery query(const AskedEnds& ends) const {
        VolumeQuery query = plain_;
        fill(query, ends);
        return query;
    }

    std::vector<VolumeArea> prices_;
    VolumeQuery plain_;
};

class Flyers final : public InVolume {
  public:
    Flyers(const QueryFlags& flags, const LookFlags* look, const FlyQuery& plain)
        : InVolume(flags, look), plain_(plain) {}

    void check(const AskedEnds& ends) const override { (void)query(ends); }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool watched) const override {
        return search_into(volume(), query(ends), scratch, out, watched);
    }
    std::string error(const Error& error) const override { return fly_error_text(error); }
    bool is_explained() const override { return true; }
    bool turns_on_spot() const override { return false; }

  private:
    [[nodiscard]] FlyQuery query(const AskedEnds& ends) const {
        FlyQuery query = plain_;
        fill(query, ends);
        return query;
    }

    FlyQuery plain_;
};

}  // namespace

std::unique_ptr<AnyWorld> ask_volume(const QueryFlags& flags, const LookFlags* look) {
    const Flyer flyer = flags.unit.flyer();
    const bool turns = flyer.agent.turning_radius > 0;
    if (turns) flags.prices.refuse("not for units with a --turning-radius");
    refuse_flat(flags, "not in volumes", false);
    if (turns) return std::make_unique<Flyers>(flags, look, fly_query(flyer, flags.planner));
    return std::make_unique<Spheres>(flags, look, volume_query(flyer.agent, flags.planner));
}

}  // namespace fairlead::cli
