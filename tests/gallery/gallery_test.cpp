// The gallery as a whole: every figure can be drawn, its files are sound, and the routes in it are legal.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "gallery/demo.h"
#include "gallery/drive_plan.h"
#include "gallery/figure.h"
#include "gallery/page.h"
#include "gallery/plan.h"
#include "support/xml_check.h"

namespace fairlead::gallery {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// A folder that is gone at the end of the test.
class Folder {
  public:
    explicit Folder(const std::string& name) : path_(fs::path{::testing::TempDir()} / name) {
        fs::remove_all(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

TEST(Gallery, IdsAreFileNamesAndUnique) {
    std::set<std::string> seen;
    for (const Figure& figure : all_figures()) {
        const std::string id = figure.id;
        EXPECT_TRUE(seen.insert(id).second) << id;
        EXPECT_TRUE(!id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        })) << id;
        EXPECT_NE(std::string{figure.title}, "");
        EXPECT_NE(std::string{figure.caption}, "");
        EXPECT_NE(std::string{figure.techniques}, "");
    }
}

// Not legal are the article's own ways, and only as their figures say: sampled walks, corners cut across the grass.
void expect_only_the_named_are_illegal(const std::string& csv) {
    std::size_t walks = 0;
    std::size_t corners = 0;
    std::istringstream lines{csv};
    for (std::string line; std::getline(lines, line);) {
        if (line.find(",no,") == std::string::npos) continue;
        const bool walk = line.rfind("article_3_walkable,", 0) == 0 &&
                          line.find("exact sweep: blocked") != std::string::npos;
        const bool corner =
            line.rfind("drive_road_corner,", 0) == 0 && line.find("verify: off_road") != std::string::npos;
        EXPECT_TRUE(walk || corner) << line;
        walks += walk ? 1 : 0;
        corners += corner ? 1 : 0;
    }
    EXPECT_GT(walks, 0U);
    EXPECT_EQ(corners,
              3U);  // of five: few tiles without cones hold it, and the last forbids the grass to the search
}

TEST(Gallery, DrawsEveryFigure) {
    const Folder folder{"fairlead_gallery"};
    ASSERT_EQ(run_demo({.out = folder.path().string(), .quiet = true, .pixels_per_point = 1.0}), 0);
    const std::string page = read(folder.path() / "index.html");
    const std::string csv = read(folder.path() / "summary.csv");
    expect_only_the_named_are_illegal(csv);
    for (const Figure& figure : all_figures()) {
        const std::string id = figure.id;
        const std::string svg = read(folder.path() / (id + ".svg"));
        EXPECT_EQ(testing::XmlCheck::run(svg), "") << id;
        EXPECT_LT(svg.size(), 1'000'000U) << id;
        EXPECT_EQ(read(folder.path() / (id + ".png")).substr(0, 8), "\x89PNG\r\n\x1a\n") << id;
        EXPECT_NE(page.find("id=\"" + id + "\""), std::string::npos) << id;
        EXPECT_NE(page.find("href=\"#" + id + "\""), std::string::npos) << id;
        EXPECT_NE(csv.find("\n" + id + ","), std::string::npos) << id;
    }
    EXPECT_EQ(page.find("src=\"http"), std::string::npos);
    EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(Gallery, DrawsTheSameTwice) {
    const Folder first{"fairlead_gallery_first"};
    const Folder second{"fairlead_gallery_second"};
    for (const Folder* folder : {&first, &second}) {
        ASSERT_EQ(run_demo({.out = folder->path().string(), .only = "town", .quiet = true}), 0);
    }
    for (const char* name : {"town.svg", "town.png", "index.html", "summary.csv"}) {
        EXPECT_EQ(read(first.path() / name), read(second.path() / name)) << name;
    }
}

// Place and heading of the truck change in step, from its start to the bay.
TEST(Gallery, MovingPicturesMove) {
    const Folder folder{"fairlead_gallery_moving"};
    ASSERT_EQ(run_demo({.out = folder.path().string(), .only = "moving_parking", .quiet = true}), 0);
    const std::string svg = read(folder.path() / "moving_parking.svg");
    std::size_t samples[2] = {};
    int found = 0;
    for (std::size_t at = svg.find("<animateTransform"); at != std::string::npos;
         at = svg.find("<animateTransform", at + 1)) {
        ASSERT_LT(found, 2);
        const std::string one = svg.substr(at, svg.find("/>", at) - at);
        samples[found++] = static_cast<std::size_t>(std::count(one.begin(), one.end(), ';'));
    }
    EXPECT_EQ(found, 2);
    EXPECT_EQ(samples[0], samples[1]);
    EXPECT_GT(samples[0], 30U);
    EXPECT_NE(read(folder.path() / "summary.csv").find("1 of 1 arrived"), std::string::npos);
}

TEST(Gallery, SaysWhatStopsIt) {
    const Folder folder{"fairlead_gallery_errors"};
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run_demo({.out = folder.path().string(), .only = "no such figure", .quiet = true}), 2);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "fairlead demo: no figure whose id contains \"no such figure\"\n");

    ::testing::internal::CaptureStderr();
    EXPECT_EQ(
        run_demo({.out = folder.path().string(), .scenes = "nowhere", .only = "clearance", .quiet = true}),
        2);
    const std::string missing = ::testing::internal::GetCapturedStderr();
    EXPECT_NE(missing.find("clearance: nowhere/cave.json"), std::string::npos) << missing;
    EXPECT_EQ(std::count(missing.begin(), missing.end(), '\n'), 1);

    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run_demo({.out = "/dev/null/x", .quiet = true}), 2);
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("/dev/null/x"), std::string::npos);
}

// The live page is copied into the gallery and linked; without one the gallery says how to make it.
TEST(Gallery, LinksTheLivePage) {
    const Folder folder{"fairlead_gallery_live"};
    const fs::path live = folder.path() / "live.html";
    fs::create_directories(folder.path());
    std::ofstream{live} << "<!doctype html>live";
    const std::string out = (folder.path() / "out").string();
    ASSERT_EQ(run_demo({.out = out, .only = "town", .page = live.string(), .quiet = true}), 0);
    EXPECT_EQ(read(folder.path() / "out" / "figure_1.html"), "<!doctype html>live");
    EXPECT_NE(read(folder.path() / "out" / "index.html").find("href=\"figure_1.html\""), std::string::npos);
    const std::string without = make_page({}, false);
    EXPECT_EQ(without.find("href=\"figure_1.html\""), std::string::npos);
    EXPECT_NE(without.find("./run page"), std::string::npos);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run_demo({.out = out, .only = "town", .page = "/no/such/page.html", .quiet = true}), 2);
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("/no/such/page.html"), std::string::npos);
}

TEST(Page, EscapesAndQuotes) {
    Figure figure{"id", "a < b & \"c\"", "caption", "P1 S2", nullptr};
    const std::vector<Shown> shown = {
        {figure, {800, 600}, {{.label = "x, \"y\"", .length = 1.25, .legal = false, .note = "<n>"}}}};
    const std::string page = make_page(shown);
    EXPECT_NE(page.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
    EXPECT_NE(page.find("<span class=\"chip\" title=\"the zigzag of tile routes\">P1</span>"),
              std::string::npos);
    EXPECT_NE(page.find("<td class=\"bad\">no</td>"), std::string::npos);
    EXPECT_EQ(make_csv(shown),
              "figure,case,planner,status,length,cost,bound,expanded,generated,legal,note\n"
              "id,\"x, \"\"y\"\"\",,,1.25,,,,,no,<n>\n");
}

TEST(Page, NumbersForPeople) {
    EXPECT_EQ(count_text(7), "7");
    EXPECT_EQ(count_text(1234), "1 234");
    EXPECT_EQ(count_text(1234567), "1 234 567");
    EXPECT_EQ(number_text(1.50), "1.5");
    EXPECT_EQ(number_text(-0.001), "0");
    EXPECT_EQ(number_text(100), "100");
    EXPECT_EQ(number_text(INFINITY), "infinite");
}

TEST(Plan, TheSceneFilesSayWhatComesOut) {
    for (const auto& entry : fs::directory_iterator{"scenes"}) {
        if (entry.path().extension() != ".json") continue;
        const World world = load_world("scenes", entry.path().stem().string());
        for (const formats::SceneQuery& query : world.scene.queries) {
            const std::string name = entry.path().string() + ", " + query.name;
            if (query.drives()) {
                const DrivePlan plan = make_drive_plan(world, query);
                if (query.expect.status.has_value()) {
                    EXPECT_STREQ(status_name(plan.route.status), status_name(*query.expect.status)) << name;
                }
                EXPECT_FALSE(plan.violation) << name << ": " << plan.violation.text().c_str();
                continue;
            }
            const Plan plan = make_plan(world, query.grid_query());
            if (query.expect.status.has_value()) {
                EXPECT_STREQ(status_name(plan.route.status), status_name(*query.expect.status)) << name;
            }
            if (query.expect.cost.has_value()) {
                EXPECT_NEAR(plan.route.cost, *query.expect.cost, 1e-6) << name;
            }
            EXPECT_FALSE(plan.violation) << name << ": " << plan.violation.text().c_str();
        }
    }
}

}  // namespace
}  // namespace fairlead::gallery
