// From the evidence to a bound on F - F*, over all targets: by the residual, and by an exact solve on the columns in
// use where that is sharper.
#pragma once

#include "certificate/elastic_net/evidence.hpp"

#include <optional>

namespace recta {

struct Conclusion {
  double objective = 0, gap = 0, slack = 0;
  std::vector<double> multiplier;
  std::vector<Dependence> dependent;
  bool pulled = false; // a gradient is larger than its penalty: a penalised coefficient at zero does not belong there
  double length = 0;   // the largest sum v |w| of the constrained form
};

class Judge {
public:
  Judge(const ElasticNetClaimed& claimed, const Evidence& seen, const Gram* gram, RowSource* rows, Pool& pool,
        const Watch& watch);

  const std::vector<Term>& terms() const { return terms_; }
  Index passes() const { return passes_; }
  Result<Conclusion> conclude();

private:
  Result<void> target(Index t, Conclusion& all);
  Result<BallBound> by_ball(const TargetAnswer& answer);
  void add_objective(const TargetAnswer& answer, Index t, Conclusion& all) const;
  std::vector<Index> possibly_dependent(std::vector<Index> chosen) const;
  Result<void> multiply(const std::vector<Index>& chosen); // products_, of these columns at least

  const ElasticNetClaimed& claimed_;
  const Evidence& seen_;
  const Gram* gram_;
  RowSource* rows_;
  Pool& pool_;
  const Watch& watch_;
  std::vector<Term> terms_;
  std::optional<Products> products_;
  Index passes_ = 0;
};

} // namespace recta
