// A sink that writes down what it is given.
#pragma once

#include <string>
#include <vector>

#include <fairlead/debug/sink.h>

namespace fairlead::testing {

struct Drawn {
    std::string kind;  // "line", "polyline", "polygon", "box", "circle", "text", "group", "end"
    std::string text{};
    std::vector<Vec3> points{};
    Aabb box{};
    double radius = 0;
    debug::Fill fill = debug::kNoFill;
    debug::Stroke stroke = debug::kNoStroke;
};

struct Record {
    std::vector<Drawn> items;

    [[nodiscard]] debug::Sink sink() {
        using namespace debug;
        Sink sink;
        sink.line = [](Vec3 a, Vec3 b, const Stroke& stroke, void* user) {
            add(user, {.kind = "line", .points = {a, b}, .stroke = stroke});
        };
        sink.polyline = [](std::span<const Vec3> p, const Stroke& stroke, void* user) {
            add(user, {.kind = "polyline", .points = {p.begin(), p.end()}, .stroke = stroke});
        };
        sink.polygon = [](std::span<const Vec3> p, const Fill& fill, void* user) {
            add(user, {.kind = "polygon", .points = {p.begin(), p.end()}, .fill = fill});
        };
        sink.boxes = [](std::span<const Aabb> boxes, double z, const Fill& fill, void* user) {
            for (const Aabb& box : boxes)
                add(user, {.kind = "box", .points = {{0, 0, z}}, .box = box, .fill = fill});
        };
        sink.circle = [](Vec3 c, double radius, const Fill& fill, const Stroke& stroke, void* user) {
            add(user, {.kind = "circle", .points = {c}, .radius = radius, .fill = fill, .stroke = stroke});
        };
        sink.text = [](Vec3 at, const char* text, const TextStyle&, void* user) {
            add(user, {.kind = "text", .text = text, .points = {at}});
        };
        sink.begin_group = [](const GroupStyle& group, void* user) {
            add(user, {.kind = "group", .text = group.name});
        };
        sink.end_group = [](void* user) { add(user, {.kind = "end"}); };
        sink.user = this;
        sink.point = 0.1;
        return sink;
    }

    [[nodiscard]] std::size_t count(const std::string& kind) const {
        std::size_t n = 0;
        for (const Drawn& item : items) n += item.kind == kind ? 1 : 0;
        return n;
    }
    /// The items between the beginning and the end of the first group of that name.
    [[nodiscard]] std::vector<Drawn> group(const std::string& name) const {
        std::vector<Drawn> found;
        int depth = 0;
        for (const Drawn& item : items) {
            if (item.kind == "group" && (depth > 0 || item.text == name)) ++depth;
            if (item.kind == "end" && depth > 0 && --depth == 0) return found;
            if (depth > 0 && item.kind != "group" && item.kind != "end") found.push_back(item);
        }
        return found;
    }

  private:
    static void add(void* user, Drawn item) { static_cast<Record*>(user)->items.push_back(std::move(item)); }
};

}  // namespace fairlead::testing
