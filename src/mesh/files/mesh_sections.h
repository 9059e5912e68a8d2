// The sections of baked meshes and tiles, kinds MESH and MTIL. FORMAT.md says what the records mean.
#pragma once

#include <cstdint>
#include <cstring>

#include <fairlead/base/baked.h>
#include <fairlead/base/digest.h>
#include <fairlead/mesh/save_mesh.h>

#include "base/section_loader.h"

namespace fairlead::mesh {

inline constexpr std::uint16_t kMeshMajor = 1;
inline constexpr std::uint16_t kMeshMinor = 0;
inline constexpr std::uint16_t kLinkedMeshMinor = 1;  ///< of kind MESH, with links
/// Numbers of heights have digits behind the point, or there are obstacles. Links may be there or not.
inline constexpr std::uint16_t kFineMeshMinor = 2;

inline constexpr SectionKind kOptionsSection{four_letters("OPTS"), 72};
inline constexpr SectionKind kTileSection{four_letters("TILE"), 72};
inline constexpr SectionKind kVertexSection{four_letters("VERT"), 20};
inline constexpr SectionKind kPolygonSection{four_letters("POLY"), 12};
inline constexpr SectionKind kCornerSection{four_letters("CORN"), 4};
inline constexpr SectionKind kHeightLayerSection{four_letters("HLAY"), 12};
inline constexpr SectionKind kHeightRowSection{four_letters("HROW"), 12};
inline constexpr SectionKind kHeightBlockSection{four_letters("HBLK"), 16};
inline constexpr SectionKind kHeightWordSection{four_letters("HWRD"), 4};
inline constexpr SectionKind kLandmarkSection{four_letters("LAND"), 4};  ///< only with landmarks

/// What OPTS holds.
struct SavedOptions {
    MeshFrame frame{};
    std::int32_t quantum_exponent = 0;
    std::uint32_t landmarks = 0;

    /// The header's hash of the options.
    [[nodiscard]] std::uint64_t hash() const {
        Digest digest;
        for (const double value :
             {frame.origin.x, frame.origin.y, frame.origin.z, frame.tile_size, frame.step_height,
              frame.agent_radius, frame.agent_height, frame.radius_max}) {
            digest.add(value);
        }
        digest.add(quantum_exponent);
        digest.add(landmarks);
        return digest.value();
    }
};

inline void put_float(ByteWriter& out, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    out.put(bits);
}

[[nodiscard]] inline float get_float(ByteReader& in) {
    const auto bits = in.get<std::uint32_t>();
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// The header's hash of the source: of the tiles' keys, if all have one.
class SourceHash {
  public:
    void add(std::uint64_t key) {
        digest_.add(key);
        known_ = known_ && key != 0;
        ++count_;
    }
    [[nodiscard]] std::uint64_t value() const { return known_ && count_ > 0 ? digest_.value() : 0; }

  private:
    Digest digest_;
    bool known_ = true;
    std::uint64_t count_ = 0;
};

}  // namespace fairlead::mesh
