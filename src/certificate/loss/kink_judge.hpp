// The bounds that dual points give an answer under a loss of straight lines: kinked.hpp has the mathematics.
#pragma once

#include "base/sums.hpp"
#include "certificate/loss/kink_dual.hpp"
#include "certificate/loss/proof_rows.hpp"
#include "certificate/loss/verdict.hpp"

#include <optional>

namespace recta {

class KinkJudge {
public:
  KinkJudge(const LossClaimed& claimed, ProofRows view, Pool& pool, const Watch& watch, bool hurried);

  Result<void> run();

  // Columns are too alike for a bound over all of them: in a basis that tells them apart there may be one.
  bool wants_basis() const;
  Index passes() const { return passes_; }
  LossChecked checked() const;

private:
  bool penalised() const { return claimed_.objective.lambda1 + claimed_.objective.lambda2 > 0; }
  bool holds() const { return outcome_.gap + outcome_.slack <= claimed_.tolerance * facts_.null_objective; }
  bool exact(std::size_t j) const { return !geometry_->unit().empty() && geometry_->unit()[j] > 0; }

  Result<void> gathered(double& near);
  Result<void> brief(double near);
  Result<void> listened(double near, double size);
  Result<void> search(double near, double size);
  std::shared_ptr<KinkPoint> fresh_point(double near) const;
  Result<KinkSums> pass(std::shared_ptr<const KinkPoint> point, const Watch& watch);
  Result<void> look(double near, bool gather, const Watch& watch);
  void add_objective();
  double blur() const;
  double scale() const;
  Result<void> stand(bool all);
  std::vector<double> basis_error() const;
  Result<void> look_at_combinations();

  double target(const KinkLeft& rest, std::size_t j, double near) const;
  double length(const KinkLeft& rest, double near) const;
  double shrinking(const KinkLeft& rest, const std::vector<double>& margin, double move) const;
  void consider(const KinkSums& sums, const std::vector<double>& d, double near);
  void add_penalties(const KinkLeft& rest, const std::vector<double>& margin, double eta, double near,
                     CompensatedSum& gap, CompensatedSum& slack) const;
  double residual(const KinkLeft& rest, double near) const;

  Result<void> spread(double near);
  DualStep step_of(const Geometry& with_room, const KinkLeft& rest, double near) const;

  const LossClaimed& claimed_;
  ProofRows view_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  bool hurried_;
  std::vector<loss::Piece> pieces_;
  double low_ = 0, high_ = 0, shift_ = 0, longest_ = 0, mean_loss_ = 0;
  std::vector<Term> terms_;
  KinkSums sums_;
  Gram gram_;
  std::optional<Geometry> geometry_;
  std::optional<KinkDual> dual_;
  LossOutcome outcome_;
  Index passes_ = 0;
};

} // namespace recta
