#include "solver/newton/firth.hpp"

#include "solver/newton/about_means.hpp"
#include "solver/no_higher.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/leverage/firth_sums.hpp"
#include "stats/pass.hpp"

#include <cmath>

namespace recta {
namespace {

constexpr Index kFirthSteps = 500;

struct Place {
  std::vector<double> w;
  double b = 0;
};

class Firth {
public:
  Firth(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : objective_(problem.objective), facts_(*problem.facts), rows_(rows), pool_(pool), watch_(watch) {
    here_.w.assign(static_cast<std::size_t>(rows.cols()), 0.0);
    here_.b = facts_.null_intercept;
    for (Index j = 0; j < rows.cols(); ++j) constant_.push_back(facts_.sums.constant(j, objective_.intercept));
  }

  Result<NewtonSolution> run() {
    if (auto done = look(here_); !done) return std::unexpected(done.error());
    if (!trial_information_->whole())
      return fail(ErrorCode::bad_data, "logistic",
                  "columns are combinations of others, and Firth's correction asks for a determinant that is then zero",
                  "leave such columns out (recta check names them)");
    take();
    double before = INFINITY;
    for (; solution_.steps < kFirthSteps; ++solution_.steps) {
      const auto step = direction();
      if (!step && step.error().code == ErrorCode::interrupted) return ended(true);
      if (!step) return std::unexpected(step.error());
      if (!(fall_ > 1e-28) || (fall_ <= 1e-18 && fall_ > 0.9 * before)) return ended(false); // steps shrink by a factor
      before = fall_;
      const auto moved = descend(*step);
      if (!moved && moved.error().code == ErrorCode::interrupted) return ended(true);
      if (!moved) return std::unexpected(moved.error());
      if (!*moved) return ended(false);
    }
    solution_.gave_up = true;
    solution_.stop = "500 steps were not enough";
    return ended(false);
  }

private:
  Result<void> look(const Place& at) {
    auto point = std::make_shared<CurvaturePoint>();
    point->loss = objective_.at();
    point->w = at.w;
    point->b = at.b;
    auto sums = fresh_pass(rows_, Curvature(point), pool_, watch_, {"Firth's correction", solution_.passes});
    if (!sums) return std::unexpected(sums.error());
    ++solution_.passes;
    trial_ = *std::move(sums);
    trial_information_ = std::make_shared<FisherInformation>(trial_.gram, objective_.intercept, constant_, pool_);
    trial_value_ = trial_.gram.weight > 0 && trial_information_->whole()
                       ? trial_.loss - trial_information_->log_det() / 2
                       : INFINITY; // so far out that no row is in doubt
    return {};
  }
  void take() {
    at_ = std::move(trial_);
    information_ = trial_information_;
    value_ = trial_value_;
  }

  // I^-1 times the corrected score; fall_: <score, step>.
  Result<Place> direction() {
    auto point = std::make_shared<FirthPoint>(FirthPoint{here_.w, here_.b, information_});
    const auto more = fresh_pass(rows_, FirthSums(point), pool_, watch_, {"Firth's correction", solution_.passes});
    if (!more) return std::unexpected(more.error());
    ++solution_.passes;
    const double slope = information_->intercept ? more->slope - at_.slope : 0;
    std::vector<double> score;
    for (std::size_t s = 0; s < information_->used.size(); ++s) {
      const Index j = information_->used[s];
      score.push_back(more->gradient[j] - at_.gradient[j] - information_->mean[s] * slope);
    }
    const std::vector<double> solved = information_->factor.solve(score);
    Place step{std::vector<double>(here_.w.size())};
    if (information_->intercept) step.b = slope / information_->weight;
    fall_ = slope * step.b;
    for (std::size_t s = 0; s < solved.size(); ++s) {
      step.w[information_->used[s]] = solved[s];
      step.b -= information_->mean[s] * solved[s];
      fall_ += solved[s] * score[s];
    }
    return step;
  }

  // Near the answer values no longer tell, and the step is taken on trust.
  Result<bool> descend(const Place& step) {
    const bool blind = fall_ <= 1e-10 * std::abs(value_);
    for (double t = std::min(1.0, 5 / std::sqrt(fall_)); t > 1e-8; t /= 2) {
      Place to = here_;
      for (std::size_t j = 0; j < to.w.size(); ++j) to.w[j] += t * step.w[j];
      to.b += t * step.b;
      if (auto done = look(to); !done) return std::unexpected(done.error());
      if (!(trial_value_ <= value_ - 1e-4 * t * fall_ || (blind && no_higher(trial_value_, value_)))) continue;
      here_ = std::move(to);
      take();
      return true;
    }
    return false;
  }

  NewtonSolution ended(bool interrupted) {
    solution_.interrupted = interrupted;
    solution_.w = std::move(here_.w);
    solution_.b = here_.b;
    return std::move(solution_);
  }

  const LossObjective& objective_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  std::vector<char> constant_;
  Place here_;
  Curvature at_, trial_;
  std::shared_ptr<const FisherInformation> information_, trial_information_;
  double value_ = 0, trial_value_ = 0, fall_ = 0;
  NewtonSolution solution_;
};

} // namespace

Result<NewtonSolution> solve_by_firth(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  AboutMeans about(problem, rows);
  auto solution = Firth(about.problem(), about.rows(), pool, watch).run();
  if (solution) about.put_back(*solution);
  return solution;
}

} // namespace recta
