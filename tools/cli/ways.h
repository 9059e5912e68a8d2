// --alternatives: several ways instead of one, for walkers on tiles, level meshes and roadmaps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/bridge/alternatives.h>

#include "cli/failure.h"
#include "measure/clock.h"

namespace fairlead::cli {

class WaysFlags {
  public:
    void add(CLI::App& app);
    [[nodiscard]] bool given() const { return count_ > 0; }
    /// Fails if one was given: `where` for the message.
    void refuse(const char* where) const;

    /// The ways, the best first, as text or one JSON line each. `error_of`: what the library says about a query.
    template <class World, class Query>
    void show(const std::string& path, const World& world, const Query& query, std::uint64_t seed, bool json,
              std::string (*error_of)(const Error&)) const {
        std::vector<Route> ways(count_);
        Scratch scratch;
        const std::uint64_t before = measure::thread_ns();
        const Result<std::size_t> found = find_alternatives(world, query, options(seed), scratch, ways);
        const std::uint64_t ns = measure::thread_ns() - before;
        if (!found) fail_at(path, error_of(found.error()));
        print(ways, *found, ns, json);
    }

  private:
    [[nodiscard]] AlternativeOptions options(std::uint64_t seed) const;
    void print(const std::vector<Route>& ways, std::size_t found, std::uint64_t ns, bool json) const;

    std::size_t count_ = 0;
    std::string stretch_ = "1.25", apart_ = "0.3", apart_width_ = "0";
    int tries_ = AlternativeOptions{}.trials;
    CLI::App* app_ = nullptr;
};

}  // namespace fairlead::cli
