#include "combine/code.hpp"

#include "base/numbers.hpp"
#include "base/random.hpp"
#include "combine/coupling.hpp"
#include "model/votes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace recta::combine {
namespace {

constexpr Index kExhaustive = 7; // classes
constexpr int kDraws = 100;

Code empty_code(Scheme scheme, Index classes, Index parts) {
  return {scheme, classes, parts, std::vector<std::int8_t>(at(classes * parts))};
}

Code against_all(Index classes) {
  Code code = empty_code(Scheme::ova, classes, classes);
  for (Index k = 0; k < classes; ++k)
    for (Index j = 0; j < classes; ++j) code.side[at(k * classes + j)] = k == j ? 1 : -1;
  return code;
}

Code all_pairs(Index classes) {
  Code code = empty_code(Scheme::ovo, classes, classes * (classes - 1) / 2);
  Index part = 0;
  for (Index k = 0; k < classes; ++k)
    for (Index l = k + 1; l < classes; ++l, ++part) {
      code.side[at(k * code.parts + part)] = 1;
      code.side[at(l * code.parts + part)] = -1;
    }
  return code;
}

// The first class is always on the side 1: a division and its opposite are the same question.
Code all_divisions(Index classes) {
  const Index parts = (Index{1} << (classes - 1)) - 1;
  Code code = empty_code(Scheme::ecoc, classes, parts);
  for (Index j = 0; j < parts; ++j)
    for (Index k = 0; k < classes; ++k) code.side[at(k * parts + j)] = k == 0 || ((j >> (k - 1)) & 1) != 0 ? 1 : -1;
  return code;
}

Index least_difference(const Code& code) {
  Index least = code.parts;
  for (Index k = 0; k < code.classes; ++k)
    for (Index l = k + 1; l < code.classes; ++l) {
      Index differ = 0;
      for (Index j = 0; j < code.parts; ++j) differ += code.at(k, j) != code.at(l, j) ? 1 : 0;
      least = std::min(least, differ);
    }
  return least;
}

Code random_divisions(Index classes, std::uint64_t seed) {
  const auto parts = static_cast<Index>(std::ceil(10 * std::log2(static_cast<double>(classes))));
  Random random(seed);
  Code best;
  Index most = -1;
  for (int draw = 0; draw < kDraws; ++draw) {
    Code code = empty_code(Scheme::ecoc, classes, parts);
    std::set<std::vector<std::int8_t>> columns;
    for (Index j = 0; j < parts;) {
      std::vector<std::int8_t> column(at(classes), 1);
      for (Index k = 1; k < classes; ++k) column[at(k)] = random.below(2) == 0 ? 1 : -1;
      if (std::ranges::count(column, 1) == classes || !columns.insert(column).second) continue;
      for (Index k = 0; k < classes; ++k) code.side[at(k * parts + j)] = column[at(k)];
      ++j;
    }
    if (const Index least = least_difference(code); least > most) most = least, best = std::move(code);
  }
  return best;
}

double log_sigma(double z) {
  return std::min(z, 0.0) - std::log1p(std::exp(-std::abs(z)));
}

void votes(const Code& code, const double* z, double* out) {
  std::vector<PairVote> pairs;
  for (Index k = 0; k < code.classes; ++k)
    for (Index l = k + 1; l < code.classes; ++l) pairs.push_back({k, l, z[pairs.size()]});
  count_votes(pairs, code.classes, out);
}

void likelihoods(const Code& code, bool probabilities, const double* z, double* out) {
  for (Index k = 0; k < code.classes; ++k) {
    out[k] = 0;
    for (Index j = 0; j < code.parts; ++j) {
      const double m = code.at(k, j) * z[j];
      out[k] += probabilities ? log_sigma(m) : -std::max(0.0, 1 - m);
    }
  }
}

} // namespace

double sigma(double z) {
  return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
}

Result<Scheme> scheme_of(const std::string& word) {
  const auto known = std::ranges::find(kSchemes, word);
  if (known != std::end(kSchemes)) return static_cast<Scheme>(known - std::begin(kSchemes));
  return fail(ErrorCode::usage, "multiclass", fmt::format("\"{}\" is not a way to combine two classes", word),
              "ova, ovo, ecoc and native are");
}

Code code_of(Scheme scheme, Index classes, std::uint64_t seed) {
  if (scheme == Scheme::ova) return against_all(classes);
  if (scheme == Scheme::ovo) return all_pairs(classes);
  return classes <= kExhaustive ? all_divisions(classes) : random_divisions(classes, seed);
}

bool is_whole(const Code& code) {
  if (code.classes < 2 || code.parts < 1 || std::ssize(code.side) != code.classes * code.parts) return false;
  if (code.scheme != Scheme::ecoc) return code.side == code_of(code.scheme, code.classes, 0).side;
  for (Index j = 0; j < code.parts; ++j) {
    bool above = false, below = false;
    for (Index k = 0; k < code.classes; ++k) {
      if (code.at(k, j) != 1 && code.at(k, j) != -1) return false;
      (code.at(k, j) == 1 ? above : below) = true;
    }
    if (!above || !below) return false;
  }
  return true;
}

void combine_scores(const Code& code, bool probabilities, const double* z, Index rows, double* out) {
  for (Index i = 0; i < rows; ++i, z += code.parts, out += code.classes) {
    if (std::any_of(z, z + code.parts, [](double x) { return std::isnan(x); }))
      std::fill_n(out, code.classes, kNaN);
    else if (code.scheme == Scheme::ova)
      std::copy_n(z, code.classes, out);
    else if (code.scheme == Scheme::ovo)
      votes(code, z, out);
    else
      likelihoods(code, probabilities, z, out);
  }
}

void combine_probabilities(const Code& code, const double* z, Index rows, double* out) {
  std::vector<double> scores(at(code.classes));
  for (Index i = 0; i < rows; ++i, z += code.parts, out += code.classes) {
    combine_scores(code, true, z, 1, scores.data());
    if (std::isnan(scores[0])) {
      std::fill_n(out, code.classes, kNaN);
      continue;
    }
    const Index said = std::ranges::max_element(scores) - scores.begin();
    if (code.scheme == Scheme::ovo) {
      std::vector<double> first(at(code.parts)); // probability of the first class of each pair
      std::transform(z, z + code.parts, first.begin(), sigma);
      couple(code.classes, first.data(), out);
    } else {
      const double most = scores[at(said)];
      for (Index k = 0; k < code.classes; ++k)
        out[k] = code.scheme == Scheme::ova ? sigma(scores[at(k)]) : std::exp(scores[at(k)] - most);
      double sum = 0;
      for (Index k = 0; k < code.classes; ++k) sum += out[k];
      // All classes so unlikely that none has a probability: the least unlikely one is certain.
      for (Index k = 0; k < code.classes; ++k) out[k] = sum > 0 ? out[k] / sum : (k == said ? 1 : 0);
    }
    double* const largest = std::max_element(out, out + code.classes);
    if (out[said] < *largest) std::swap(out[said], *largest);
  }
}

} // namespace recta::combine
