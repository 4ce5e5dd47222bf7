// The small part of JSON that a model file needs. Reading refuses what other readers let pass: duplicate keys, deep
// nesting, more values than a model can have. Writing prints the shortest digits that read back as the same double, so
// a number survives any number of savings; a double always carries a point or an exponent, an integer never does.
#pragma once

#include <recta/error.hpp>

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace recta {

struct Json;
using JsonArray = std::vector<Json>;
using JsonObject = std::map<std::string, Json, std::less<>>;

struct Json {
  std::variant<std::monostate, bool, Index, double, std::string, JsonArray, JsonObject> value;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
};

struct JsonLimits {
  int depth = 32;
  Index values = 100'000; // keys count too
};

// `where` names the text in the error.
Result<Json> parse_json(std::string_view text, const std::string& where, const JsonLimits& limits = {});

// Members in the order of their keys, nothing between the signs: the same value is the same text.
std::string print_json(const Json& json);

// A double as JSON: NaN is null, the infinities are "inf" and "-inf".
Json json_number(double x);

} // namespace recta
