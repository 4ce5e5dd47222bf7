// Softmax regression's Hessian at one point over some of its weights: with a_u the column of weight u minus its mean
// and k its class,
//
//   sum v a_u a_t ((k_u = k_t) P_k - P_k_u P_k_t)
//
// and after the weights of a class, if asked for, its constant, whose column is one. The sum is over all rows or every
// so many.
#pragma once

#include "stats/softmax/softmax.hpp"

namespace recta {

// Shared by all blocks of one pass.
struct HessianPoint {
  SoftmaxPoint at;
  std::vector<std::vector<Index>> columns = {}; // of the weights, by class
  std::vector<double> mean = {};                // of every column; empty: zero
  bool constants = true;
  bool compensated = false; // scores have the bits of the sums in the proof
  double edge = 0;          // shares of other classes below this are zero

  Index size() const;
};

struct ClassHessian : Saved<ClassHessian> {
  std::shared_ptr<const HessianPoint> point;
  Index size = 0, rows = 0; // rows that are included
  double weight = 0;
  std::vector<double> lower;  // size x size by column, the lower triangle
  std::vector<double> square; // its diagonal, which is the unit of rounding errors

  ClassHessian() = default;
  explicit ClassHessian(std::shared_ptr<const HessianPoint> at);

  void accumulate(const Batch& batch);
  void merge(const ClassHessian& other);
  static constexpr std::string_view kTag = "ches", kName = "curvatures of softmax regression";
  static void fields(auto& s, auto& io) {
    io(s.size, s.rows, s.weight);
    io.numbers({s.size, s.size}, s.lower);
    io.numbers(s.size, s.square);
  }
  bool finite() const { return true; }

  // A large Hessian takes blocks one after the other, each by all threads.
  Index leaf_blocks() const { return size <= 64 ? 1 : 4; }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const ClassHessian& other, Pool&) { merge(other); }
};

} // namespace recta
