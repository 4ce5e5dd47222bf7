// The best threshold of the scores of two classes.
#pragma once

#include <recta/decide.hpp>

#include <array>

namespace recta::decision {

struct TwoClassScores {
  std::vector<double> score{}; // of the positive class
  std::vector<std::int32_t> positive{};
  std::vector<double> weights{};
};

Result<Decision> best_threshold(const TwoClassScores& rows, const std::string& aim);
// Costs of: a row of the other class left, one taken, a positive row left, one taken. The value is their mean.
Result<Decision> cheapest_threshold(const TwoClassScores& rows, const std::array<double, 4>& costs);

} // namespace recta::decision

namespace recta {

// The class of the least expected cost, the first of several; factors of the classes are taken off its probabilities.
std::int32_t cheapest_class(std::span<const double> probability, std::span<const double> costs,
                            std::span<const double> factor);

} // namespace recta
