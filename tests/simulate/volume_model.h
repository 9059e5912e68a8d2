// What the oracles know of a volume at one revision: its voxels as an array, what is joined to what, and how much room there is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/query.h>
#include <fairlead/volume/volume.h>

#include "oracle/volume_dense.h"

namespace fairlead::simulate {

enum class Answer : std::uint8_t { no, yes, unsure };

struct VolumeModel {
    oracle::VolumeDense world;
    std::vector<std::int32_t> components;  ///< by voxel; -1: solid
    std::vector<std::uint8_t> absent;      ///< by voxel; 1: its chunk is not there, and it is solid

    /// With all chunks there, or none.
    void begin(bool streamed);
    void edit(const VolumeEdit& edit);
    void join() { components = oracle::volume_components(world); }
    [[nodiscard]] double side() const;
    [[nodiscard]] bool is_cubes() const;  ///< of side 1

    /// The one voxel that a place is in; none near a side of one, or outside.
    [[nodiscard]] std::optional<Voxel> voxel_of(Vec3 at) const;
    /// Is the place in the bounds?
    [[nodiscard]] Answer holds(Vec3 at) const;
    [[nodiscard]] Answer fits(Vec3 at, double radius) const;
    /// Distance to the nearest solid voxel or bound.
    [[nodiscard]] double room(Vec3 at) const;

    /// The same, of what is nearer than `most`; else at least that.
    [[nodiscard]] double room_within(Voxel middle_of, double most) const;

    struct Nearest {
        Answer found = Answer::no;  ///< unsure: several are as near, or rounding decides
        Voxel voxel{};
        double distance = 0.0;
    };
    /// The middle nearest to a place where a sphere fits; of component `joined` only, if that is not -1.
    [[nodiscard]] Nearest nearest_place(Vec3 at, double radius, double reach, std::int32_t joined = -1) const;

    /// Does a sphere wider than a voxel get from one place to another? Cubes, few of them. By places 1/4 apart: yes where they are
    /// joined with so much more room that all between is free, no where they are not even with less.
    [[nodiscard]] Answer gets(Vec3 from, Vec3 to, double radius) const;
};

}  // namespace fairlead::simulate
