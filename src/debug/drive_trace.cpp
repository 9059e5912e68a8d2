#include <fairlead/debug/drive_trace.h>


namespace fairlead::debug {

DriveTraceHook DriveTrace::hook() {
    return {[](TraceEventKind kind, const Pose& pose, Gear, Cost, void* user) {
                const DriveTrace& self = *static_cast<const DriveTrace*>(user);
                const TraceKind told =
                    kind == TraceEventKind::expanded ? TraceKind::expand : TraceKind::generate;
                self.trace_.add_pose(told, pose, pose.position, self.layer_);
            },
            this};
}

}  // namespace fairlead::debug
