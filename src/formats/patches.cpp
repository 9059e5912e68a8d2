#include <fairlead/formats/scenario.h>

#include "formats/tile_rows.h"

namespace fairlead::formats {

namespace {

constexpr std::int32_t kPatchesMax = 1 << 20;

}  // namespace

Result<PatchFile> load_patches(std::string_view text, const Limits& limits, const TileTable& table) {
    return guarded(text, limits, [&]() -> Result<PatchFile> {
        Budget budget(limits);
        LineReader lines(text);
        if (!lines.next()) return lines.error(ErrorCode::text_end);
        WordReader type(lines);
        type.keyword("type");
        type.keyword("patch");
        type.end();
        if (!type.ok()) return type.error();
        if (!lines.next()) return lines.error(ErrorCode::text_end);
        WordReader size(lines);
        size.keyword("patches");
        const std::int32_t count = size.integer32(0, kPatchesMax);
        size.end();
        if (!size.ok()) return size.error();

        PatchFile file;
        for (std::int32_t i = 0; i < count; ++i) {
            if (!lines.next()) return lines.error(ErrorCode::text_end);
            WordReader words(lines);
            words.keyword("patch");
            words.integer(i, i);
            words.end();
            if (!words.ok()) return words.error();
            Result<TileMap> patch = read_size_and_rows(lines, table, budget);
            if (!patch) return patch.error();
            if (!budget.append(file.patches, std::move(*patch))) return budget.spent();
        }
        if (Result<void> end = expect_end(lines); !end) return end.error();
        return file;
    });
}

CellRect placement_rect(const PatchPlacement& placement, const TileMap& patch) {
    return {.low = {placement.x, placement.y},
            .high = {placement.x + patch.width, placement.y + patch.height}};
}

Result<void> check_placements(const Scenario& scenario, const PatchFile& file) {
    for (const PatchPlacement& placement : scenario.placements) {
        if (placement.patch >= file.patches.size())
            return Error{ErrorCode::text_reference, placement.line, 1};
        const CellRect rect = placement_rect(placement, file.patches[placement.patch]);
        if (rect.high.x > scenario.width || rect.high.y > scenario.height) {
            return Error{ErrorCode::text_value, placement.line, 1};
        }
    }
    return {};
}

}  // namespace fairlead::formats
