#include "solver/gradient_descent/squares_descent.hpp"

#include "base/listening.hpp"
#include "solver/closed_form/answer.hpp"
#include "solver/closed_form/describe.hpp"
#include "solver/sums_answer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr const char* kLoss = "squared";

Result<void> check(const LeastSquaresProblem& problem, const RowSource& rows) {
  const DescentSettings& s = problem.descent;
  const auto refuse = [&](const std::string& what, std::string_view advice) {
    return fail(ErrorCode::usage, problem.solver, what, advice);
  };
  if (!problem.objective.factors.empty())
    return refuse("a descent penalises all columns alike", "leave out the penalty factors");
  const auto start_size = static_cast<Index>(s.given.size());
  if (s.start == StartKind::given && start_size != rows.cols() &&
      start_size != rows.cols() + (problem.objective.intercept ? 1 : 0))
    return refuse(fmt::format("the start has {} numbers, the model {} weights{}", start_size, rows.cols(),
                              problem.objective.intercept ? " and an intercept" : ""),
                  "give one number per weight, and after them the intercept if you like");
  if (problem.objective.standardise && problem.sparse && !problem.objective.intercept)
    return refuse("sparse rows cannot be centred, and without an intercept that makes a difference",
                  "leave out --standardise or --no-intercept");
  if (!rows.rows() && !s.every_row() && (s.batch != 1 || s.order != RowOrder::cyclic))
    return refuse("only steps of single rows in cyclic order can be made from rows that are not kept in memory",
                  "leave out --stream, or choose --batch 1 --order cyclic");
  return {};
}

// Rank, singular values and condition number, if the products of the columns are at hand.
template <class T>
void describe(const LeastSquaresObjective& objective, const Gram& gram, Pool& pool, LeastSquaresSolution& solution) {
  LeastSquaresObjective plain = objective;
  plain.lambda2 = 0;
  const Quadratic q(objective, gram), features(plain, gram);
  describe_features(q, Cholesky<T>(features.hessian<T>(), q.cols(), features.dependence_tolerance(), &pool), solution);
}

void describe_from_gram(const LeastSquaresObjective& objective, Pool& pool, LeastSquaresSolution& solution) {
  if (solution.gram->precision == Precision::extended)
    describe<DoubleDouble>(objective, *solution.gram, pool, solution);
  else
    describe<double>(objective, *solution.gram, pool, solution);
}

void no_standard_errors(const LeastSquaresObjective& objective, LeastSquaresSolution& solution) {
  solution.inverse_intercept = std::numeric_limits<double>::quiet_NaN();
  if (!objective.penalised()) solution.inverse_diagonal.assign(solution.cols, std::numeric_limits<double>::quiet_NaN());
}

void describe_rows(const LeastSquaresObjective& objective, const ColumnSums& sums, Pool& pool,
                   LeastSquaresSolution& solution) {
  no_standard_errors(objective, solution);
  if (solution.gram) return describe_from_gram(objective, pool, solution);
  solution.condition = std::numeric_limits<double>::quiet_NaN();
  solution.rank =
      std::min(sums.rows - (objective.intercept ? 1 : 0), sums.cols - static_cast<Index>(solution.constant.size()));
  solution.notes.push_back(fmt::format("a descent does not determine the rank; {} is its upper bound", solution.rank));
}

} // namespace

const std::vector<std::string>& descent_words() {
  static const std::vector<std::string> words{"gradient-descent", "sgd", "accelerated", "svrg", "saga"};
  return words;
}

Result<std::unique_ptr<SquaresDescent>> SquaresDescent::prepare(const LeastSquaresProblem& problem, RowSource& rows,
                                                                Pool& pool, const Watch& watch) {
  if (auto good = check(problem, rows); !good) return std::unexpected(good.error());
  std::unique_ptr<SquaresDescent> out(new SquaresDescent(problem, rows));
  auto sums = first_look(rows, problem, pool, watch, out->begun_);
  if (!sums) return std::unexpected(sums.error());
  out->sums_ = *std::move(sums);
  GramUnits units;
  if (problem.objective.standardise) {
    for (Index j = 0; j < rows.cols(); ++j) {
      out->mean_.push_back(out->sums_.mean(j).hi);
      out->deviation_.push_back(out->sums_.deviation(j));
      units.scale.push_back(out->deviation_[j] > 0 ? 1 / out->deviation_[j] : 1);
    }
    units.centred = out->centred_ = !problem.sparse;
    out->scaled_ = std::make_unique<StandardisedRows>(rows, out->mean_, out->deviation_);
    out->rows_ = out->scaled_.get();
  }
  if (rows.rows()) {
    auto held = HeldRows::hold(*out->rows_);
    if (!held) return std::unexpected(held.error());
    out->held_ = *std::move(held);
    out->rows_ = out->held_.get();
  }
  auto curvature = measure_curvature({*out->rows_, pool, watch}, out->begun_.gram.get(), units,
                                     problem.objective.intercept, out->begun_.passes);
  if (!curvature) return std::unexpected(curvature.error());
  out->curvature_ = *curvature;
  return out;
}

// F - F* is bounded by |g|^2 / (2 mu), mu the least curvature; if mu is not known, eight digits of the first gradient
// are used instead (see run()).
double SquaresDescent::gradient_goal(Index target) const {
  const double mu = curvature_.smallest + problem_.objective.lambda2;
  const Index z = sums_.cols + target;
  const double null = (problem_.objective.intercept ? sums_.spread(z) : sums_.squares[z]).hi / sums_.weight.hi / 2;
  return mu > 0 ? std::sqrt(mu * problem_.tolerance * null) : 0;
}

Result<DescentOutcome> SquaresDescent::run(Index target, Index record, Pool& pool, const Watch& watch) {
  auto loss = descent_loss(kLoss);
  if (!loss) return std::unexpected(loss.error());
  DescentProblem descent{.loss = *std::move(loss),
                         .lambda2 = problem_.objective.lambda2,
                         .intercept = problem_.objective.intercept,
                         .target = target,
                         .settings = problem_.descent,
                         .curvature = curvature_,
                         .record = record};
  if (record == 0 && !(descent.settings.gradient > 0)) descent.settings.gradient = gradient_goal(target);
  return descend(descent, *rows_, held_.get(), pool, watch);
}

Point SquaresDescent::in_units_of_data(Point point) const {
  for (std::size_t j = 0; j < deviation_.size(); ++j) {
    if (deviation_[j] > 0) point.w[j] /= deviation_[j];
    if (centred_) point.b -= mean_[j] * point.w[j];
  }
  return point;
}

LeastSquaresSolution SquaresDescent::answer(const std::vector<DescentOutcome>& outcomes, Pool& pool) {
  LeastSquaresSolution solution = std::move(begun_);
  std::vector<std::vector<double>> w;
  std::vector<double> b;
  solution.ended_by_rule = true;
  for (const DescentOutcome& outcome : outcomes) {
    const Point point = in_units_of_data(outcome.point);
    w.push_back(point.w);
    b.push_back(point.b);
    solution.passes += outcome.passes;
    solution.interrupted |= outcome.interrupted;
    if (w.size() == 1 || outcome.diverged) solution.stop = outcome.stop;
  }
  const DescentOutcome& first = outcomes.front();
  solution.reason =
      fmt::format("as asked; {} step{} from the rate {:.6g}", first.steps, first.steps == 1 ? "" : "s", first.rate);
  write_down(problem_, sums_, w, solution);
  solution.b = b;
  describe_rows(problem_.objective, sums_, pool, solution);
  return solution;
}

Result<LeastSquaresSolution> solve_descent(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                           const Watch& watch) {
  auto descent = SquaresDescent::prepare(problem, rows, pool, watch);
  if (!descent) return std::unexpected(descent.error());
  std::vector<DescentOutcome> outcomes;
  for (Index t = 0; t < rows.targets(); ++t) {
    auto outcome = (*descent)->run(t, 0, pool, watch);
    if (!outcome) return std::unexpected(outcome.error());
    outcomes.push_back(*std::move(outcome));
  }
  const Listening unheard([](double) { return true; }); // the answer exists and must be written
  return (*descent)->answer(outcomes, pool);
}

Result<LeastSquaresSolution> describe_descent(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                              const Watch& watch) {
  LeastSquaresSolution solution;
  const auto sums = first_look(rows, problem, pool, watch, solution);
  if (!sums) return std::unexpected(sums.error());
  const std::vector<std::vector<double>> none(static_cast<std::size_t>(sums->targets),
                                              std::vector<double>(static_cast<std::size_t>(sums->cols)));
  write_down(problem, *sums, none, solution);
  describe_rows(problem.objective, *sums, pool, solution);
  return solution;
}

namespace {

struct Arrived : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  Result<Batch> batch;
};

LearnerSettings arriving_settings(const LeastSquaresProblem& problem) {
  const DescentSettings& s = problem.descent;
  return {.schedule = {s.schedule, s.rate, s.c > 0 ? s.c : 1000, 1},
          .lambda1 = 0,
          .lambda2 = problem.objective.lambda2,
          .intercept = problem.objective.intercept,
          .batch = 1,
          .reduction = s.reduction,
          .average = s.average,
          .average_from = 0};
}

} // namespace

ArrivingRows::ArrivingRows(RowSource& inner, const LeastSquaresProblem& problem)
    : inner_(inner), problem_(problem), loss_(descent_loss(kLoss).value()) {
  for (Index t = 0; t < inner.targets(); ++t)
    learners_.emplace_back(start_of(problem.descent, inner.cols(), problem.objective.intercept),
                           arriving_settings(problem));
}

std::unique_ptr<BlockScratch> ArrivingRows::scratch() const {
  auto scratch = std::make_unique<Arrived>();
  scratch->inner = inner_.scratch();
  return scratch;
}

Result<std::optional<Index>> ArrivingRows::claim(BlockScratch& scratch) {
  auto& arrived = static_cast<Arrived&>(scratch);
  auto block = inner_.claim(*arrived.inner);
  if (!block || !*block) return block;
  arrived.batch = inner_.load(*arrived.inner);
  if (arrived.batch) learn(*arrived.batch);
  return block;
}

Result<Batch> ArrivingRows::load(BlockScratch& scratch) const {
  return static_cast<Arrived&>(scratch).batch;
}

void ArrivingRows::learn(const Batch& batch) {
  const auto held = HeldRows::one(batch);
  const auto visits = Visits::plan(batch.rows(), held->weight());
  if (!visits) return; // weights are not numbers: the code that gathers the statistics says so
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    const std::vector<double> y = held->target(static_cast<Index>(t));
    std::span<const Index> rows = visits->all();
    if (problem_.descent.steps > 0) {
      const Index left = std::max<Index>(0, problem_.descent.steps - learners_[t].steps());
      rows = rows.first(static_cast<std::size_t>(std::min<Index>(left, static_cast<Index>(rows.size()))));
      ended_ |= rows.size() < visits->all().size();
    }
    const Outcomes outcomes{y.data(), visits->factors(), held->offset().empty() ? nullptr : held->offset().data()};
    diverged_ |= !loss_.present(learners_[t], held->seen(), outcomes, rows);
  }
}

LeastSquaresSolution ArrivingRows::answer(std::shared_ptr<const Gram> gram, Pool& pool) {
  LeastSquaresSolution solution;
  solution.gram = std::move(gram);
  Weights w;
  std::vector<double> b;
  for (RowLearner& learner : learners_) {
    const Point point = problem_.descent.average ? learner.average() : learner.point();
    w.insert(w.end(), point.w.begin(), point.w.end());
    b.push_back(point.b);
  }
  write_down(Quadratic(problem_.objective, *solution.gram), w, problem_.tolerance, solution);
  solution.w_low.clear();
  solution.b = b;
  solution.ended_by_rule = true;
  solution.stop = diverged_ ? fmt::format("diverged at the rate {:.6g}; choose a smaller one", problem_.descent.rate)
                  : ended_  ? fmt::format("{} steps", problem_.descent.steps)
                            : "every row was presented once, as it arrived";
  solution.solver = "sgd";
  solution.reason = "rows that can be read only once are learned from as they arrive";
  no_standard_errors(problem_.objective, solution);
  describe_from_gram(problem_.objective, pool, solution);
  return solution;
}

} // namespace recta
