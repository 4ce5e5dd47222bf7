#include "model_file/field_reader.hpp"

#include "base/numbers.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace recta {

void FieldReader::refuse(const std::string& what) {
  if (!error_) error_ = fail(ErrorCode::bad_model_file, source_, "not a valid model: " + what).error();
}

std::vector<Index> FieldReader::shape(std::string_view name) const {
  const auto entry = file_.tensors.find(name);
  return entry == file_.tensors.end() ? std::vector<Index>{} : entry->second.shape;
}

const Tensor* FieldReader::tensor(const std::string& name, Dtype dtype) {
  const auto entry = file_.tensors.find(name);
  if (!ok() || entry == file_.tensors.end()) return nullptr;
  if (entry->second.dtype == dtype) return &entry->second;
  refuse("tensor \"" + name + "\" has the wrong type");
  return nullptr;
}

template <class T>
std::vector<T> FieldReader::elements(const std::string& name, Dtype dtype) {
  const Tensor* stored = tensor(name, dtype);
  if (!stored || stored->bytes.empty()) return {};
  std::vector<T> values(stored->bytes.size() / sizeof(T));
  std::memcpy(values.data(), stored->bytes.data(), stored->bytes.size());
  return values;
}

std::vector<double> FieldReader::doubles(const std::string& name) {
  auto values = elements<double>(name, Dtype::f64);
  require(std::ranges::all_of(values, [](double x) { return std::isfinite(x); }),
          "\"" + name + "\" holds a value that is not a finite number");
  return values;
}

std::vector<double> FieldReader::doubles_or_nan(const std::string& name, const std::vector<Index>& expected) {
  std::size_t count = 1;
  for (const Index extent : expected) count *= static_cast<std::size_t>(extent);
  if (!ok()) return {};
  if (!has(name)) return std::vector<double>(count, kNaN);
  auto values = elements<double>(name, Dtype::f64);
  require(shape(name) == expected, "\"" + name + "\" has the wrong shape");
  require(std::ranges::none_of(values, [](double x) { return std::isnan(x); }), "\"" + name + "\" holds NaN");
  const std::string mask = name + ".present";
  if (!ok() || !has(mask)) return values;
  const auto present = codes(mask);
  require(shape(mask) == expected, "\"" + mask + "\" has the wrong shape");
  if (!ok()) return {};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (present[i] > 1 || (present[i] == 0 && values[i] != 0))
      refuse("\"" + mask + "\" has neither 1 nor, beside a number of 0, 0 in place " + std::to_string(i + 1));
    if (present[i] == 0) values[i] = kNaN;
  }
  return values;
}

std::vector<Index> FieldReader::counts(const std::string& name) {
  auto values = elements<Index>(name, Dtype::i64);
  require(std::ranges::all_of(values, [](Index x) { return x >= 0; }), "\"" + name + "\" holds a negative count");
  return values;
}

std::vector<std::uint8_t> FieldReader::codes(const std::string& name) {
  return elements<std::uint8_t>(name, Dtype::u8);
}

std::vector<std::string> FieldReader::strings(const std::string& name) {
  const auto start = counts(name + ".start");
  const Tensor* text = tensor(name + ".text", Dtype::u8);
  if (!ok() || (start.empty() && !text)) return {};
  const std::string fault = "the list of strings \"" + name + "\" is damaged";
  require(text && !start.empty() && start.front() == 0 && std::ranges::is_sorted(start) &&
              static_cast<std::uint64_t>(start.back()) == text->bytes.size(),
          fault);
  if (!ok()) return {};
  std::vector<std::string> items;
  items.reserve(start.size() - 1);
  for (std::size_t i = 1; i < start.size(); ++i) {
    const auto from = static_cast<std::size_t>(start[i - 1]);
    const auto item = text->bytes.substr(from, static_cast<std::size_t>(start[i]) - from);
    if (invalid_utf8(item) != std::string_view::npos) {
      refuse("string " + std::to_string(i) + " of \"" + name + "\" is not UTF-8");
      return {};
    }
    items.emplace_back(item);
  }
  return items;
}

template <class T>
CheckedArray<T> FieldReader::large(const std::string& name, const Rule<T>& rule) {
  const Tensor* stored = tensor(name, kDtypeOf<T>);
  if (!stored || stored->bytes.empty()) return {};
  const auto numbers = [](std::string_view bytes) {
    return std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
  };
  if (!file_.mapping || stored->digests.empty()) {
    auto values = elements<T>(name, kDtypeOf<T>);
    require(rule.good(values, 0), rule.otherwise);
    return values;
  }
  require(reinterpret_cast<std::uintptr_t>(stored->bytes.data()) % alignof(T) == 0,
          "tensor \"" + name + "\" does not lie at a multiple of the size of its numbers");
  if (!ok()) return {};
  if (file_.checksums == Checksums::just_computed) {
    require(rule.good(numbers(stored->bytes), 0), rule.otherwise);
    return {numbers(stored->bytes), file_.mapping};
  }
  CheckedPieces::Values values{
      [numbers, good = rule.good](std::string_view piece, std::size_t first) {
        return good(numbers(piece), first / sizeof(T));
      },
      fail(ErrorCode::bad_model_file, source_, "not a valid model: " + rule.otherwise).error()};
  return CheckedArray<T>(std::make_shared<const CheckedPieces>(
      stored->bytes, stored->digests,
      damaged_file(source_, "the bytes of its tensor \"" + name + "\" do not have the checksums it states"),
      std::move(values), file_.mapping));
}

namespace {

template <class T>
FieldReader::Rule<T> finite(const std::string& name) {
  return {[](std::span<const T> part, std::size_t) {
            return std::ranges::all_of(part, [](T x) { return std::isfinite(x); });
          },
          "\"" + name + "\" holds a value that is not a finite number"};
}

} // namespace

CheckedArray<double> FieldReader::large_doubles(const std::string& name) {
  return large(name, finite<double>(name));
}

CheckedArray<double> FieldReader::large_doubles(const std::string& name, const Rule<double>& rule) {
  return large(name, rule);
}

CheckedArray<float> FieldReader::large_floats(const std::string& name) {
  return large(name, finite<float>(name));
}

CheckedArray<Index> FieldReader::large_counts(const std::string& name, Index limit) {
  return large<Index>(name, {[limit](std::span<const Index> part, std::size_t) {
                               return std::ranges::all_of(part, [limit](Index x) { return x >= 0 && x < limit; });
                             },
                             "\"" + name + "\" holds a number below 0 or from " + std::to_string(limit) + " up"});
}

CheckedArray<std::uint32_t> FieldReader::large_numbers(const std::string& name, const Rule<std::uint32_t>& rule) {
  return large(name, rule);
}

ObjectReader::ObjectReader(FieldReader& fields, const Json* json, std::string name)
    : fields_(fields), members_(json ? json->as<JsonObject>() : nullptr), name_(std::move(name)) {
  fields_.require(members_ != nullptr, (name_.empty() ? "its description" : name_) + " is not an object");
}

const Json* ObjectReader::member(std::string_view key) const {
  if (!members_) return nullptr;
  const auto entry = members_->find(key);
  return entry == members_->end() ? nullptr : &entry->second;
}

ObjectReader ObjectReader::object(std::string_view key) const {
  return {fields_, member(key), path(key)};
}

template <class T>
const T* ObjectReader::typed(std::string_view key, const char* kind) const {
  const Json* json = member(key);
  const T* value = json ? json->as<T>() : nullptr;
  if (!value) fields_.refuse(path(key) + (json ? " is not " : " is missing, ") + kind);
  return value;
}

double ObjectReader::number(std::string_view key) const {
  const Json* json = member(key);
  const auto value = json ? number_from_json(*json) : std::nullopt;
  fields_.require(value.has_value(), path(key) + (json ? " is not a number" : " is missing"));
  return value.value_or(0);
}

Index ObjectReader::count(std::string_view key) const {
  const Index* value = typed<Index>(key, "a whole number");
  fields_.require(!value || *value >= 0, path(key) + " is negative");
  return value ? *value : 0;
}

bool ObjectReader::flag(std::string_view key) const {
  const bool* value = typed<bool>(key, "true or false");
  return value && *value;
}

std::string ObjectReader::text(std::string_view key) const {
  const std::string* value = typed<std::string>(key, "text");
  return value ? *value : std::string();
}

std::optional<double> number_from_json(const Json& json) {
  if (const double* x = json.as<double>()) return *x;
  if (const Index* x = json.as<Index>()) return static_cast<double>(*x);
  if (json.as<std::monostate>()) return kNaN;
  const std::string* word = json.as<std::string>();
  if (word && *word == "inf") return kInfinity;
  if (word && *word == "-inf") return -kInfinity;
  return std::nullopt;
}

} // namespace recta
