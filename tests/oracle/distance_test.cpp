// Every distance to the optimum that a certificate prints is one: no point at 80 digits lies further below the answer.
#include "optimum.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <regex>

namespace recta::testing {
namespace {

// As a person reads it: what is printed must hold, not only what is behind it.
std::optional<double> printed_distance(const std::string& sentence) {
  static const std::regex within("is within ([^ ]+) of the optimum"),
      hidden("is ([^ ]+) above the optimum as computed, and the rounding of the check may hide ([^ ]+) more"),
      above("may be ([^ ]+) above the optimum");
  std::smatch match;
  if (std::regex_search(sentence, match, hidden)) return std::stod(match[1]) + std::stod(match[2]);
  for (const std::regex* each : {&within, &above})
    if (std::regex_search(sentence, match, *each)) return std::stod(match[1]);
  return std::nullopt;
}

struct Count {
  int fits = 0, distances = 0, proved = 0;
};

void look_at(const std::string& word, std::uint64_t seed, Count& count) {
  const Problem problem = RandomProblem(word, seed).make();
  const auto model = problem.fit();
  if (!model) return; // a target that the model refuses
  ++count.fits;
  const auto distance = printed_distance(model->certificate.sentence());
  if (!distance) return; // no finite maximum
  ++count.distances;
  count.proved += model->certificate.verdict == Verdict::proved ? 1 : 0;
  const Oracle oracle(problem);
  const Real excess = oracle.excess(oracle.point_of(*model));
  EXPECT_LE(excess, Real(*distance)) << word << " of seed " << seed << ": " << model->certificate.sentence();
}

// Most have a distance (of classes that can be separated the likelihood has no maximum), and most of these are proved:
// not perfect fits, whose tolerance is one of nothing, nor some to which a tolerance of 1e-14 was given.
void hunt(const std::string& word, std::uint64_t first, int fits) {
  Count count;
  for (int k = 0; k < fits; ++k) look_at(word, first + static_cast<std::uint64_t>(k), count);
  EXPECT_GE(count.distances, 0.6 * fits) << word;
  EXPECT_GE(count.proved, 0.7 * count.distances) << word;
}

constexpr int kMany = 1500;

TEST(Distance, HoldsAt80DigitsOfSomeRandomFits) {
  for (const char* word : {"poisson", "gamma", "logistic", "softmax", "huber", "quantile", "epsilon-insensitive"})
    hunt(word, 1'000'000, 15);
}

TEST(SlowDistance, OfPoissonHoldsAt80Digits) {
  hunt("poisson", 0, kMany);
}
TEST(SlowDistance, OfGammaHoldsAt80Digits) {
  hunt("gamma", 0, kMany);
}
TEST(SlowDistance, OfLogisticHoldsAt80Digits) {
  hunt("logistic", 0, kMany);
}
TEST(SlowDistance, OfSoftmaxHoldsAt80Digits) {
  hunt("softmax", 0, kMany);
}
TEST(SlowDistance, OfHuberHoldsAt80Digits) {
  hunt("huber", 0, 2 * kMany);
}
TEST(SlowDistance, OfQuantileHoldsAt80Digits) {
  hunt("quantile", 0, kMany);
}
TEST(SlowDistance, OfEpsilonInsensitiveHoldsAt80Digits) {
  hunt("epsilon-insensitive", 0, kMany);
}

} // namespace
} // namespace recta::testing
