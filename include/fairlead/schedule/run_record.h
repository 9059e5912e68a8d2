// A run of a scheduler written down, and played again: a bug report is a file.
//
//     Scheduler::make({.recorder = {&append, &file}});       // every call that matters goes to append(user, bytes)
//
//     Result<RunEnd> end = replay_run(bytes, *fresh_scheduler, {.submit = ..., .publish = ..., .user = &game});
//     if (end && end->same) ...                              // each update had the same digest as in the recorded run
//
// What is written: submits, cancels, takes, worlds that are added, published and forgotten, jobs and updates, each update with its
// budget and
// the digest after it. Of an update by time the size of every turn is written too, so that it is played exactly, without a clock.
// What queries and worlds are is the caller's: a submit carries RequestOptions::payload, any bytes from which the caller makes the
// query again; a publish carries a number.
//
// Bytes. All numbers little-endian. A header of 56 bytes:
//     0  4  the letters "FLRN"                      4  2  major version, 1     6  2  minor version, 0
//     8  4  searches_max   12  4  requests_max     16  8  slice_units         24  8  units_max
//    32  4  patience_frames  36  4  priority_frames   40  8  0, reserved    48  4  CRC-32C of bytes 0 to 47   52  4  0
// then records, one after the other:
//     0  1  kind       1  4  n, bytes of the body       5  n  body       5 + n  4  CRC-32C of kind, n and body, seeded with that
//     of the record before
// Kinds and bodies (RunRecordKind):
//     1 add_world   8 world
//     2 publish     8 world, 8 digest
//     3 forget      8 world
//     4 submit      8 request, 8 world (all ones: none), 1 job, 4 priority, 4 deadline_frames, 8 units_max, 8 first_leg_units,
//                   4 retry.times, 4 retry.wait_frames, 1 retry.newer_revision_only, 1 on_edit, 4 restarts_max, 8 share_key, the payload
//     5 cancel      8 request
//     6 take        8 request
//     7 update      8 units, 1 by time, 8 frame, 8 units spent, 8 digest, and by time for every turn 4 units asked for
// A reader refuses another major version, and a damaged record (baked_checksum, index: which); a run that ends within a record, as
// where a game crashed, is played up to there and RunEnd::torn says so.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/schedule/request.h>

namespace fairlead {

class Scheduler;

enum class RunRecordKind : std::uint8_t { add_world = 1, publish, forget, submit, cancel, take, update };

/// Gets the bytes of a run, piece by piece. Called by the functions of the scheduler, on their caller's thread.
struct RunRecorder {
    void (*write)(void* user, std::span<const std::uint8_t> bytes) = nullptr;
    void* user = nullptr;
};

/// A submit of a recorded run.
struct RecordedSubmit {
    std::uint64_t world = UINT64_MAX;  ///< WorldId::value, or all ones: about one revision, or a job
    bool is_job = false;
    /// As they were, but for the callback; payload points into the bytes.
    RequestOptions options{};
};

/// Makes again what a record only names. Each is called with `user`; null ones do nothing, and then the runs will differ where one
/// is needed.
struct RunPlayer {
    /// Calls scheduler.submit or submit_job with what was submitted then, and these options.
    Result<RequestId> (*submit)(void* user, Scheduler& scheduler, const RecordedSubmit& submit) = nullptr;
    /// Calls scheduler.add_world; returns WorldId::value.
    Result<std::uint64_t> (*add_world)(void* user, Scheduler& scheduler) = nullptr;
    /// Makes the world's next revision and calls scheduler.publish with it and this digest.
    Result<void> (*publish)(void* user, Scheduler& scheduler, std::uint64_t world,
                            std::uint64_t digest) = nullptr;
    /// A result that was taken then and is taken now; it may look at it.
    void (*taken)(void* user, RequestId id, const Result<void>& done, const Route& route) = nullptr;
    void* user = nullptr;
};

struct RunEnd {
    bool same = true;           ///< every id, count of units and digest was as recorded
    bool torn = false;          ///< the bytes end within a record
    std::uint64_t updates = 0;  ///< played
    std::uint64_t records = 0;  ///< played
    std::uint64_t differs_at =
        0;  ///< the frame of the first update that was not as recorded, or that came next after another difference
    std::uint64_t digest = 0;  ///< of the scheduler after it
};

/// Plays the run on a fresh scheduler, with any number of threads; it ends at the first difference. Errors: baked_length, baked_magic,
/// baked_version (detail: the major version), baked_checksum and baked_value (index: which record, from 0; -1 the header),
/// incompatible (the
/// field: an option that decides results is another one than then); those of the player's functions.
[[nodiscard]] Result<RunEnd> replay_run(std::span<const std::uint8_t> bytes, Scheduler& scheduler,
                                        const RunPlayer& player);

}  // namespace fairlead
