#include "feature/names.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"

namespace recta::feature {

FeatureNames::FeatureNames(const Schema& schema) : schema_(&schema) {
  if (!schema.maps.empty()) {
    first_ = feature_names(schema);
    return;
  }
  Schema columns_only;
  columns_only.columns = schema.columns;
  first_ = feature_names(columns_only);
}

std::string FeatureNames::operator[](Index feature) const {
  if (feature < std::ssize(first_)) return first_[at(feature)];
  Index place = feature - std::ssize(first_);
  for (const TextMap& map : schema_->texts) {
    if (place < std::ssize(map.terms())) return term_prefix(*schema_, map) + map.terms()[at(place)];
    place -= std::ssize(map.terms());
  }
  return std::to_string(schema_->sparse_base + place);
}

std::string FeatureNames::column_of(Index feature) const {
  Index next = 0;
  for (const SchemaColumn& column : schema_->columns)
    if (next += feature_count(column); feature < next) return column.name;
  return operator[](feature);
}

} // namespace recta::feature
