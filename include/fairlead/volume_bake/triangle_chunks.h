// TriangleChunks: triangles as a source of chunks (volume/stream.h). Each is baked when it is asked for.
//
//     const bake::VolumeBakeOptions options{.give_bounds = true, .low = low, .high = high};
//     Result<Volume> space = Volume::make(*bake::streamed_volume(options));
//     bake::TriangleChunks chunks(soup, options);
//     Result<Route> way = find_route_on_demand(*space, query, scratch, chunks.source());
//
// The same voxels as of bake_volume, whatever the order. Cost: each chunk looks at all triangles (2 ns each); where there are millions,
// sort them by chunk first and give volume_chunk what touches it. Errors of the source: those of volume_chunk().
#pragma once

#include <fairlead/volume/stream.h>
#include <fairlead/volume_bake/volume_bake.h>

namespace fairlead::bake {

class TriangleChunks {
  public:
    /// The soup, and what the options point to, outlive it.
    TriangleChunks(const TriangleSoup& soup, const VolumeBakeOptions& options)
        : soup_(soup), options_(options) {}

    /// Valid while this object lives and stays where it is.
    [[nodiscard]] VolumeSource source();

  private:
    TriangleSoup soup_;
    VolumeBakeOptions options_;
};

}  // namespace fairlead::bake
