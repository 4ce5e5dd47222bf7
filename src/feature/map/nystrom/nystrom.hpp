// nystrom([COL, ...,] COUNT [, kernel=rbf] [, gamma=NUMBER] [, degree=3] [, coef=0] [, seed=0])
//
// phi(x) = L^-1 (k(x, z_1), ..., k(x, z_m)) with landmarks z among the training rows and LL' their kernel matrix:
// <phi(x), phi(y)> is the kernel's projection onto the landmarks, never above k(x, x) for x = y.
#pragma once

#include "feature/map/kernel_call.hpp"

namespace recta::feature::nystrom {

// The numbers of the map, by their parts.
struct Landmarks {
  double gamma = 1, kept = 0;                  // kept: the share of the trace of the kernel matrix of all rows
  std::vector<double> centre, landmarks, root; // root: L^-1, by row
  std::vector<double> numbers() const;
};

std::shared_ptr<const Map> make_map(const Call& call, const std::vector<double>& learned);

// Landmarks are found by randomly pivoted Cholesky (Chen, Epperly, Tropp, Webber 2023) among rows drawn by the seed of
// the map; the trace error is that of all rows. Same bits at any number of threads.
Result<void> learn_landmarks(FeatureMap& map, Call call, const LearningRows& from);

// Landmarks and factor are what the features are made of. Beside them a map states its gamma, and the share of the
// trace that its features keep: both are compared with what the rows give.
Result<std::vector<std::string>> landmark_differences(const FeatureMap& stated, const Call& call,
                                                      const LearningRows& from);

} // namespace recta::feature::nystrom
