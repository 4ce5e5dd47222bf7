#include "family/svm/kept.hpp"

#include "base/sums.hpp"

namespace recta::svm {

KernelMatrix& KeptMachine::matrix(const kernel::Settings& settings, kernel::Points points, std::uint64_t cache,
                                  Pool& pool) {
  if (matrix_ && settings == settings_ && points.same_rows(points_) && matrix_->bytes() == cache) {
    matrix_->use(pool);
    return *matrix_;
  }
  forget_rows();
  settings_ = settings;
  kernel_ = kernel::make_kernel(settings);
  points_ = std::move(points);
  matrix_ = std::make_unique<KernelMatrix>(*kernel_, points_, cache, std::min(kSmoRows, points_.count()), pool);
  return *matrix_;
}

void KeptMachine::forget_rows() {
  matrix_.reset();
  points_ = kernel::Points();
}

std::vector<double> KeptMachine::start(const Problem& problem) const {
  if (problem.target != problem_.target || problem.terms.loss != problem_.terms.loss ||
      problem.intercept != problem_.intercept)
    return {};
  std::vector<double> out = squared(problem.terms.loss) ? std::vector<double>() : with_boxes(problem);
  return out.empty() ? along_line(problem) : out;
}

std::vector<double> KeptMachine::with_boxes(const Problem& problem) const {
  std::vector<double> out = state_.beta, room(out.size());
  CompensatedSum sum, all_room;
  for (Index i = 0; i < problem.rows(); ++i) {
    double& beta = out[at(i)];
    const double end = beta > 0 ? problem_.high(i) : problem_.low(i),
                 next = beta > 0 ? problem.high(i) : problem.low(i);
    const bool free = std::abs(beta) < (1 - 1e-12) * std::abs(end);
    if (beta != 0) beta = free ? std::clamp(beta, problem.low(i), problem.high(i)) : next;
    room[at(i)] = beta != 0 && free ? 1 : 0;
    sum.add(beta);
  }
  if (!problem.intercept) return out;
  const double owed = sum.value();
  for (Index i = 0; i < problem.rows(); ++i) {
    if (room[at(i)] == 0) continue;
    room[at(i)] = owed > 0 ? out[at(i)] - problem.low(i) : problem.high(i) - out[at(i)];
    all_room.add(room[at(i)]);
  }
  if (!(all_room.value() > std::abs(owed))) return {};
  for (Index i = 0; i < problem.rows(); ++i)
    if (room[at(i)] > 0)
      out[at(i)] = std::clamp(out[at(i)] - owed * (room[at(i)] / all_room.value()), problem.low(i), problem.high(i));
  return out;
}

std::vector<double> KeptMachine::along_line(const Problem& problem) const {
  CompensatedSum gain, curvature;
  double most = kInfinity;
  for (Index i = 0; i < problem.rows(); ++i) {
    const double beta = state_.beta[at(i)];
    if (beta == 0) continue;
    gain.add(problem.target[at(i)] * beta -
             (labelled(problem.terms.loss) ? 0 : problem.terms.epsilon * std::abs(beta)));
    curvature.add(beta * state_.f[at(i)] + problem.ridge(i) * beta * beta);
    most = std::min(most, (beta > 0 ? problem.high(i) : problem.low(i)) / beta);
  }
  if (!(gain.value() > 0) || !(curvature.value() > 0)) return {};
  const double s = std::min(gain.value() / curvature.value(), most);
  std::vector<double> out = state_.beta;
  for (Index i = 0; i < problem.rows(); ++i) out[at(i)] = std::clamp(s * out[at(i)], problem.low(i), problem.high(i));
  return out;
}

void KeptMachine::keep(const Problem& problem, const State& state) {
  problem_ = problem;
  state_ = state;
}

KeptMachine& KeptMachines::of(std::size_t number) {
  while (machines.size() <= number) machines.push_back(std::make_unique<KeptMachine>());
  return *machines[number];
}

} // namespace recta::svm
