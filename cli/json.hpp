// Gathers the data of a document call by call.
#pragma once

#include <recta/report.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recta::cli {

using report::shortest;

class Json {
public:
  Json& object() { return open(report::Group{}); }
  Json& array() { return open(report::Value::List{}); }
  Json& end();
  Json& key(std::string_view name) {
    key_ = name;
    return *this;
  }
  Json& value(report::Value v);
  template <class T>
  Json& field(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  template <class List>
  Json& list(std::string_view name, const List& items) {
    return key(name).value(report::Value::List(items.begin(), items.end()));
  }
  Json& fields(report::Group more); // of the object that is open
  Json& null() { return value(nullptr); }

  std::string text() const { return report::to_json(std::get<report::Group>(root_.is)); }

private:
  Json& open(report::Value empty) {
    open_.emplace_back(std::move(key_), std::move(empty));
    return *this;
  }

  std::string key_;
  std::vector<std::pair<std::string, report::Value>> open_;
  report::Value root_;
};

} // namespace recta::cli
