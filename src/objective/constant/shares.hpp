// The largest likelihood of probabilities that are the same in all rows: that of the shares W_k / W of the classes.
#pragma once

#include <recta/model.hpp>

namespace recta {

// For two classes the log-odds of the positive one, else one score per class. The first of equal classes is taken: the
// positive one wins at a score of 0, so the other needs one below it, the nearest.
std::vector<double> scores_of_shares(const Classes& classes, const std::vector<double>& weight);
double log_likelihood_of_shares(const std::vector<double>& weight);

} // namespace recta
