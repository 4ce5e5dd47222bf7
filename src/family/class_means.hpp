// A first pass that gathers weight, means and variances of every class.
#pragma once

#include "family/first_pass.hpp"

namespace recta {

struct ClassMeans {
  Index rows = 0; // of positive weight
  std::vector<double> weight;
  std::vector<double> mean, variance; // classes x columns
};

// Fills in the identity of the rows.
Result<ClassMeans> class_means(const Schema& schema, const Rows& rows, Pool& pool, const Clock& clock, FirstPass& pass);

} // namespace recta
