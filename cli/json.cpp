#include "json.hpp"

namespace recta::cli {

Json& Json::value(report::Value v) {
  if (open_.empty()) {
    root_ = std::move(v);
  } else if (auto* group = std::get_if<report::Group>(&open_.back().second.is)) {
    group->add(std::move(key_), std::move(v));
  } else {
    std::get<report::Value::List>(open_.back().second.is).push_back(std::move(v));
  }
  return *this;
}

Json& Json::end() {
  auto [key, whole] = std::move(open_.back());
  open_.pop_back();
  key_ = std::move(key);
  return value(std::move(whole));
}

Json& Json::fields(report::Group more) {
  std::get<report::Group>(open_.back().second.is).add(std::move(more));
  return *this;
}

} // namespace recta::cli
