// Least squares and ridge by descent: turns a problem and its rows into the input of a descent, and its points into an
// answer.
#pragma once

#include "solver/gradient_descent/descend.hpp"
#include "solver/gradient_descent/standardised_rows.hpp"
#include "solver/gradient_descent/visits.hpp"
#include "solver/least_squares.hpp"
#include "stats/column_sums/column_sums.hpp"

namespace recta {

const std::vector<std::string>& descent_words(); // of the solver: gradient-descent, sgd, accelerated, svrg, saga

class SquaresDescent {
public:
  // Looks at every column, holds the rows if single ones will be visited, and measures the curvature.
  static Result<std::unique_ptr<SquaresDescent>> prepare(const LeastSquaresProblem& problem, RowSource& rows,
                                                         Pool& pool, const Watch& watch);

  // `record`: one step in this many goes on record; 0: none.
  Result<DescentOutcome> run(Index target, Index record, Pool& pool, const Watch& watch);
  Point in_units_of_data(Point point) const;
  LeastSquaresSolution answer(const std::vector<DescentOutcome>& outcomes, Pool& pool);

private:
  SquaresDescent(const LeastSquaresProblem& problem, RowSource& rows) : problem_(problem), rows_(&rows) {}
  double gradient_goal(Index target) const;

  const LeastSquaresProblem& problem_;
  RowSource* rows_; // as the descent sees them
  LeastSquaresSolution begun_;
  ColumnSums sums_;
  std::vector<double> mean_, deviation_;
  bool centred_ = false; // the rows that it sees are centred
  std::unique_ptr<StandardisedRows> scaled_;
  std::unique_ptr<HeldRows> held_;
  DescentCurvature curvature_;
};

Result<LeastSquaresSolution> solve_descent(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                           const Watch& watch);
// The description of the rows that solve_descent() gives, without the answer.
Result<LeastSquaresSolution> describe_descent(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                              const Watch& watch);

// Single rows as they arrive, once: it learns while others gather the statistics of the same rows.
class ArrivingRows final : public RowSource {
public:
  ArrivingRows(RowSource& inner, const LeastSquaresProblem& problem);

  Index cols() const override { return inner_.cols(); }
  Index targets() const override { return inner_.targets(); }
  std::optional<Index> rows() const override { return inner_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override;
  // Loading and learning happen here, where blocks come one after the other in their order.
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override { return inner_.rewind(); }

  // The learned answer, with the statistics that the same pass gathered.
  LeastSquaresSolution answer(std::shared_ptr<const Gram> gram, Pool& pool);

private:
  void learn(const Batch& batch);

  RowSource& inner_;
  const LeastSquaresProblem& problem_;
  DescentLoss loss_;
  std::vector<RowLearner> learners_; // one per target
  bool diverged_ = false, ended_ = false;
};

} // namespace recta
