// One record of numbers, then a byte a column.

#include <fairlead/cylinder/save_cylinder.h>

#include <fairlead/base/baked.h>
#include <fairlead/base/digest.h>

#include "base/no_memory.h"
#include "base/section_loader.h"
#include "cylinder/columns.h"

namespace fairlead {

namespace {

constexpr std::uint16_t kMajor = 1;
constexpr std::uint16_t kMinor = 0;
constexpr SectionKind kShapeSection{four_letters("OPTS"), 56};
constexpr SectionKind kColumnSection{four_letters("COLS"), 1};

std::uint64_t options_hash_of(const Cylinder& shape) {
    Digest digest;
    for (const double value : {shape.origin.x, shape.origin.y, shape.origin.z, shape.radius, shape.thickness})
        digest.add(value);
    for (const std::int32_t value :
         {static_cast<std::int32_t>(shape.axis), shape.slices, shape.around, shape.along})
        digest.add(value);
    return digest.value();
}

void put_shape(ByteWriter& out, const Cylinder& shape) {
    for (const std::int32_t value :
         {static_cast<std::int32_t>(shape.axis), shape.slices, shape.around, shape.along})
        out.put(value);
    for (const double value : {shape.origin.x, shape.origin.y, shape.origin.z, shape.radius, shape.thickness})
        out.put(value);
}

bool read_shape(ByteReader& in, Cylinder& shape) {
    const auto axis = in.get<std::int32_t>();
    for (std::int32_t* value : {&shape.slices, &shape.around, &shape.along}) *value = in.get<std::int32_t>();
    for (double* value : {&shape.origin.x, &shape.origin.y, &shape.origin.z, &shape.radius, &shape.thickness})
        *value = in.get<double>();
    if (axis < 0 || axis >= static_cast<std::int32_t>(CylinderAxis::count_)) return false;
    shape.axis = static_cast<CylinderAxis>(axis);
    return check_cylinder(shape).has_value();
}

// These two sections in this order, one shape, and a column for each of its tiles.
Result<void> check_sections(const BakedFile& file) {
    const SectionKind kinds[] = {kShapeSection, kColumnSection};
    for (std::uint32_t i = 0; i < 2; ++i) {
        if (i >= file.sections()) return Error{ErrorCode::baked_section, -1, kinds[i].id};
        const BakedSection section = file.section_at(i);
        if (section.id != kinds[i].id || section.stride != kinds[i].stride)
            return Error{ErrorCode::baked_section, i, section.id};
    }
    if (file.sections() > 2) return Error{ErrorCode::baked_section, 2, file.section_at(2).id};
    if (file.section_at(0).count != 1) return Error{ErrorCode::baked_value, std::int64_t{0}, 1};
    return {};
}

}  // namespace

Result<void> save_cylinder(const CylinderWorld& world, Array<std::uint8_t>& out) {
    if (const Result<void> good = cylinder::check_columns(world); !good) return good;
    BakedWriter file({.kind = kBakedCylinder,
                      .major = kMajor,
                      .minor = kMinor,
                      .options_hash = options_hash_of(world.shape)},
                     world.solid.allocator());
    put_shape(file.begin(kShapeSection.id, kShapeSection.stride), world.shape);
    ByteWriter& columns = file.begin(kColumnSection.id, kColumnSection.stride);
    for (const std::uint8_t solid : world.solid) columns.put(solid);
    return file.finish(out);
}

Result<CylinderWorld> load_cylinder(std::span<const std::uint8_t> bytes, const Allocator& allocator) {
    const Result<BakedFile> file =
        BakedFile::open(bytes, {.kind = kBakedCylinder, .major = kMajor, .minor = kMinor});
    if (!file) return file.error();
    if (const Result<void> good = check_sections(*file); !good) return good.error();
    CylinderWorld world(allocator);
    SectionLoader load(*file);
    const auto shape = [&](ByteReader& in) {
        return read_shape(in, world.shape) && file->header().options_hash == options_hash_of(world.shape);
    };
    if (!load.records(kShapeSection, shape)) return load.error();
    const std::uint64_t columns = file->section_at(1).count;
    if (columns != world.shape.columns())
        return Error{ErrorCode::baked_value, std::int64_t{1}, static_cast<std::int64_t>(columns)};
    const auto column = [&](ByteReader& in, std::uint8_t& solid) {
        solid = in.get<std::uint8_t>();
        return solid <= world.shape.slices;
    };
    if (!load.list(kColumnSection, world.solid, column)) return load.error();
    return world;
}

}  // namespace fairlead
