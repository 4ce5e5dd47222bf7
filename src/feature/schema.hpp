// The schema: which columns a model reads and how each becomes features. Learned once on training rows, enforced by
// name ever after.
//
// A number is one feature. A category is one 0/1 feature per level, "NAME=LEVEL", without the reference level when one
// is dropped. Under Missing::mean and Missing::indicator a missing number is replaced by the training mean, under
// Missing::neighbours by that of the nearest rows (donors.hpp), and a missing category is a level of its own,
// kMissingLevel, if training rows had it.
// Maps (map/maps.hpp) make further features from columns of numbers, after those of the columns; a column that is not
// plain is only read by them. Texts follow: a term of a column of documents is a feature, called TERM if the terms of
// one column are all there is, else "NAME:TERM".
#pragma once

#include <recta/estimator.hpp>

namespace recta::feature {

inline constexpr std::string_view kMissingLevel = "(missing)";

// Whether missing values are replaced by what was learned.
inline bool fills_in(Missing missing) {
  return missing == Missing::mean || missing == Missing::indicator || missing == Missing::neighbours;
}

// Which columns of a table play which part. Indices into Dataset::columns.
struct Roles {
  std::vector<Index> features, targets;
  std::vector<Index> texts{};     // columns of documents
  std::vector<Index> set_aside{}; // the target of a model that needs none
  Index weights = -1, offset = -1;
};

enum class TargetKind : std::uint8_t { none, number, label, label_set };

// From the caller's names to columns; every name that is not there is an error with the nearest one that is.
Result<Roles> assign_roles(const Dataset& data, const FitOptions& options, TargetKind kind = TargetKind::number);

// One reference level per category is dropped when the answer would otherwise not be unique (spec M5).
enum class Coding : std::uint8_t { all_levels, drop_reference, drop_reference_but_first };

// The schema before any row was seen: names, types and roles.
Result<Schema> draft_schema(const Dataset& header, const Roles& roles, const FitOptions& options);

// Names of the features in design order, and how many there are.
using recta::feature_names; // one name for it in both namespaces
Index feature_count(const SchemaColumn& column);
Index feature_count(const Schema& schema);
// What stands before a term in the name of its feature.
std::string term_prefix(const Schema& schema, const TextMap& map);

} // namespace recta::feature
