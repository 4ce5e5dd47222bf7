// From the evidence to a bound on F - F*, over all targets: by the residual, and by an exact solve on the columns in
// use if that is sharper.
#pragma once

#include "certificate/elastic_net/evidence.hpp"
#include "certificate/elastic_net/free_columns.hpp"

#include <optional>

namespace recta {

struct Conclusion {
  double objective = 0, gap = 0, slack = 0;
  std::vector<double> multiplier;
  std::vector<Dependence> dependent;
  bool pulled = false; // a gradient is larger than its penalty: a penalised coefficient at zero does not belong there
  double length = 0;   // the largest sum v |w| of the constrained form
  Index loose = 0;     // columns without a penalty that are combinations of others to rounding only
};

class Judge {
public:
  Judge(const ElasticNetClaimed& claimed, const Evidence& evidence, const Gram* gram, RowSource* rows, Pool& pool,
        const Watch& watch);

  const std::vector<Term>& terms() const { return terms_; }
  Index passes() const { return passes_; }
  Result<Conclusion> conclude();

private:
  Result<void> target(Index t, Conclusion& all);
  Result<GapBound> by_solve(const TargetAnswer& answer, const std::vector<Index>& columns, double limit);
  Result<BallBound> by_ball(const TargetAnswer& answer, double limit);
  Result<void> add_implied(SolvedColumns& chosen);
  std::vector<Index> free_first(const std::vector<Index>& columns) const;
  double add_objective(const TargetAnswer& answer, Index t, Conclusion& all) const; // of this target
  std::vector<Index> possibly_dependent(std::vector<Index> chosen) const;
  Result<void> multiply(const std::vector<Index>& chosen); // products_, of these columns at least

  const ElasticNetClaimed& claimed_;
  const Evidence& evidence_;
  const Gram* gram_;
  RowSource* rows_;
  Pool& pool_;
  const Watch& watch_;
  std::vector<Term> terms_;
  std::optional<Products> products_;
  std::vector<Index> free_; // those that were looked at
  FreeColumns implied_;
  Index passes_ = 0;
};

} // namespace recta
