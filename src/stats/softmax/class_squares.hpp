// The diagonal of softmax regression's Hessian at one point: for every class and column sum v P_k (1 - P_k) x_j and the
// same of x_j^2. A preconditioner is made of it if the Gram of a class (class_grams.hpp) is too large.
#pragma once

#include "stats/softmax/softmax.hpp"

namespace recta {

struct ClassSquares : Saved<ClassSquares> {
  std::shared_ptr<const SoftmaxPoint> point;
  Index cols = 0, classes = 0;
  double weight = 0;
  std::vector<double> curvature, first, second; // sum v P (1 - P): K; with x and x^2: K x p by class

  ClassSquares() = default;
  explicit ClassSquares(std::shared_ptr<const SoftmaxPoint> at);

  void accumulate(const Batch& batch);
  void merge(const ClassSquares& other);
  static constexpr std::string_view kTag = "csqu", kName = "curvatures of softmax regression";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.classes, s.weight);
    io.numbers(s.classes, s.curvature);
    io.numbers({s.cols, s.classes}, s.first, s.second);
  }
  bool finite() const { return true; }

  Index run_blocks() const { return point->run; }
};

} // namespace recta
