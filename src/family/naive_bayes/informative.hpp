// The features that say the most about each class.
#pragma once

#include "family/naive_bayes/body.hpp"
#include "feature/names.hpp"

namespace recta::naive_bayes {

// "colour=red": level v of a categorical factor. `names`: those of the features.
std::string level_name(const Factor& factor, Index v, const feature::FeatureNames& names);

struct InformativeFeature {
  Index k = 0; // class
  std::string name;
  // The same as in explain(): log P(v | k) less that of the other class, or less the mean over all classes if there are
  // more. Infinite: some other class cannot have it.
  double log_odds = 0;
};
// By the log-odds, times how often the value occurs in a row of the class: so many per class, the best first. Columns
// of numbers and complement have none.
std::vector<InformativeFeature> informative_features(const Learned& learned, const Estimates& estimates,
                                                     const feature::FeatureNames& names, std::size_t per_class);

} // namespace recta::naive_bayes
