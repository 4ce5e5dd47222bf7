// What is known about the rows before any of them is left out: which take part, their classes, groups and times.
#pragma once

#include <recta/cross_validate.hpp>

namespace recta::search {

struct KnownRows {
  SplitRows rows;
  Classes classes; // none if the target is a number
  LabelSet labels; // none if the target is no set of labels
  std::string target;
};

// Rows without a target, of weight zero and those that Missing::drop leaves out take no part. Errors name rows as the
// data have them.
Result<KnownRows> known_rows(const std::string& word, const Dataset& data, const FitOptions& options,
                             const CrossValidationOptions& how);

// An error unless the data have the columns that the splits are made by.
Result<void> check_split_columns(const Dataset& data, const CrossValidationOptions& how);

// An error if a split leaves out a class that it does not train on; notes on classes that some splits do not leave out.
Result<std::vector<std::string>> check_classes(const KnownRows& known, const Splits& splits, const std::string& source);

} // namespace recta::search
