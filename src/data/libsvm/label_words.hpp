// Sets of labels in LIBSVM text: the words before the pairs of each row, and the text with a zero in their place.
#pragma once

#include <recta/dataset.hpp>

namespace recta::libsvm {

// Whether the reader was told that the label is no number.
inline bool wants_label_words(const ReadOptions& options) {
  for (const auto* types : {&options.types, &options.expected})
    if (const auto type = types->find("label"); type != types->end())
      return type->second == ColumnType::category || type->second == ColumnType::text;
  return false;
}

struct LabelWords {
  std::string text; // every byte after a row's label stays where it was, except in rows without one
  Column labels;    // a category
};
LabelWords label_words(std::string_view lines);

} // namespace recta::libsvm
