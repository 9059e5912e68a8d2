// Plays a recorded run on a fresh scheduler, and compares.
#include <fairlead/base/bytes.h>
#include <fairlead/schedule/run_record.h>
#include <fairlead/schedule/scheduler.h>

#include "base/no_memory.h"
#include "schedule/core.h"
#include "schedule/record.h"

namespace fairlead {

class RunReplay {
  public:
    RunReplay(std::span<const std::uint8_t> bytes, Scheduler& scheduler, const RunPlayer& player)
        : bytes_(bytes),
          scheduler_(&scheduler),
          core_(scheduler.core_),
          player_(&player),
          turns_(core_->options().allocator) {}

    [[nodiscard]] Result<RunEnd> play() {
        if (const Result<void> good = read_header(); !good) return good.error();
        std::span<const std::uint8_t> left = bytes_.subspan(schedule::kRunHeaderBytes);
        while (end_.same && !left.empty()) {
            std::span<const std::uint8_t> body;
            RunRecordKind kind{};
            const Result<bool> whole = next_record(left, kind, body);
            if (!whole.has_value()) return whole.error();
            if (!*whole) {
                end_.torn = true;
                break;
            }
            ByteReader in(body);
            const Result<void> played = play_record(kind, in, body);
            if (!played) return played.error();
            ++end_.records;
        }
        if (!end_.same && end_.differs_at == 0) end_.differs_at = core_->frame() + 1;
        end_.digest = core_->digest();
        return RunEnd(end_);
    }

  private:
    static constexpr std::size_t kHead = 5;
    static constexpr std::size_t kTail = 4;

    [[nodiscard]] Result<void> read_header() const {
        if (bytes_.size() < schedule::kRunHeaderBytes)
            return Error{ErrorCode::baked_length, -1, static_cast<std::int64_t>(schedule::kRunHeaderBytes)};
        ByteReader in(bytes_);
        if (in.get<std::uint32_t>() != schedule::kRunMagic) return Error{ErrorCode::baked_magic};
        const auto major = in.get<std::uint16_t>();
        if (major != schedule::kRunMajor) return Error{ErrorCode::baked_version, -1, major};
        (void)in.get<std::uint16_t>();
        constexpr std::size_t kChecked = 48;
        ByteReader sum(bytes_.subspan(kChecked));
        if (sum.get<std::uint32_t>() != crc32c(bytes_.first(kChecked)))
            return Error{ErrorCode::baked_checksum, -1, 0};
        const SchedulerOptions& o = core_->options();
        if (in.get<std::uint32_t>() != o.searches_max) return other(Field::searches_max);
        if (in.get<std::uint32_t>() != o.requests_max) return other(Field::requests_max);
        if (in.get<std::uint64_t>() != o.slice_units) return other(Field::slice_units);
        if (in.get<std::uint64_t>() != o.units_max) return other(Field::units_max);
        if (in.get<std::uint32_t>() != o.patience_frames) return other(Field::patience_frames);
        if (in.get<std::uint32_t>() != o.priority_frames) return other(Field::priority_frames);
        return {};
    }
    static Error other(Field field) { return {ErrorCode::incompatible, field}; }
    [[nodiscard]] Error wrong(ErrorCode code) const {
        return {code, static_cast<std::int64_t>(end_.records), 0};
    }

    // False: what is left is the beginning of a record.
    [[nodiscard]] Result<bool> next_record(std::span<const std::uint8_t>& left, RunRecordKind& kind,
                                           std::span<const std::uint8_t>& body) {
        if (left.size() < kHead + kTail) return Result<bool>(false);
        ByteReader head(left);
        kind = static_cast<RunRecordKind>(head.get<std::uint8_t>());
        const std::size_t length = head.get<std::uint32_t>();
        if (length > left.size() - kHead - kTail) return Result<bool>(false);
        body = left.subspan(kHead, length);
        checksum_ = crc32c(left.first(kHead + length), checksum_);
        ByteReader tail(left.subspan(kHead + length));
        if (tail.get<std::uint32_t>() != checksum_) return wrong(ErrorCode::baked_checksum);
        left = left.subspan(kHead + length + kTail);
        return Result<bool>(true);
    }

    [[nodiscard]] Result<void> play_record(RunRecordKind kind, ByteReader& in,
                                           std::span<const std::uint8_t> body) {
        switch (kind) {
            case RunRecordKind::add_world: return add_world(in);
            case RunRecordKind::publish: return publish(in);
            case RunRecordKind::forget: return forget(in);
            case RunRecordKind::submit: return submit(in, body);
            case RunRecordKind::cancel: return cancel(in);
            case RunRecordKind::take: return take(in);
            case RunRecordKind::update: return update(in);
        }
        return wrong(ErrorCode::baked_value);
    }

    // Was all of the body read, and no more?
    [[nodiscard]] bool whole(const ByteReader& in) const { return !in.failed() && in.left() == 0; }

    [[nodiscard]] Result<void> add_world(ByteReader& in) {
        const auto id = in.get<std::uint64_t>();
        if (!whole(in)) return wrong(ErrorCode::baked_value);
        if (player_->add_world == nullptr) return differs();
        const Result<std::uint64_t> added = player_->add_world(player_->user, *scheduler_);
        if (!added) return added.error();
        return compare(*added == id);
    }
    [[nodiscard]] Result<void> publish(ByteReader& in) {
        const auto id = in.get<std::uint64_t>();
        const auto digest = in.get<std::uint64_t>();
        if (!whole(in)) return wrong(ErrorCode::baked_value);
        if (player_->publish == nullptr) return differs();
        return player_->publish(player_->user, *scheduler_, id, digest);
    }
    [[nodiscard]] Result<void> forget(ByteReader& in) {
        const auto id = in.get<std::uint64_t>();
        if (!whole(in)) return wrong(ErrorCode::baked_value);
        return compare(core_->forget(id).has_value());
    }
    [[nodiscard]] Result<void> submit(ByteReader& in, std::span<const std::uint8_t> body) {
        const auto id = in.get<std::uint64_t>();
        RecordedSubmit then;
        then.world = in.get<std::uint64_t>();
        then.is_job = in.get<std::uint8_t>() != 0;
        RequestOptions& o = then.options;
        o.priority = in.get<std::uint32_t>();
        o.deadline_frames = in.get<std::uint32_t>();
        o.units_max = in.get<std::uint64_t>();
        o.first_leg_units = in.get<std::uint64_t>();
        o.retry.times = in.get<std::uint32_t>();
        o.retry.wait_frames = in.get<std::uint32_t>();
        o.retry.newer_revision_only = in.get<std::uint8_t>() != 0;
        const auto on_edit = in.get<std::uint8_t>();
        o.on_edit = static_cast<OnEdit>(on_edit);
        o.restarts_max = in.get<std::uint32_t>();
        o.share_key = in.get<std::uint64_t>();
        if (in.failed() || on_edit > 1 || o.priority > RequestOptions::kPriorityMax)
            return wrong(ErrorCode::baked_value);
        const std::span<const std::uint8_t> payload = body.last(in.left());
        o.payload = payload;
        if (player_->submit == nullptr) return differs();
        const Result<RequestId> given = player_->submit(player_->user, *scheduler_, then);
        if (!given) return given.error();
        return compare(given->value == id);
    }
    [[nodiscard]] Result<void> cancel(ByteReader& in) {
        const RequestId id{in.get<std::uint64_t>()};
        if (!whole(in)) return wrong(ErrorCode::baked_value);
        return compare(core_->cancel(id));
    }
    [[nodiscard]] Result<void> take(ByteReader& in) {
        const RequestId id{in.get<std::uint64_t>()};
        if (!whole(in)) return wrong(ErrorCode::baked_value);
        const Result<void> done = core_->take(id, route_);
        if (player_->taken != nullptr) player_->taken(player_->user, id, done, route_);
        const bool there = done || (done.error().code != ErrorCode::nothing_to_take &&
                                    done.error().code != ErrorCode::unknown_id);
        return compare(there);
    }
    [[nodiscard]] Result<void> update(ByteReader& in) {
        const auto budget = in.get<std::uint64_t>();
        const bool by_time = in.get<std::uint8_t>() != 0;
        const auto frame = in.get<std::uint64_t>();
        const auto units = in.get<std::uint64_t>();
        const auto digest = in.get<std::uint64_t>();
        if (in.failed() || in.left() % sizeof(std::uint32_t) != 0 || (!by_time && in.left() != 0))
            return wrong(ErrorCode::baked_value);
        turns_.clear();
        while (in.left() > 0) {
            const auto asked = in.get<std::uint32_t>();
            if (asked > core_->options().slice_units) return wrong(ErrorCode::baked_value);
            if (!turns_.push_back(asked)) return kNoMemory;
        }
        const UpdateReport report =
            by_time ? core_->update_again(budget, turns_.span()) : core_->update({.units = budget});
        ++end_.updates;
        const bool same = report.frame == frame && report.units == units && core_->digest() == digest;
        if (!same) end_.differs_at = report.frame;
        return compare(same);
    }
    [[nodiscard]] Result<void> compare(bool same) {
        end_.same = same;
        return {};
    }
    [[nodiscard]] Result<void> differs() { return compare(false); }

    std::span<const std::uint8_t> bytes_;
    Scheduler* scheduler_;
    Scheduler::Core* core_;
    const RunPlayer* player_;
    Array<std::uint32_t> turns_;
    Route route_;
    std::uint32_t checksum_ = 0;
    RunEnd end_;
};

Result<RunEnd> replay_run(std::span<const std::uint8_t> bytes, Scheduler& scheduler,
                          const RunPlayer& player) {
    return RunReplay(bytes, scheduler, player).play();
}

}  // namespace fairlead
