// How numbers and words are written into a model file.
#pragma once

#include "model_file/json.hpp"
#include "model_file/tensor_file.hpp"

#include <array>
#include <string_view>

namespace recta {

template <class E, std::size_t N>
Json word_of(E value, const std::array<std::string_view, N>& words) {
  return {std::string(words.at(static_cast<std::size_t>(value)))};
}

// Numbers that may be absent. No NaN is written: if there is no number there is a zero, and NAME.present has a zero as
// well. When all are absent there is no tensor. FieldReader::doubles_or_nan reads them.
void put(TensorWriter& out, const std::string& name, std::vector<double> values, const TensorWriter::Shape& shape);
void put_vector(TensorWriter& out, const std::string& name, const std::vector<double>& values); // nothing if empty

} // namespace recta
