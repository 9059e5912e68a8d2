#include "mesh/files/link_records.h"

#include "mesh/edit/editor.h"
#include "mesh/search/landmarks.h"

namespace fairlead::mesh {

namespace {

/// Parts of links that any file may have.
constexpr std::uint64_t kLinkRoomLeast = 5000;

// Distances along a link between points differ by its cost at most, but for rounding.
bool is_known(const StateData& state, const LinkPiece& piece) {
    const double far =
        landmark_distance(state, piece.polygon_in, piece.in[0], piece.polygon_out, piece.out[0]);
    const double rounding = (piece.cost + TileLandmarks::kStepsMost * state.landmark_step) * 1e-6;
    return far <= piece.cost + rounding;
}

}  // namespace

void put_link(ByteWriter& out, const StoredLink& stored) {
    const MeshLink& link = stored.link;
    out.put(link.id);
    out.put(link.tag);
    for (const double value : {link.from.x, link.from.y, link.from.z, link.to.x, link.to.y, link.to.z,
                               link.extent, link.cost, link.heading_rad, link.radius_max, link.reach}) {
        out.put(value);
    }
    out.put(link.kind);
    out.put(static_cast<std::uint8_t>(link.one_way ? 1 : 0));
    out.put(static_cast<std::uint8_t>(stored.measured ? 1 : 0));
    out.put(std::uint8_t{0});
    out.put(std::uint32_t{0});
}

bool get_link(ByteReader& in, StoredLink& stored) {
    MeshLink& link = stored.link;
    link.id = in.get<std::uint32_t>();
    link.tag = in.get<std::uint32_t>();
    for (double* value : {&link.from.x, &link.from.y, &link.from.z, &link.to.x, &link.to.y, &link.to.z,
                          &link.extent, &link.cost, &link.heading_rad, &link.radius_max, &link.reach}) {
        *value = in.get<double>();
    }
    link.kind = in.get<std::uint8_t>();
    const auto one_way = in.get<std::uint8_t>(), measured = in.get<std::uint8_t>();
    const auto spare = in.get<std::uint8_t>();
    link.one_way = one_way == 1;
    stored.measured = measured == 1;
    return one_way <= 1 && measured <= 1 && spare == 0 && in.get<std::uint32_t>() == 0 &&
           check_link(link).has_value();
}

std::uint64_t link_room(std::uint64_t file_bytes) {
    return kLinkRoomLeast + 8 * (file_bytes / sizeof(LinkPiece));
}

std::uint32_t find_unknown_link(const StateData& state, const Array<StoredLink>& stored) {
    const LinkTable& table = state.links;
    for (std::uint32_t i = 0; i < stored.size(); ++i) {
        if (!stored[i].measured) continue;
        const LinkRecord& record = table.records[i];
        if (!record.measured) return i;
        if (record.link.extent > 0.0) continue;
        for (std::uint32_t k = record.first; k < record.first + record.count; ++k) {
            if (!is_known(state, table.pieces[k])) return i;
        }
    }
    return kNone;
}

}  // namespace fairlead::mesh
