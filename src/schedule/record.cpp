// A run, written down record by record; the header has the options that decide results.
#include "schedule/record.h"

#include <fairlead/schedule/scheduler.h>

namespace fairlead::schedule {

void RunWriter::begin_run(const SchedulerOptions& options) {
    if (!on()) return;
    bytes_.clear();
    ByteWriter out(bytes_);
    out.put(kRunMagic);
    out.put(kRunMajor);
    out.put(std::uint16_t{0});
    out.put(options.searches_max);
    out.put(options.requests_max);
    out.put(options.slice_units);
    out.put(options.units_max);
    out.put(options.patience_frames);
    out.put(options.priority_frames);
    out.put(std::uint64_t{0});
    failed_ = out.failed();
    out.put(failed_ ? 0U : crc32c(bytes_.span()));
    out.put(std::uint32_t{0});
    failed_ = failed_ || out.failed();
    if (!failed_) recorder_.write(recorder_.user, bytes_.span());
}

// Kind, room for the length, and then the body.
ByteWriter RunWriter::begin(RunRecordKind kind) {
    bytes_.clear();
    ByteWriter out(bytes_);
    out.put(static_cast<std::uint8_t>(kind));
    out.put(std::uint32_t{0});
    return out;
}

void RunWriter::end(const ByteWriter& out) {
    constexpr std::size_t kHead = 5;
    failed_ = failed_ || out.failed() || bytes_.size() - kHead > UINT32_MAX;
    if (failed_) return;
    const auto length = static_cast<std::uint32_t>(bytes_.size() - kHead);
    for (std::size_t i = 0; i < 4; ++i) bytes_[1 + i] = static_cast<std::uint8_t>(length >> (8 * i));
    checksum_ = crc32c(bytes_.span(), checksum_);
    ByteWriter tail(bytes_);
    tail.put(checksum_);
    failed_ = tail.failed();
    if (!failed_) recorder_.write(recorder_.user, bytes_.span());
}

void RunWriter::number(RunRecordKind kind, std::uint64_t first) {
    if (!on() || failed_) return;
    ByteWriter out = begin(kind);
    out.put(first);
    end(out);
}

void RunWriter::published(std::uint64_t world, std::uint64_t digest) {
    if (!on() || failed_) return;
    ByteWriter out = begin(RunRecordKind::publish);
    out.put(world);
    out.put(digest);
    end(out);
}

void RunWriter::submitted(RequestId id, std::uint64_t world, bool is_job, const RequestOptions& options) {
    if (!on() || failed_) return;
    ByteWriter out = begin(RunRecordKind::submit);
    out.put(id.value);
    out.put(world);
    out.put(static_cast<std::uint8_t>(is_job ? 1 : 0));
    out.put(options.priority);
    out.put(options.deadline_frames);
    out.put(options.units_max);
    out.put(options.first_leg_units);
    out.put(options.retry.times);
    out.put(options.retry.wait_frames);
    out.put(static_cast<std::uint8_t>(options.retry.newer_revision_only ? 1 : 0));
    out.put(static_cast<std::uint8_t>(options.on_edit));
    out.put(options.restarts_max);
    out.put(options.share_key);
    for (const std::uint8_t byte : options.payload) out.put(byte);
    end(out);
}

void RunWriter::updated(std::uint64_t units, bool by_time, const UpdateReport& report, std::uint64_t digest,
                        std::span<const std::uint32_t> turns) {
    if (!on() || failed_) return;
    ByteWriter out = begin(RunRecordKind::update);
    out.put(units);
    out.put(static_cast<std::uint8_t>(by_time ? 1 : 0));
    out.put(report.frame);
    out.put(report.units);
    out.put(digest);
    for (const std::uint32_t asked : turns) out.put(asked);
    end(out);
}

}  // namespace fairlead::schedule
