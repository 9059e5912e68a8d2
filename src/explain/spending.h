// What the further searches of one explanation have left, and what they share.
#pragma once

#include <algorithm>
#include <cmath>

#include <fairlead/explain/explain.h>

namespace fairlead::explaining {

enum class Answer : std::uint8_t { no, yes, unknown, no_memory };

enum class Outcome : std::uint8_t { found, failed, spent, error };

/// Expansions and trials that are left.
struct Spending {
    std::uint64_t expansions = 0;
    std::int32_t trials = 0;
    Error error{};  ///< of the outcome `error`

    [[nodiscard]] bool empty() const { return expansions == 0 || trials <= 0; }
    void pay(std::uint64_t expanded) {
        expansions -= std::min(expansions, std::max<std::uint64_t>(1, expanded));
    }

    /// What became of a query, whose route is `route`.
    [[nodiscard]] Outcome judge(const Result<void>& done, const Route& route) {
        if (!done) {
            error = done.error();
            return Outcome::error;
        }
        pay(route.stats.expanded);
        if (route.status == PathStatus::complete) return Outcome::found;
        return route.status == PathStatus::budget_spent ? Outcome::spent : Outcome::failed;
    }
};

[[nodiscard]] inline Proof proof_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::found: return Proof::found;
        case Outcome::failed: return Proof::none;
        default: return Proof::not_looked;
    }
}

[[nodiscard]] inline Result<void> check_options(const ExplainOptions& options) {
    if (!std::isfinite(options.accuracy)) return Error{ErrorCode::not_finite, Field::accuracy};
    if (options.accuracy < 0.001 || options.accuracy > 1.0)
        return Error{ErrorCode::out_of_range, Field::accuracy};
    return {};
}

/// The largest value in [low, high) that does, between one that does and one that does not, by halving: `fits(value, route)`
/// asks a query. `high` is known to fail. Tries `guess` first if it is between them. False: an error, in `spending`.
template <class Fits>
[[nodiscard]] bool bisect(double low, double high, double guess, double least_step, double accuracy,
                          Spending& spending, Help& help, const Fits& fits) {
    help.proof = Proof::not_looked;
    Route route;
    const auto ask = [&](double value) {
        if (spending.empty()) return Outcome::spent;
        const Outcome outcome = fits(value, route, help);
        if (outcome == Outcome::found) {
            help.proof = Proof::found;
            help.value = value;
            std::swap(help.route, route);
        } else if (outcome == Outcome::failed) {
            help.failed = value;
        }
        return outcome;
    };
    help.failed = high;
    double fails = high;
    if (guess > low && guess < high) {
        const Outcome outcome = ask(guess);
        if (outcome == Outcome::error) return false;
        if (outcome == Outcome::spent) return true;
        if (outcome == Outcome::failed) fails = guess;
    }
    if (help.proof != Proof::found) {
        const Outcome outcome = ask(low);
        if (outcome == Outcome::error) return false;
        if (outcome != Outcome::found) {
            help.proof = proof_of(outcome);
            return true;
        }
    }
    double fits_to = help.value;
    double next =
        guess < high && fits_to == guess ? guess + 0.5 * std::max(least_step, accuracy * guess) : -1.0;
    while (fails - fits_to > std::max(least_step, accuracy * fits_to)) {
        const double value = next > fits_to && next < fails ? next : 0.5 * (fits_to + fails);
        next = -1.0;
        const Outcome outcome = ask(value);
        if (outcome == Outcome::error) return false;
        if (outcome == Outcome::spent) return true;
        (outcome == Outcome::found ? fits_to : fails) = value;
    }
    help.failed = fails;
    return true;
}

/// One value more, above help.value. False: an error, in `spending`; `more` becomes false where the budget has ended.
template <class Fits>
[[nodiscard]] bool try_value(double value, Spending& spending, Help& help, const Fits& fits, bool& more) {
    if (spending.empty()) more = false;
    if (!more) return true;
    Route route;
    const Outcome outcome = fits(value, route, help);
    if (outcome == Outcome::error) return false;
    more = outcome != Outcome::spent;
    if (outcome == Outcome::found) {
        help.value = value;
        std::swap(help.route, route);
    }
    if (outcome == Outcome::failed) help.failed = value;
    return true;
}

}  // namespace fairlead::explaining
