// Reads named fields of a model file. The first fault is kept and every later call returns an empty value, so that the
// code that reads a model is a plain list of fields with one question at the end.
#pragma once

#include "base/checked_array.hpp"
#include "model_file/json.hpp"
#include "model_file/tensor_file.hpp"

#include <functional>
#include <optional>

namespace recta {

class FieldReader {
public:
  FieldReader(const TensorFile& file, std::string source) : file_(file), source_(std::move(source)) {}

  bool ok() const { return !error_; }
  void refuse(const std::string& what);
  void require(bool condition, const std::string& what) {
    if (!condition) refuse(what);
  }
  std::unexpected<Error> error() const { return std::unexpected(*error_); }

  // Tensors. One that is not there has no elements.
  bool has(std::string_view name) const { return file_.tensors.contains(name); }
  std::vector<Index> shape(std::string_view name) const;
  std::vector<double> doubles(const std::string& name);                                         // finite
  std::vector<double> doubles_or_nan(const std::string& name, const std::vector<Index>& shape); // by NAME.present
  std::vector<Index> counts(const std::string& name);                                           // none negative
  std::vector<std::uint8_t> codes(const std::string& name);
  std::vector<std::string> strings(const std::string& name);

  // What the numbers of a tensor must be: `good` is given a part of them and the place of its first.
  template <class T>
  struct Rule {
    std::function<bool(std::span<const T> part, std::size_t first)> good;
    std::string otherwise;
  };
  // Numbers that may stay in the file, if it is mapped and they have digests: they are then checked when they are read.
  // Otherwise they are copied and checked at once.
  CheckedArray<double> large_doubles(const std::string& name); // finite
  CheckedArray<double> large_doubles(const std::string& name, const Rule<double>& rule);
  CheckedArray<float> large_floats(const std::string& name);
  CheckedArray<Index> large_counts(const std::string& name, Index limit); // from 0 up, below the limit
  CheckedArray<std::uint32_t> large_numbers(const std::string& name, const Rule<std::uint32_t>& rule);

private:
  template <class T>
  CheckedArray<T> large(const std::string& name, const Rule<T>& rule);
  const Tensor* tensor(const std::string& name, Dtype dtype);
  template <class T>
  std::vector<T> elements(const std::string& name, Dtype dtype);

  const TensorFile& file_;
  std::string source_;
  std::optional<Error> error_;
};

// The members of one JSON object, by the same rule. Members that are not asked for are ignored.
class ObjectReader {
public:
  ObjectReader(FieldReader& fields, const Json* json, std::string name);

  const Json* member(std::string_view key) const; // nullptr when it is not there
  ObjectReader object(std::string_view key) const;
  double number(std::string_view key) const; // null is NaN
  Index count(std::string_view key) const;   // not negative
  bool flag(std::string_view key) const;
  std::string text(std::string_view key) const;
  template <std::size_t N>
  std::size_t choice(std::string_view key, const std::array<std::string_view, N>& words) const {
    const std::string word = text(key);
    for (std::size_t i = 0; i < N; ++i)
      if (words[i] == word) return i;
    fields_.refuse("\"" + word + "\" for " + path(key));
    return 0;
  }

private:
  std::string path(std::string_view key) const {
    return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
  }
  template <class T>
  const T* typed(std::string_view key, const char* kind) const;

  FieldReader& fields_;
  const JsonObject* members_ = nullptr;
  std::string name_;
};

// A JSON number as json_number() writes it; nothing for any other value.
std::optional<double> number_from_json(const Json& json);

} // namespace recta
