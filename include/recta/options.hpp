// The options that all models share, each described once. From these tables come the flags of the command line and the
// reading of them, the jobs of engines, the attributes of Python's options, the axes of grids, what a saved model tells
// of its fit, and docs/options.md (docs/decisions/options.md).
#pragma once

#include <recta/estimator.hpp>
#include <recta/report.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace recta {

using LabelNumbers = std::vector<std::pair<std::string, double>>;

// An enum, whose values are places among the words of its option.
template <class Owner>
struct OptionChoice {
  std::size_t (*get)(const Owner&);
  void (*set)(Owner&, std::size_t);
};

template <class Owner>
using OptionMember =
    std::variant<bool Owner::*, double Owner::*, Index Owner::*, int Owner::*, std::uint64_t Owner::*,
                 std::string Owner::*, std::vector<std::string> Owner::*, LabelNumbers Owner::*, DocumentBound Owner::*,
                 std::vector<TextMap> Owner::*, Params Owner::*, OptionChoice<Owner>>;

// Where the flag stands in help. none: the option has no flag; another one sets it, or it is for programs.
enum class Heading : std::uint8_t { none, columns, classes, labels, maps, text, fitting, errors, reading };
std::string_view title_of(Heading heading);

// Who is told where the rows are on many machines. machine: nobody, each has its own. one_table: an engine refuses it,
// because it needs the rows in one place. steering: the process that asks. parts: all.
enum class OptionReach : std::uint8_t { machine, one_table, steering, parts };

// Commands that take an option, as a sum.
namespace command {
inline constexpr unsigned kFit = 1, kCv = 2, kCurve = 4, kPath = 8, kTrace = 16, kThin = 32, kEvery = 63;
}

// How an option is an axis of a grid: `simpler` as in ParamInfo; `or_default`: the default is one of its values even if
// it is outside the range, where it stands for none.
struct OptionAxis {
  int simpler = 0;
  bool or_default = false;
};

struct OptionRange {
  double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
};

template <class Owner>
struct OptionDetails {
  std::string_view flag{};  // if it is not the name with - for _, with no- before what is on by default
  std::string_view words{}; // that a choice is among, with blanks between them
  std::size_t offered = 99; // so many of these, the first ones, are offered by the flag
  OptionRange range{};      // of numbers, both ends included
  std::string_view shown{}; // the default in help; that of an enum is its word
  unsigned commands = 0;    // 0: those of its heading
  OptionReach reach = OptionReach::parts;
  std::optional<OptionAxis> axis{};
  Result<void> (*read)(const std::string& text, Owner& options) = nullptr; // of a flag with a form of its own
  void (*recall)(const Model& model, Owner& options) = nullptr;            // from a saved model, to fit it again
};

template <class Owner>
struct Option {
  Heading heading;
  std::string_view name; // of the member, of the attribute in Python, and in JSON; a literal, which ends with a zero
  OptionMember<Owner> member;
  std::string_view value; // what stands after the flag in help: "COL,..." are names of columns between commas
  std::string_view help;
  OptionDetails<Owner> more{};

  std::string flag() const; // without the dashes; empty: it has none
  std::vector<std::string> words() const;
  std::string default_text() const; // as help shows it; may be empty
  unsigned commands() const;
  bool names_columns() const { return value.starts_with("COL"); }
};

std::span<const Option<FitOptions>> fit_option_table();
std::span<const Option<TextOptions>> text_option_table(); // of a column of documents: FitOptions::text
// By the name, which must be in the table.
const Option<FitOptions>& fit_option(std::string_view name);
const Option<TextOptions>& text_option(std::string_view name);

// What is written after the flag, at each use of it. Ranges and words are checked before: the command line does it by
// the description.
template <class Owner>
Result<void> read_option(const Option<Owner>& option, const std::vector<std::string>& texts, Owner& options);
// As JSON and Python have it; words with _ for -.
template <class Owner>
report::Value option_value(const Option<Owner>& option, const Owner& options);
template <class Owner>
std::string word_of(const Option<Owner>& choice, const Owner& options);

bool parse_number(std::string_view text, double& value);      // all of the text, and no NaN
bool parse_size(std::string_view text, std::uint64_t& bytes); // "500M", "2G", "1.5KiB"
// "a,b" and "\"a,b\",c" as in a line of CSV.
std::vector<std::string> split_list(std::string_view text);
// "yes=5,no=1"; commas inside double quotes belong to the label.
Result<LabelNumbers> label_numbers(const std::string& flag, const std::string& text);

extern template struct Option<FitOptions>;
extern template struct Option<TextOptions>;

} // namespace recta
