// The claim of a fit about its answer, and whether code that shares nothing with the solver found the claim true.
// docs/certificates.md explains each claim and how to check it by hand.
#pragma once

#include <recta/error.hpp>
#include <recta/stop.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace recta {

// objective - optimum, exactly (least squares is quadratic): half the squared norm of R^-T gradient.
struct ExactOptimum {
  double suboptimality = 0;
  double coefficient_error = 0; // largest distance of a coefficient to the optimum's, in units of its column's spread
  double backward_error = 0;    // ||X'S r|| / (||X||_S ||r||_S)
  bool from_merged_statistics = false; // no second pass over the rows was possible
};
struct DualityGap {
  double primal = 0, dual = 0, gap = 0;
  bool from_merged_statistics = false; // no second pass over the rows was possible
};
struct KktResidual {
  double residual = 0;
};
struct SeparatingHyperplane {
  double margin = 0;                                     // smallest signed distance of a row
  double gap = std::numeric_limits<double>::quiet_NaN(); // of 1/2 |w|^2 to that of the widest margin, if it is claimed
};
struct NotSeparable {
  std::vector<double> multipliers; // a >= 0, sum a = 1, sum a_i y_i x_i = 0
  double residual = 0;
};
struct NoFiniteMaximum {
  std::vector<double> direction; // along which the likelihood rises for ever
};
struct Counted {}; // the answer is a ratio of integers
struct Searched {  // every candidate was compared
  Index candidates = 0;
};
struct Stationary { // of a cost that is not convex: no proof of an optimum
  double gradient_norm = 0;
};

struct Described { // in the family's own words: the recall of an index, a fixed point, an approximation and its error
  std::string name, text; // "fixed_point", and what stands in the sentence
  std::vector<std::pair<std::string, double>> figures;
};

using Claim = std::variant<ExactOptimum, DualityGap, KktResidual, SeparatingHyperplane, NotSeparable, NoFiniteMaximum,
                           Counted, Searched, Stationary, Described>;

struct Proof; // what was shown of a claim: src/certificate/verdict.hpp

// What came of a claim. Two functions make one: the judge, of a proof, and the reader of model files, of a word.
class Verdict {
public:
  enum Word : std::uint8_t { proved, within_tolerance, stopped_early, refuted };

  constexpr Verdict() = default;                    // nothing was shown: refuted
  constexpr operator Word() const { return word_; } // NOLINT(google-explicit-constructor): compared and switched over
  constexpr bool is_stated() const { return stated_; } // by a file; nothing was checked yet

private:
  friend Verdict verdict_of(const Proof& proof);
  friend Verdict stated_verdict(Word word);
  constexpr Verdict(Word word, bool stated) : word_(word), stated_(stated) {}

  Word word_ = refuted;
  bool stated_ = false;
};

struct Certificate {
  Claim claim;
  Verdict verdict;
  double objective = 0;                // F at the answer
  double null_objective = 0;           // F at w = 0 with the best intercept
  double tolerance = 0;                // tolerance of the claim, in units of null_objective
  double slack = 0;                    // bound on the rounding of the check itself
  Index passes = 0;                    // over the rows, the check included
  Stop stop;                           // why the solver stopped: "solved in closed form", "time limit"
  std::vector<std::string> conditions; // "rank 12 of 13", "the answer of least norm among many"

  bool reaches_tolerance() const; // as computed; a claim without a distance to the optimum goes by its verdict
  std::string sentence() const;   // the one line a person reads; the same in every front end
};

std::string_view name(Verdict::Word verdict);
std::string_view name(const Claim& claim);

} // namespace recta
