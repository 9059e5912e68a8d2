// What the readers of our own JSON formats share: text is pulled, what is kept is counted, and the first failure of either
// is told.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/math/vec.h>

#include "formats/budget.h"
#include "formats/json_reader.h"
#include "formats/json_values.h"

namespace fairlead::formats {

/// An id in a list, and where it stands in the text.
struct WrittenId {
    std::int64_t id = 0;
    std::uint32_t index = 0;
    JsonReader::Place place{};

    [[nodiscard]] static bool before(const WrittenId& a, const WrittenId& b) {
        return a.id != b.id ? a.id < b.id : a.index < b.index;
    }
};

class SchemaReader {
  protected:
    SchemaReader(std::string_view text, const Limits& limits) : json_(text), budget_(limits) {}

    [[nodiscard]] Error error() const { return spent_ ? budget_.spent() : json_.error(); }

    bool spend() {
        spent_ = true;
        return false;
    }
    template <class T>
    bool append(std::vector<T>& list, const T& value) {
        return budget_.append(list, value) || spend();
    }
    bool text(std::string& out, std::size_t longest) {
        return json_.read(out, longest) && (budget_.take(out.size() + 32) || spend());
    }
    template <class Function>
    bool read_list(Function read_item) {
        if (!json_.open_array()) return false;
        while (json_.next_item()) {
            if (!read_item()) return false;
        }
        return json_.ok();
    }
    bool read_point(std::vector<Vec2>& points, double most) {
        Vec2 point;
        double* const parts[] = {&point.x, &point.y};
        return read_tuple(json_, parts, -most, most) && append(points, point);
    }
    /// Sorts them. The later one of two that are equal is told.
    bool differ(std::vector<WrittenId>& ids) {
        std::sort(ids.begin(), ids.end(), WrittenId::before);  // total order
        for (std::size_t i = 1; i < ids.size(); ++i) {
            if (ids[i].id == ids[i - 1].id) return json_.fail_at(ErrorCode::text_duplicate, ids[i].place);
        }
        return true;
    }

    JsonReader json_;
    Budget budget_;
    bool spent_ = false;
};

}  // namespace fairlead::formats
