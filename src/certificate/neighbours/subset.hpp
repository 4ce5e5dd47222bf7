// The claim of a subset of labelled rows: its nearest row gives every row its label, except rows that even all rows
// together call another label, since an equal row with a label before theirs exists.
#pragma once

#include "base/pool.hpp"
#include "objective/neighbours/metric.hpp"

#include <recta/certificate.hpp>

#include <functional>

namespace recta::neighbours {

struct SubsetClaim {
  Points points;
  std::span<const double> label;
  Metric metric;
  std::span<const Index> kept; // rows of the points
};

struct SubsetErrors {
  Index wrong = 0;          // rows that the subset calls another label
  Index contradictions = 0; // those of them that all rows together call another label too
  double weight = 0;        // of the wrong, as a share of all
};

// From all distances of rows and rows kept.
SubsetErrors subset_errors(const SubsetClaim& claim, Pool& pool);
Certificate certify_subset(const SubsetClaim& claim, const SubsetErrors& errors);

// The claim of the rows that are kept because the vote of their k nearest others gives them their label.
struct EditedClaim {
  Points points;
  std::span<const double> label;
  Metric metric;
  double k = 0;
  const std::vector<bool>& kept; // per row
};
using LabelOf = std::function<double(std::span<const Neighbour>)>; // the label that neighbours give

// From fresh distances of every row to all others, or of a sample where that would take long.
Certificate certify_edited(const EditedClaim& claim, const LabelOf& vote, Pool& pool);

} // namespace recta::neighbours
