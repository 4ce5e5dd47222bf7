// Options of fits: an attribute for each of the library's table. A choice is a str; columns of documents are plain
// values, which travel to other machines: a dict per column, with the settings that TextOptions has.
#include "bindings.hpp"
#include "report.hpp"

#include <recta/options.hpp>

#include <algorithm>
#include <fmt/ranges.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

// As Python spells the words of a choice.
template <class Owner>
std::vector<std::string> words_of(const Option<Owner>& option) {
  std::vector<std::string> words = option.words();
  for (std::string& each : words) std::ranges::replace(each, '-', '_');
  return words;
}

// False: there is no such word.
template <class Owner>
bool set_word(const Option<Owner>& option, Owner& options, const std::string& word) {
  const std::vector<std::string> words = words_of(option);
  const auto place = std::ranges::find(words, word) - words.begin();
  if (place < std::ssize(words))
    std::get<OptionChoice<Owner>>(option.member).set(options, static_cast<std::size_t>(place));
  return place < std::ssize(words);
}

// A setting of a column of documents.
void set_setting(const Option<TextOptions>& option, TextOptions& options, nb::handle value) {
  const std::string where = fmt::format("text, {}", option.name);
  const auto read = [&]<class T>(T& out) {
    if (!nb::try_cast<T>(value, out))
      refuse(ErrorCode::usage, where, fmt::format("{} is not a value of this setting", nb::repr(value).c_str()),
             "see docs/text.md");
  };
  const auto set = [&]<class M>(const M& member) {
    if constexpr (std::is_same_v<M, OptionChoice<TextOptions>>) {
      std::string word;
      read(word);
      if (!set_word(option, options, word))
        refuse(ErrorCode::usage, where, fmt::format("there is no \"{}\"", word),
               fmt::format("there are {}", fmt::join(words_of(option), ", ")));
    } else if constexpr (std::is_same_v<M, DocumentBound TextOptions::*>) { // a number, or also whether it is a share
      DocumentBound& bound = options.*member;
      if (nb::isinstance<nb::sequence>(value) && nb::len(value) == 2)
        bound = {nb::cast<double>(value[0]), nb::cast<bool>(value[1])};
      else
        read(bound.amount), bound.share = nb::isinstance<nb::float_>(value);
    } else if constexpr (!std::is_same_v<M, std::vector<TextMap> TextOptions::*>) {
      read(options.*member);
    }
  };
  std::visit(set, option.member);
}

nb::list texts_of(const FitOptions& options) {
  return nb::cast<nb::list>(python_of({{"text", option_value(fit_option("text"), options)}})["text"]);
}

void set_texts(FitOptions& options, const nb::list& texts) {
  std::vector<std::string_view> names;
  for (const Option<TextOptions>& option : text_option_table()) names.push_back(option.name);
  options.text.clear();
  for (const nb::handle each : texts) {
    const auto one = nb::cast<nb::dict>(each);
    TextMap& map = options.text.emplace_back();
    for (const auto& [key, value] : one) {
      const auto name = nb::cast<std::string>(key);
      const auto known = std::ranges::find(text_option_table(), name, &Option<TextOptions>::name);
      if (name == "column")
        map.column = nb::cast<std::string>(value);
      else if (known != text_option_table().end())
        set_setting(*known, map.options, value);
      else
        refuse(ErrorCode::usage, fmt::format("text of column {}", nb::cast<std::string>(one["column"])),
               fmt::format("there is no setting {}", name), fmt::format("there are {}", fmt::join(names, ", ")));
    }
  }
}

// Names are literals of the table, which end with a zero.
void bind_attributes(nb::class_<FitOptions>& type) {
  for (const Option<FitOptions>& option : fit_option_table()) {
    const char* const name = option.name.data();
    const auto bind = [&]<class M>(const M& member) {
      if constexpr (std::is_same_v<M, OptionChoice<FitOptions>>)
        type.def_prop_rw(
            name, [&option](const FitOptions& options) { return word_of(option, options); },
            [&option](FitOptions& options, const std::string& word) {
              if (!set_word(option, options, word))
                refuse(ErrorCode::usage, option.name, fmt::format("'{}' is not one of its values", word),
                       fmt::format("give one of {}", fmt::join(words_of(option), ", ")));
            });
      else if constexpr (std::is_same_v<M, std::vector<TextMap> FitOptions::*>)
        type.def_prop_rw(name, &texts_of, &set_texts);
      else if constexpr (!std::is_same_v<M, DocumentBound FitOptions::*>)
        type.def_rw(name, member);
    };
    std::visit(bind, option.member);
  }
}

} // namespace

void bind_options(nb::module_& m) {
  using One = Option<FitOptions>;
  nb::class_<FitOptions> type(m, "FitOptions");
  type.def(nb::init<>());
  bind_attributes(type);
  nb::class_<One>(m, "Option", "What the library's table says of an option.")
      .def_prop_ro("name", [](const One& one) { return std::string(one.name); })
      .def_prop_ro("flag", &One::flag)
      .def_prop_ro("words", &One::words)
      .def_prop_ro("names_columns", &One::names_columns)
      .def_prop_ro("of_parts", [](const One& one) { return one.more.reach == OptionReach::parts; });
  m.def(
      "options",
      [] {
        const auto table = fit_option_table();
        return std::vector<One>(table.begin(), table.end());
      },
      "The options that all models share.");
}

} // namespace recta::python
