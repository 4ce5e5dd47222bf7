// Fewer training rows for a model by nearest neighbours.
#pragma once

#include <recta/certificate.hpp>
#include <recta/model.hpp>

namespace recta {

struct ThinOptions {
  // "condensed": rows are added until the nearest of them gives every training row its class (Hart 1968); "reduced":
  // and then those left out again that this does not need (Gates 1972). "edited": rows that the k nearest others call
  // another class are left out, all at once (Wilson 1972).
  std::string method = "condensed";
  int threads = 0; // 0: all cores
};

struct Thinning {
  std::string method;
  Index before = 0;           // rows of the model
  std::vector<Index> rows;    // those kept: their numbers in the data, from 0
  double training_error = 0;  // share of the weight of all rows that the rows kept call another class
  double left_out_before = 0; // the same with every row called by the others, of all rows
  double left_out_after = 0;  // and of those kept
  Index contradictions = 0;   // rows that have an equal row of another class, which comes first
  Certificate certificate;
};

// The model is a `knn` without a radius, fitted to all rows; k = 1 for all but "edited". Rows, metric, units and
// weights are the model's.
Result<Thinning> thin(const Model& model, const ThinOptions& options = {});
const std::vector<std::string>& thinning_methods();

} // namespace recta
