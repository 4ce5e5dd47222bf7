#include "solver/kernel_perceptron/learn.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "solver/svm/kernel_rows.hpp"

#include <cmath>

namespace recta::kernel_perceptron {
namespace {

constexpr double kOnTheHyperplane = 0x1p-40;

class Learner {
public:
  Learner(const Problem& problem, Pool& pool)
      : problem_(problem), rows_(problem.kernel, problem.points, problem.cache, 1, pool), f_(problem.target.size()),
        size_(problem.target.size()) {
    out_.beta.resize(f_.size());
  }

  Solution run() {
    while (out_.passes < problem_.passes && !out_.clean && !full()) {
      out_.clean = true;
      for (std::size_t i = 0; i < f_.size() && !full(); ++i) present(i);
      ++out_.passes;
      if (!Listening::wanted(static_cast<double>(out_.passes) / static_cast<double>(problem_.passes))) {
        out_.interrupted = !out_.clean;
        break;
      }
    }
    if (full()) out_.clean = false;
    return std::move(out_);
  }

private:
  bool full() const { return problem_.steps > 0 && out_.mistakes >= static_cast<double>(problem_.steps); }

  void present(std::size_t i) {
    const double v = problem_.weight[i];
    const bool whole = v == std::floor(v) && v <= 1e6;
    out_.whole = out_.whole && whole;
    for (double times = times_presented(v); times > 0 && !full(); times -= 1) {
      out_.presented += 1;
      if (problem_.target[i] * f_[i] > kOnTheHyperplane * size_[i]) continue;
      out_.mistakes += 1;
      out_.clean = false;
      step(i, whole ? 1 : v);
    }
  }

  void step(std::size_t i, double length) {
    const double by = length * problem_.target[i], one = problem_.intercept ? 1 : 0;
    const Index number = static_cast<Index>(i);
    const double* const k = rows_.rows(std::span(&number, 1))[0];
    out_.beta[i] += by;
    for (std::size_t j = 0; j < f_.size(); ++j) {
      f_[j] += by * (k[j] + one);
      size_[j] += length * (std::abs(k[j]) + one);
    }
  }

  const Problem& problem_;
  svm::KernelRows<double> rows_;
  std::vector<double> f_, size_; // scores, and the sizes of their terms
  Solution out_;
};

} // namespace

Solution learn(const Problem& problem, Pool& pool) {
  return Learner(problem, pool).run();
}

} // namespace recta::kernel_perceptron
