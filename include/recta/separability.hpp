// Can a hyperplane separate two classes? The answer and its proof: docs/separability.md.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

enum class Separation {
  separable,     // y_i (<w, x_i> + b) > 0 for every row
  except,        // not separable, but all rows are on their sides except some that lie on the hyperplane
  not_separable, // as multipliers prove
  undecided      // the margin is too near to zero for the arithmetic that could be afforded
};
std::string_view name(Separation verdict);

struct Multiplier {
  Index row = 0; // numbered from 1
  double value = 0;
  std::string fraction{}; // "1/4", where it is known and short
};

struct Separability {
  Separation verdict = Separation::undecided;
  bool exact = false;                                     // in whole numbers, without any rounding
  bool proved = false;                                    // exact, or by bounds on every rounding
  std::string source{}, target{}, negative{}, positive{}; // classes: y = -1 and y = 1
  Index rows = 0, negatives = 0, positives = 0;
  bool intercept = true; // free; false: through the origin
  std::vector<std::string> features{};

  // The hyperplane <w, x> + b = 0, in the units of the data, y (<w, x> + b) = 1 in the nearest rows if that is within
  // the doubles; or empty.
  std::vector<double> weights{};
  double b = 0;
  bool rounded = false; // the proof holds for a hyperplane in fractions, and for these doubles only to rounding
  double margin_lower = 0, margin_upper = 0; // bounds on the widest margin: the distance of the nearest row
  std::string margin_squared{};              // if it is known as a fraction and short
  // a >= 0, sum a = 1, v = sum a_i y_i x_i, and with an intercept sum a_i y_i = 0. Separable: no margin is above |v|,
  // and these are the support rows. Not separable: v = 0.
  std::vector<Multiplier> multipliers{};
  double residual = 0;                // largest component of v beside the largest |x_ij| of its column, a as printed
  std::vector<Index> on_hyperplane{}; // Separation::except, numbered from 1
  // Not separable, and it is proved that no hyperplane has rows on their sides and none on a wrong one, even if rows
  // may lie on it: a logistic likelihood has a finite maximum.
  bool overlap = false;
  Index looks = 0; // passes over the rows
  // Separable: from zero and at a constant rate a perceptron makes at most `mistakes` <= (R B)^2 of them, in any order.
  double radius = 0, norm = 0, mistakes = 0; // R and B, the intercept counted in both; infinite: beyond the doubles

  std::string sentence() const;
  double normal_length() const;                  // |w|
  double origin_distance() const;                // |b| / |w|
  double signed_distance(const double* x) const; // distance of a point; above zero on the positive side
};

Result<Separability> separability(const Dataset& data, const FitOptions& options = {}, const Watch& watch = {});
Result<Separability> separability(const Arrays& arrays, const FitOptions& options = {},
                                  const Watch& watch = {}); // y: two numbers

// Every class against the rest, which is then called so, in the order of the classes; for two classes, a single answer.
Result<std::vector<Separability>> class_separability(const Dataset& data, const FitOptions& options = {},
                                                     const Watch& watch = {});
Result<std::vector<Separability>> class_separability(const Arrays& arrays, const FitOptions& options = {},
                                                     const Watch& watch = {});

// Every pair of classes k < l, without the rows of the others, the first of the two positive.
Result<std::vector<Separability>> pair_separability(const Dataset& data, const FitOptions& options = {},
                                                    const Watch& watch = {});
Result<std::vector<Separability>> pair_separability(const Arrays& arrays, const FitOptions& options = {},
                                                    const Watch& watch = {});

} // namespace recta
