// The links of a baked mesh.

#include "cli/bake_links.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <fairlead/formats/link_file.h>

#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/limits.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

/// A flag for a number of JumpOptions.
struct JumpFlag {
    const char* name;
    const char* what;
    double bake::JumpOptions::*number;
};
constexpr JumpFlag kJumpFlags[] = {
    {"--jump-drop-min", "Down: what is less is no drop (0.9)", &bake::JumpOptions::drop_min},
    {"--jump-drop-max", "Down: the deepest landing (4)", &bake::JumpOptions::drop_max},
    {"--jump-drop-reach", "Down: how far away it may be, seen from above (3)",
     &bake::JumpOptions::drop_reach},
    {"--jump-gap-max", "Across: the widest gap (3)", &bake::JumpOptions::gap_max},
    {"--jump-rise-max", "Across: how much higher the landing may be (0.3)", &bake::JumpOptions::rise_max},
    {"--jump-apex", "How high a jump goes (0.5)", &bake::JumpOptions::apex},
    {"--jump-gravity", "What pulls it down (9.81)", &bake::JumpOptions::gravity},
    {"--jump-speed", "The fastest jump, seen from above (6)", &bake::JumpOptions::speed_max},
    {"--jump-step", "Take-offs are tried this often along ledges (0.3)", &bake::JumpOptions::sample_step},
};
/// Whole numbers: names, what they mean, largest.
struct JumpMark {
    const char* name;
    const char* what;
    double high;
};
constexpr JumpMark kJumpMarks[] = {
    {"--jump-kind-down", "The kind of links down (0)", kLinkKindsMax - 1},
    {"--jump-kind-across", "The kind of links across (1)", kLinkKindsMax - 1},
    {"--jump-tag-down", "The tag of links down (0)", UINT32_MAX},
    {"--jump-tag-across", "The tag of links across (0)", UINT32_MAX},
    {"--jump-first-id", "Their first number; else behind those of --links", UINT32_MAX},
};
constexpr std::size_t kJumpNumbers = std::size(kJumpFlags);

// Of a field with a flag, or of the search for jumps as a whole.
std::string jump_error_text(const Error& error) {
    return *flag_of(error.field) != '\0' ? flag_error_text(error)
                                         : fmt::format("--jumps: {}", error_text(error.code));
}

}  // namespace

void LinkFlags::add(CLI::App& app) {
    app_ = &app;
    numbers_.resize(kJumpNumbers + std::size(kJumpMarks));
    app.add_option("--links", file_,
                   "Off-mesh links: a JSON file, {\"links\": [{\"id\", \"from\", \"to\", ...}]}")
        ->group("Links");
    app.add_flag("--jumps", jumps_, "Find jumps down from ledges and across gaps, as links")->group("Links");
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const bool mark = i >= kJumpNumbers;
        const char* name = mark ? kJumpMarks[i - kJumpNumbers].name : kJumpFlags[i].name;
        const char* what = mark ? kJumpMarks[i - kJumpNumbers].what : kJumpFlags[i].what;
        app.add_option(name, numbers_[i], what)->group("Links");
    }
}

void LinkFlags::refuse_jump_numbers(const char* why) const {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const char* name = i < kJumpNumbers ? kJumpFlags[i].name : kJumpMarks[i - kJumpNumbers].name;
        if (app_->get_option(name)->count() > 0) fail(fmt::format("{}: {}", name, why));
    }
}

void LinkFlags::refuse_jumps() const {
    if (jumps_) fail("--jumps: for levels of triangles only");
    refuse_jump_numbers("for levels of triangles only");
}

std::vector<MeshLink> LinkFlags::authored() const {
    if (!jumps_) refuse_jump_numbers("only with --jumps");
    if (file_.empty()) return {};
    const std::string text = read_file(file_);
    return expect(file_, text, formats::load_links(text, file_limits()));
}

bake::JumpOptions LinkFlags::options(const bake::BakeOptions& bake,
                                     const std::vector<MeshLink>& links) const {
    bake::JumpOptions made{
        .agent_radius = bake.agent_radius, .agent_height = bake.agent_height, .climb = bake.climb};
    for (std::size_t i = 0; i < kJumpNumbers; ++i) {
        if (!numbers_[i].empty()) made.*kJumpFlags[i].number = to_number(kJumpFlags[i].name, numbers_[i]);
    }
    std::uint32_t marks[] = {made.kind_down, made.kind_across, 0, 0, 0};
    for (const MeshLink& link : links) {
        if (link.id == UINT32_MAX) fail_at(file_, "a link has the largest id there is: give --jump-first-id");
        marks[4] = std::max(marks[4], link.id + 1);
    }
    for (std::size_t i = 0; i < std::size(kJumpMarks); ++i) {
        const std::string& text = numbers_[kJumpNumbers + i];
        if (text.empty()) continue;
        const double value = to_number(kJumpMarks[i].name, text);
        if (!(value >= 0.0 && value <= kJumpMarks[i].high && value == std::floor(value)))
            fail(fmt::format("{}: {} is no whole number from 0 to {}", kJumpMarks[i].name, text,
                             text_of(kJumpMarks[i].high)));
        marks[i] = static_cast<std::uint32_t>(value);
    }
    made.kind_down = static_cast<std::uint8_t>(marks[0]);
    made.kind_across = static_cast<std::uint8_t>(marks[1]);
    made.tag_down = marks[2];
    made.tag_across = marks[3];
    made.first_id = marks[4];
    return made;
}

void LinkFlags::find_jumps(const TriangleSoup& soup, const bake::BakeOptions& bake, const NavMeshState& mesh,
                           std::vector<MeshLink>& links) const {
    Array<MeshLink> found;
    const Result<void> done = bake::find_jump_links(soup, bake, mesh, options(bake, links), found);
    if (!done) fail(jump_error_text(done.error()));
    links.insert(links.end(), found.begin(), found.end());
}

LinkCounts LinkFlags::put(const std::vector<MeshLink>& links, std::uint32_t landmarks, NavMesh& mesh) const {
    LinkCounts out;
    if (links.empty()) return out;
    std::vector<MeshEdit> edits;
    for (const MeshLink& link : links) edits.push_back(MeshEdit::add_link(link));
    if (const Result<void> done = mesh.apply(edits); !done) {
        if (done.error().code == ErrorCode::duplicate_id)
            fail(
                fmt::format("--jump-first-id: there is a link {} in {} already", done.error().detail, file_));
        fail_at(file_.empty() ? "--jumps" : file_, error_text(done.error()).c_str());
    }
    if (const Result<void> done = mesh.measure_landmarks(landmarks); !done)
        fail(error_text(done.error()).c_str());
    std::string asleep;
    for (const MeshLink& link : links) {
        if (mesh.state().link(link.id)->awake) continue;
        ++out.asleep;
        asleep += fmt::format(" {}", link.id);
    }
    out.links = mesh.state().links();
    if (!asleep.empty())
        fmt::print(stderr, "fairlead: {}: on no surface, so not in use:{}\n",
                   file_.empty() ? "--jumps" : file_, asleep);
    return out;
}

}  // namespace fairlead::cli
