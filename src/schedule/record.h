// RunWriter: writes down what a scheduler is called with. The bytes are described in fairlead/schedule/run_record.h.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/bytes.h>
#include <fairlead/schedule/run_record.h>

namespace fairlead {

struct SchedulerOptions;
struct UpdateReport;

namespace schedule {

inline constexpr std::uint32_t kRunMagic = 0x4e524c46;  // "FLRN"
inline constexpr std::uint16_t kRunMajor = 1;
inline constexpr std::size_t kRunHeaderBytes = 56;

class RunWriter {
  public:
    RunWriter(const RunRecorder& recorder, const Allocator& allocator)
        : recorder_(recorder), bytes_(allocator) {}

    [[nodiscard]] bool on() const { return recorder_.write != nullptr; }
    [[nodiscard]] bool failed() const { return failed_; }
    void fail() { failed_ = true; }

    void begin_run(const SchedulerOptions& options);
    void number(RunRecordKind kind, std::uint64_t first);
    void published(std::uint64_t world, std::uint64_t digest);
    void submitted(RequestId id, std::uint64_t world, bool is_job, const RequestOptions& options);
    void updated(std::uint64_t units, bool by_time, const UpdateReport& report, std::uint64_t digest,
                 std::span<const std::uint32_t> turns);

  private:
    [[nodiscard]] ByteWriter begin(RunRecordKind kind);
    void end(const ByteWriter& out);

    RunRecorder recorder_;
    Array<std::uint8_t> bytes_;
    std::uint32_t checksum_ = 0;
    bool failed_ = false;
};

}  // namespace schedule

}  // namespace fairlead
