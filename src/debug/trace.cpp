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
    out.add(']');
}

}  // namespace

const char* trace_kind_name(TraceKind kind) {
    switch (kind) {
        case TraceKind::generate: return "generate";
        case TraceKind::expand: return "expand";
        case TraceKind::close: return "close";
        case TraceKind::path: return "path";
        case TraceKind::count_: break;
    }
    return "unknown";
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
