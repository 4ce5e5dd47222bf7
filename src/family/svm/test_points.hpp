// Rows of a few numbers and what machines say of them, for tests.
#pragma once

#include "family/svm/body.hpp"

#include <recta/recta.hpp>

#include <cmath>

namespace recta {

struct Points {
  Index cols;
  Values x, y;
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), std::ssize(y), cols);
    out.y = MatrixView::vector(y.data(), std::ssize(y));
    return out;
  }
};

inline double figure(const Model& model, const std::string& name) {
  for (const Report::Figure& one : model.body->report(model.schema).figures)
    if (one.name == name) return one.value;
  return std::nan("");
}

inline const svm::Machine& machine(const Model& model) {
  return dynamic_cast<const svm::MachineBody&>(*model.body).machine();
}

inline FitOptions with(Params params) {
  FitOptions out;
  out.params = std::move(params);
  return out;
}

} // namespace recta
