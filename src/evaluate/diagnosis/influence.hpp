// From the facts of rows to how much each row decides. With h the leverage, r the residual, v the weight, k = sum h, f
// the degrees of freedom and s^2 = RSS / f; if a row is deleted, all copies of a counted row go:
//
//   deleted residual  d = r / (1 - h)                         exact for least squares and ridge
//   s_(i)^2           (RSS - v r^2 / (1 - h)) / (f - c)       c = 1, or v where weights are frequencies
//   standardised      r / (s sqrt(o - h/v))                   o = 1/v, or 1 where weights are frequencies
//   studentised       d / (s_(i) sqrt(o + (h/v) / (1 - h)))
//   Cook              v r^2 h / ((1 - h)^2 k s^2)
//   DFFITS            sqrt(v h) d / s_(i)
//   PRESS             sum v d^2
// The last five hold for least squares alone, PRESS excepted. Cook (1977), Belsley, Kuh and Welsch (1980).
#pragma once

#include "evaluate/diagnosis/row_facts.hpp"

#include <recta/diagnosis.hpp>

namespace recta::diagnosis {

inline constexpr double kAlone = 0x1p-26; // 1 - h below this is rounding: the square root of the unit roundoff

struct Setting {
  bool frequency = false, penalised = false;
  double counted = 0;    // rows, or the sum of frequencies
  double parameters = 0; // k
  double freedom = 0;    // f
};

// Bounds as R's influence.measures has them: leverage 3 k / N, |DFFITS| 3 sqrt(k / f), Cook's distance the median of
// F(k, f).
void set_bounds(const Setting& setting, Diagnosis& out);

TargetDiagnosis study_influence(const RowFacts::Block& facts, Index target, Index targets, double total_square,
                                const Setting& setting, const Diagnosis& bounds);

} // namespace recta::diagnosis
