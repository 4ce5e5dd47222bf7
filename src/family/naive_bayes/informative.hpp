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
  double log_odds = 0; // log(P(v | k) / P(v))
};
// By P(v | k) log(P(v | k) / P(v)), what a value adds to the information about its class: so many per class, the best
// first. Columns of numbers and complement have none.
std::vector<InformativeFeature> informative_features(const Learned& learned, const Estimates& estimates,
                                                     const feature::FeatureNames& names, std::size_t per_class);

} // namespace recta::naive_bayes
