// A table of what each feature adds to scores.
#pragma once

#include <recta/body.hpp>
#include <recta/model.hpp>

namespace recta {

struct Contribution {
  std::string feature;
  Report::Cell value;
  std::vector<double> terms; // one per score
};

// `first`: what stands before all features, such as an intercept. The rows are ordered by their largest term; those
// after the first fifty are summed in the last row.
Report contributions_report(Contribution first, std::vector<Contribution> features, std::vector<std::string> scores);

// The same for scores of classes that only count by their differences: for two classes the terms are those of the
// positive one less those of the other, the log-odds; for more they are less the mean over the classes.
Report class_contributions_report(Contribution first, std::vector<Contribution> features, const Classes& classes);

} // namespace recta
