// nlohmann's SAX interface hands over one event at a time; the builder below keeps a stack of open containers and says
// no as soon as a limit is passed, before anything is stored.
#include "model_file/json.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace recta {
namespace {

class Builder : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit Builder(const JsonLimits& limits) : limits_(limits) {}

  bool null() override { return add(Json{}); }
  bool boolean(bool x) override { return add(Json{x}); }
  bool number_integer(number_integer_t x) override { return add(Json{Index{x}}); }
  bool number_unsigned(number_unsigned_t x) override {
    if (x > static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) return refuse("an integer beyond 2^63");
    return add(Json{static_cast<Index>(x)});
  }
  bool number_float(number_float_t, const string_t& text) override { // read again: nlohmann's way knows locales
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc{} || end != text.data() + text.size()) return refuse("the number " + text);
    return add(Json{x});
  }
  bool string(string_t& x) override { return add(Json{std::move(x)}); }
  bool binary(binary_t&) override { return refuse("binary values"); }
  bool start_object(std::size_t) override { return open(Json{JsonObject{}}); }
  bool start_array(std::size_t) override { return open(Json{JsonArray{}}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!count()) return false;
    if (std::get<JsonObject>(open_.back()->value).contains(name)) return refuse("the key \"" + name + "\" twice");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
    return refuse("no JSON at character " + std::to_string(at));
  }

  Json root;
  std::string reason;

private:
  bool refuse(std::string why) {
    reason = std::move(why);
    return false;
  }
  bool count() {
    return ++values_ <= limits_.values || refuse("more than " + std::to_string(limits_.values) + " values");
  }

  Json* place(Json&& value) {
    if (open_.empty()) return &(root = std::move(value));
    if (auto* array = std::get_if<JsonArray>(&open_.back()->value)) return &array->emplace_back(std::move(value));
    return &(std::get<JsonObject>(open_.back()->value)[key_] = std::move(value));
  }
  bool add(Json&& value) {
    if (!count()) return false;
    place(std::move(value));
    return true;
  }
  // A pointer to an open container stays good: its parent takes no further members before it is closed.
  bool open(Json&& container) {
    if (!count()) return false;
    if (std::ssize(open_) >= limits_.depth) return refuse("more than " + std::to_string(limits_.depth) + " levels");
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  JsonLimits limits_;
  Index values_ = 0;
  std::vector<Json*> open_;
  std::string key_;
};

void print_string(const std::string& text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (code < 0x20)
      ((out += "\\u00") += kHex[code >> 4]) += kHex[code & 15];
    else
      out += c;
  }
  out += '"';
}

void print_double(double x, std::string& out) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
  const std::string_view text(digits, static_cast<std::size_t>(end - digits));
  out += text;
  if (text.find_first_of(".e") == text.npos) out += ".0";
}

struct Printer {
  std::string& out;

  void operator()(std::monostate) const { out += "null"; }
  void operator()(bool x) const { out += x ? "true" : "false"; }
  void operator()(Index x) const { out += std::to_string(x); }
  void operator()(double x) const { print_double(x, out); }
  void operator()(const std::string& x) const { print_string(x, out); }
  void operator()(const JsonArray& array) const {
    out += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (i > 0) out += ',';
      std::visit(*this, array[i].value);
    }
    out += ']';
  }
  void operator()(const JsonObject& object) const {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : object) {
      if (!std::exchange(first, false)) out += ',';
      print_string(key, out);
      out += ':';
      std::visit(*this, member.value);
    }
    out += '}';
  }
};

} // namespace

Result<Json> parse_json(std::string_view text, const std::string& where, const JsonLimits& limits) {
  Builder builder(limits);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
    return fail(ErrorCode::bad_model_file, where, builder.reason);
  return std::move(builder.root);
}

std::string print_json(const Json& json) {
  std::string out;
  std::visit(Printer{out}, json.value);
  return out;
}

Json json_number(double x) {
  if (std::isnan(x)) return {};
  if (std::isinf(x)) return {std::string(x > 0 ? "inf" : "-inf")};
  return {x};
}

} // namespace recta
