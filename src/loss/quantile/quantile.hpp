// The quantile loss (pinball loss) for 0 < q < 1 (Koenker and Bassett 1978): q r for r = y - z >= 0 and (1 - q) |r|
// below. Its expected value is least at the quantile; for q = 1/2 it is half the absolute error, which is least at the
// median. Its conjugate is -d y on q - 1 <= d <= q.
#pragma once

#include "loss/loss.hpp"

#include <algorithm>

namespace recta::loss::quantile {

struct With {
  static constexpr bool kByResidual = true;
  double q = 0.5;

  double value(double y, double z) const {
    const double r = y - z;
    return r >= 0 ? q * r : (q - 1) * r;
  }
  double slope(double y, double z) const { return y > z ? -q : y < z ? 1 - q : 0; } // one of them at the kink

  std::vector<Piece> pieces() const { return {{q - 1, q, 0}}; }

  bool in_domain(double, double d) const { return d >= q - 1 && d <= q; }
  double nearest(double, double d) const { return std::clamp(d, q - 1, q); }
  double conjugate(double y, double d) const { return -d * y; }
  double fenchel_young(double y, double z, double d) const {
    const double r = y - z;
    return r >= 0 ? (q - d) * r : (q - 1 - d) * r;
  }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "quantile";
  static constexpr std::string_view kSummary = "half the absolute error: the median; other quantiles by their share";
  static constexpr std::string_view kFormula = "q r where r = y - z >= 0, (1 - q) |r| below; q = 1/2";

  static LossModel model() {
    return {
        .summary =
            "the surface below which a share of the rows lies; at 0.5 the median, which is the least absolute error",
        .term = "max(q r_i, (q - 1) r_i)",
        .where = ",  r_i = y_i - z_i",
        .parameter = ParamInfo{"quantile", 0.5, "share of the rows below", 1e-6, 1 - 1e-6, {}},
        .place = 2};
  }
};

} // namespace recta::loss::quantile
