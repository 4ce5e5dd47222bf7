// The names of features one by one: what feature_names() lists, without a copy of a long vocabulary.
#pragma once

#include <recta/estimator.hpp>

#include <string>
#include <vector>

namespace recta::feature {

class FeatureNames {
public:
  explicit FeatureNames(const Schema& schema); // which outlives it
  std::string operator[](Index feature) const;
  std::string column_of(Index feature) const; // of a category: the name of its column, without the level

private:
  const Schema* schema_;
  std::vector<std::string> first_; // those before the terms; all of them if there are maps
};

} // namespace recta::feature
