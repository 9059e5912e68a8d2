// Cutting a script down: leave out steps (halves, quarters, ... single ones), then arguments, then make what is left plain.
// Delta debugging (Zeller & Hildebrandt 2002), greedy, repeated while anything gives way.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "simulate/run.h"

namespace fairlead::simulate {

namespace {

struct Shrinker {
    Script best;
    std::string kind;
    const std::function<std::string(const Script&)>* plays;
    int trials = 0;

    static constexpr int kTrials = 4000;

    bool keep(const Script& candidate) {
        if (trials >= kTrials) return false;
        ++trials;
        const std::string finding = (*plays)(candidate);
        if (finding.empty() || kind_of(finding) != kind) return false;
        best = candidate;
        return true;
    }
};

bool drop_steps(Shrinker& shrinker) {
    bool any = false;
    for (std::size_t size = std::max<std::size_t>(shrinker.best.steps.size() / 2, 1); size > 0; size /= 2) {
        for (std::size_t end = shrinker.best.steps.size(); end >= size && end > 0;) {
            Script candidate = shrinker.best;
            const auto last = candidate.steps.begin() + static_cast<std::ptrdiff_t>(end);
            candidate.steps.erase(last - static_cast<std::ptrdiff_t>(size), last);
            if (shrinker.keep(candidate)) any = true;
            end -= std::min(size, end);
        }
    }
    return any;
}

bool drop_arguments(Shrinker& shrinker) {
    bool any = false;
    for (std::size_t s = 0; s < shrinker.best.steps.size(); ++s) {
        for (std::size_t a = shrinker.best.steps[s].arguments.size(); a-- > 0;) {
            Script candidate = shrinker.best;
            auto& arguments = candidate.steps[s].arguments;
            arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(a));
            any = shrinker.keep(candidate) || any;
        }
    }
    return any;
}

std::vector<std::string> parts_of(const std::string& text, char mark) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == mark)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::string join(const std::vector<std::string>& parts, char mark) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? "" : std::string(1, mark)) + parts[i];
    return out;
}

/// Simpler values in place of one, the simplest first.
std::vector<std::string> simpler_values(const std::string& key, const std::string& value) {
    std::vector<std::string> out;
    if (key == "rows" || key == "tiles") {
        std::vector<std::string> layers = parts_of(value, '|');
        for (std::size_t i = layers.size(); layers.size() > 1 && i-- > 0;) {
            std::vector<std::string> fewer = layers;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            out.push_back(join(fewer, '|'));
        }
        const std::size_t height = parts_of(layers[0], '/').size();
        for (std::size_t y = height; height > 1 && y-- > 0;) {
            std::vector<std::string> fewer = layers;
            for (std::string& layer : fewer) {
                std::vector<std::string> rows = parts_of(layer, '/');
                if (y < rows.size()) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(y));
                layer = join(rows, '/');
            }
            out.push_back(join(fewer, '|'));
        }
        const std::size_t width = parts_of(layers[0], '/')[0].size();
        for (std::size_t x = width; width > 1 && x-- > 0;) {
            std::vector<std::string> fewer = layers;
            for (std::string& layer : fewer) {
                std::vector<std::string> rows = parts_of(layer, '/');
                for (std::string& row : rows)
                    row = x < row.size() ? row.substr(0, x) + row.substr(x + 1) : row;
                layer = join(rows, '/');
            }
            out.push_back(join(fewer, '|'));
        }
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (value[i] == '.' || value[i] == '/' || value[i] == '|') continue;
            out.push_back(value);
            out.back()[i] = '.';
        }
        return out;
    }
    const std::vector<std::string> numbers = parts_of(value, ',');
    for (std::size_t i = numbers.size(); i-- > 0;) {
        char* end = nullptr;
        const double number = std::strtod(numbers[i].c_str(), &end);
        if (end == numbers[i].c_str()) continue;
        for (const double plain : {0.0, 1.0, 0.5, std::floor(number), std::floor(number) + 0.5, number / 2,
                                   std::round(number * 10) / 10, std::round(number * 100) / 100}) {
            std::vector<std::string> plainer = numbers;
            plainer[i] = number_text(plain);
            if (plain == number || plainer[i].size() > numbers[i].size()) continue;
            if (std::abs(plain) > std::abs(number)) continue;
            out.push_back(join(plainer, ','));
        }
    }
    return out;
}

bool simplify_values(Shrinker& shrinker) {
    bool any = false;
    for (std::size_t s = 0; s < shrinker.best.steps.size(); ++s) {
        for (std::size_t a = 0; a < shrinker.best.steps[s].arguments.size(); ++a) {
            const auto [key, value] = shrinker.best.steps[s].arguments[a];
            for (const std::string& simpler : simpler_values(key, value)) {
                Script candidate = shrinker.best;
                candidate.steps[s].arguments[a].second = simpler;
                if (!shrinker.keep(candidate)) continue;
                any = true;
                break;
            }
        }
    }
    return any;
}

}  // namespace

std::string kind_of(const std::string& finding) {
    std::size_t from = 0;
    if (finding.rfind("step ", 0) == 0) from = finding.find(": ") + 2;
    return finding.substr(from, finding.find(':', from) - from);
}

Script shrink(const Script& script, const std::function<std::string(const Script&)>& plays) {
    Shrinker shrinker{script, kind_of(plays(script)), &plays};
    for (bool more = true; more && shrinker.trials < Shrinker::kTrials;) {
        more = drop_steps(shrinker);
        more = drop_arguments(shrinker) || more;
        more = simplify_values(shrinker) || more;
    }
    return shrinker.best;
}

}  // namespace fairlead::simulate
