#include "solver/newton/about_means.hpp"

namespace recta {

AboutMeans::AboutMeans(const NewtonProblem& problem, RowSource& rows) : problem_(problem), rows_(rows) {
  shift_ = problem.facts->shifts(problem.objective);
  if (shift_.empty()) return;
  shifted_.emplace(rows, shift_);
  if (std::vector<double>& start = problem_.start; !start.empty())
    start.back() = constant_about(shift_, std::span(start).first(shift_.size()), start.back(), 1).hi;
}

void AboutMeans::put_back(NewtonSolution& solution) const {
  if (!shifted_) return;
  solution.b = constant_about(shift_, solution.w, solution.b, -1).hi;
  std::vector<double>& way = solution.runaway;
  if (!way.empty()) way.back() = constant_about(shift_, std::span(way).first(shift_.size()), way.back(), -1).hi;
}

} // namespace recta
