// The term that Firth's correction adds to the score of a logistic likelihood, in one pass over the rows. With a = (1,
// x),
// P = 1 / (1 + e^-z), I = sum v P (1 - P) a a' and the leverage h_i = v_i P_i (1 - P_i) a_i' I^-1 a_i:
//
//   sum h,   sum h (1/2 - P),   sum h (1/2 - P) x:   the gradient of (1/2) log det I
#pragma once

#include "base/factor/cholesky.hpp"
#include "stats/accumulator.hpp"
#include "stats/gram/gram.hpp"

#include <memory>

namespace recta {

// I at one point, as the Gram of the rows with weights v P (1 - P) holds it.
struct FisherInformation {
  FisherInformation(const Gram& gram, bool with_intercept, const std::vector<char>& constant, Pool& pool);

  std::vector<Index> used;  // columns that are not constant
  std::vector<double> mean; // of these; zero without an intercept
  bool intercept = true;
  Cholesky<double> factor;
  double weight = 0;

  bool whole() const { return factor.rank() == static_cast<Index>(used.size()); } // no column depends on others
  double log_det() const;
};

struct FirthPoint {
  std::vector<double> w;
  double b = 0;
  std::shared_ptr<const FisherInformation> information;
};

struct FirthSums : Saved<FirthSums> {
  std::shared_ptr<const FirthPoint> point;
  Index cols = 0;
  double leverage = 0, slope = 0;
  std::vector<double> gradient;

  FirthSums() = default;
  explicit FirthSums(std::shared_ptr<const FirthPoint> at);

  void accumulate(const Batch& batch);
  void merge(const FirthSums& other);
  static constexpr std::string_view kTag = "firt", kName = "leverages of logistic regression";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.leverage, s.slope);
    io.numbers(s.cols, s.gradient);
  }
  bool finite() const { return true; } // the rows were checked when they were first read
};

} // namespace recta
