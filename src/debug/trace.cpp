// Trace: the events of a search, kept and counted, and as JSON.
#include <fairlead/debug/trace.h>

#include "debug/text_buffer.h"

namespace fairlead::debug {
namespace {

constexpr int kKinds = static_cast<int>(TraceKind::count_);

void add_counts(TextBuffer& out, std::span<const TraceEvent> events) {
    std::int64_t counts[kKinds] = {};
    for (const TraceEvent& event : events) ++counts[static_cast<int>(event.kind)];
    for (int i = 0; i < kKinds; ++i) {
        if (i != 0) out.add(',');
        out.add_json(trace_kind_name(static_cast<TraceKind>(i)));
        out.add(':');
        out.add_integer(counts[i]);
    }
}

void add_event(TextBuffer& out, const TraceEvent& event) {
    out.add('[');
    out.add_integer(static_cast<int>(event.kind));
    for (const double part : {event.position.x, event.position.y, event.from.x, event.from.y}) {
        out.add(',');
        out.add_number(part, 4);
    }
    out.add(',');
    out.add_integer(event.layer);
    if (event.has_heading) {
        out.add(',');
        out.add_number(event.heading_rad, 6);
    }
    if (event.has_box()) {
        out.add(",[");
        out.add_number(event.z, 4);
        for (const double part :
             {event.low.x, event.low.y, event.low.z, event.high.x, event.high.y, event.high.z}) {
            out.add(',');
            out.add_number(part, 4);
        }
        out.add(']');
    }
    out.add(']');
}

TraceKind kind_of(TraceEventKind kind) {
    switch (kind) {
        case TraceEventKind::generated: return TraceKind::generate;
        case TraceEventKind::expanded: return TraceKind::expand;
        case TraceEventKind::passed: break;
    }
    return TraceKind::pass;
}

}  // namespace

const char* trace_kind_name(TraceKind kind) {
    switch (kind) {
        case TraceKind::generate: return "generate";
        case TraceKind::expand: return "expand";
        case TraceKind::close: return "close";
        case TraceKind::path: return "path";
        case TraceKind::pass: return "pass";
        case TraceKind::count_: break;
    }
    return "unknown";
}

SearchTrace Trace::hook() {
    return {[](const SearchEvent& event, void* user) { static_cast<Trace*>(user)->add(event); }, this};
}

void Trace::add(const SearchEvent& event) {
    const Vec2 at = ground(event.at.position);
    TraceEvent kept{.position = at,
                    .from = at,
                    .z = event.at.position.z,
                    .layer = event.at.layer,
                    .kind = kind_of(event.kind),
                    .has_heading = event.has_heading,
                    .heading_rad = event.at.heading_rad,
                    .low = event.low,
                    .high = event.high};
    if (!(event.left == event.right)) {
        kept.left = ground(event.left);
        kept.right = ground(event.right);
        kept.position = (kept.left + kept.right) * 0.5;
        kept.z = event.left.z;
    }
    keep(kept);
}

void Trace::add(TraceKind kind, Vec2 position, Vec2 from, std::int32_t layer) {
    keep({.position = position, .from = from, .layer = layer, .kind = kind});
}

void Trace::add_pose(TraceKind kind, const Pose& pose, Vec2 from, std::int32_t layer) {
    keep({.position = pose.position,
          .from = from,
          .layer = layer,
          .kind = kind,
          .has_heading = true,
          .heading_rad = pose.heading_rad});
}

void Trace::keep(TraceEvent event) {
    ++counts_[static_cast<std::size_t>(event.kind)];
    event.order = static_cast<std::uint32_t>(events_.size());
    if (events_.size() >= events_max_ || !events_.push_back(event)) complete_ = false;
}

void Trace::clear() {
    events_.clear();
    for (std::uint64_t& count : counts_) count = 0;
    complete_ = true;
}

std::uint64_t Trace::count(TraceKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

void add_path(Trace& trace, const Route& route) {
    const Place* last = nullptr;
    const auto add = [&](const Place& place) {
        const Vec2 at = ground(place.position);
        trace.add(TraceKind::path, at, last == nullptr ? at : ground(last->position), place.layer);
        last = &place;
    };
    for (const Leg& leg : route.legs) add(leg.start);
    if (!route.legs.empty()) add(route.end);
}

void add_path(Trace& trace, const Route& route, const Agent& agent) {
    if (!(agent.turning_radius > 0.0)) return add_path(trace, route);
    if (route.legs.empty()) return;
    Vec2 last = ground(route.legs[0].start.position);
    const auto add = [&](const Place& place) {
        const Pose pose{ground(place.position), place.heading_rad};
        trace.add_pose(TraceKind::path, pose, last, place.layer);
        last = pose.position;
    };
    for (const Leg& leg : route.legs) add(leg.start);
    add(route.end);
}

Result<void> write_trace_json(std::span<const TraceEvent> events, Array<char>& text) {
    bool failed = false;
    text.clear();
    TextBuffer out{text, failed};
    out.add("{\"fairlead_trace\":1,\"counts\":{");
    add_counts(out, events);
    out.add("},\"events\":[");
    for (std::size_t i = 0; i < events.size(); ++i) {
        out.add(i == 0 ? "\n" : ",\n");
        add_event(out, events[i]);
    }
    out.add("]}\n");
    if (failed) return Error{ErrorCode::out_of_memory};
    return {};
}

}  // namespace fairlead::debug
