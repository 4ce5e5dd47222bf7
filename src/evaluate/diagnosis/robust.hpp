// Standard errors that do not assume one variance for all rows: (X'VX)^-1 M (X'VX)^-1 with the meat
//
//   HC0-HC3  M = sum g_i x_i x_i',  g = v^2 r^2 / (1 - h)^e,  e = 0, 0, 1, 2;  HC1 times N / (N - k)
//            frequencies: g = v r^2 / (1 - h / v)^e, each of the v copies being a row of its own
//   cluster  M = sum_c u_c u_c',  u_c = sum of v r x over the rows of c;  times C/(C - 1) (N - 1)/(N - k)
// White (1980), MacKinnon and White (1985), Liang and Zeger (1986). Gathered in the coordinates of whitening.hpp, where
// X'VX is the unit matrix and nothing is lost to the condition of the columns. t has N - k degrees of freedom, or
// C - 1; F is Wald's, of all slopes being zero.
#pragma once

#include "evaluate/diagnosis/row_facts.hpp"

#include <recta/model.hpp>

#include <map>

namespace recta::diagnosis {

struct Meat {
  std::shared_ptr<const Whitening> whitening;
  std::shared_ptr<const Predictor> predictor;
  StandardErrors kind = StandardErrors::hc0;
  bool frequency = false;

  std::vector<double> sums;                              // k times q x q, lower triangles by column
  std::map<std::uint64_t, std::vector<double>> clusters; // k times q: sums of scores
  Index alone = 0;                                       // number, from 1, of the first row of leverage 1; 0: none

  void accumulate(const Batch& batch);
  void merge(const Meat& other);
  std::string to_bytes() const;
  static Result<Meat> from_bytes(std::string_view bytes); // without whitening and predictor

private:
  void add_rows(const Batch& batch, std::span<const Index> present, const Whitening::Room& room);
};

// Puts other standard errors, and what follows from them, in the place of the classical ones.
Result<void> restate(const Meat& meat, const Gram& gram, double counted, LinearSummary& linear);

} // namespace recta::diagnosis
