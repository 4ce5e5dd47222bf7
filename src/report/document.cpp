#include <recta/report.hpp>

namespace recta::report {

Value::Value(Table v) : is(shared(std::move(v))) {}

Group::Group() = default;
Group::Group(const Group& other) = default;
Group::Group(Group&& other) noexcept = default;
Group& Group::operator=(const Group& other) = default;
Group& Group::operator=(Group&& other) noexcept = default;
Group::~Group() = default;

Group::Group(std::initializer_list<Field> list) : fields(list) {}

Group& Group::add(std::string key, Value value) {
  fields.push_back({std::move(key), std::move(value)});
  return *this;
}

Group& Group::add(Group more) {
  fields.insert(fields.end(), std::make_move_iterator(more.fields.begin()), std::make_move_iterator(more.fields.end()));
  return *this;
}

Sentence said(std::string words) {
  return {"said", {{"words", std::move(words)}}};
}

} // namespace recta::report
