#include "option/recall.hpp"

#include <recta/cross_validate.hpp>
#include <recta/options.hpp>

#include <cstdlib>
#include <filesystem>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace recta {
namespace {

// How many members an aggregate has: so many values of any type can be put into its braces.
struct Anything {
  template <class T>
  operator T() const; // is never run
};
template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}
template <class T, std::size_t n = 1>
constexpr std::size_t members() {
  if constexpr (takes<T>(std::make_index_sequence<n + 1>()))
    return members<T, n + 1>();
  else
    return n;
}

// A text that the flag takes and that is not the default.
template <class Owner>
std::string text_for(const Option<Owner>& option) {
  static const std::map<std::string_view, std::string> kForms = {{"class_weights", "yes=2,\"a,b\"=3"},
                                                                 {"condition_low", "2:9"},
                                                                 {"chain", "random:7"},
                                                                 {"least_length", "2:3"},
                                                                 {"label_thresholds", "held-out:0.3"},
                                                                 {"stop_words", "english"},
                                                                 {"least_documents", "2"},
                                                                 {"most_documents", "0.5"},
                                                                 {"max_memory", "500M"}};
  if (const auto form = kForms.find(option.name); form != kForms.end()) return form->second;
  const std::vector<std::string> words = option.words();
  if (!words.empty()) return words[option.default_text().starts_with(words[0]) ? 1 : 0];
  if (option.name == "vocabulary") {
    const std::string path = testing::TempDir() + "option_test_terms.txt";
    std::ofstream(path) << "red\nblue\n";
    return path;
  }
  if (std::holds_alternative<double Owner::*>(option.member)) return option.more.range.highest <= 1 ? "0.5" : "2";
  const bool text = std::holds_alternative<std::string Owner::*>(option.member) ||
                    std::holds_alternative<std::vector<std::string> Owner::*>(option.member) ||
                    std::holds_alternative<std::vector<TextMap> Owner::*>(option.member);
  return text ? "some" : "2";
}

template <class Owner>
std::string json_of(const Option<Owner>& option, const Owner& options) {
  return report::to_json({{"value", option_value(option, options)}});
}

template <class Owner>
void every_flag_says_its_member(std::span<const Option<Owner>> table) {
  for (const Option<Owner>& option : table) {
    if (option.flag().empty()) continue;
    Owner options;
    const auto read = read_option(option, {text_for(option)}, options);
    ASSERT_TRUE(read) << option.name << ": " << read.error().text();
    const bool other = option.name == "label_thresholds" || option.name == "chain"; // the seed, the share
    EXPECT_EQ(json_of(option, options) == json_of(option, Owner{}), other) << option.name;
    for (const Option<Owner>& one : table)
      if (one.name != option.name && !one.flag().empty() && one.name != "chains")
        EXPECT_EQ(json_of(one, options), json_of(one, Owner{})) << option.name << " changes " << one.name;
  }
}

TEST(Options, EveryMemberIsInTheTable) {
  EXPECT_EQ(members<FitOptions>(), fit_option_table().size());
  EXPECT_EQ(members<TextOptions>(), text_option_table().size());
}

TEST(Options, NamesAndFlagsAreThereOnce) {
  std::set<std::string> names, flags;
  for (const Option<FitOptions>& option : fit_option_table()) {
    EXPECT_TRUE(names.insert(std::string(option.name)).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    if (!option.flag().empty()) EXPECT_TRUE(flags.insert(option.flag()).second) << option.name;
  }
  for (const Option<TextOptions>& option : text_option_table())
    if (!option.flag().empty()) EXPECT_TRUE(flags.insert(option.flag()).second) << option.name;
}

TEST(Options, EveryFlagSetsItsMemberAndNoOtherOne) {
  every_flag_says_its_member(fit_option_table());
  every_flag_says_its_member(text_option_table());
}

TEST(Options, ChoicesAreInTheOrderOfTheirEnums) {
  FitOptions options{.poly_terms = PolyTerms::interactions,
                     .missing = Missing::neighbours,
                     .unseen = Unseen::zeros,
                     .weights_are = WeightMeaning::frequency,
                     .errors = StandardErrors::cluster};
  for (const auto& [name, word] : std::map<std::string, std::string>{{"poly_terms", "interactions"},
                                                                     {"missing", "neighbours"},
                                                                     {"unseen", "zeros"},
                                                                     {"weights_are", "frequency"},
                                                                     {"errors", "cluster"}}) {
    EXPECT_EQ(word_of(fit_option(name), options), word);
    EXPECT_EQ(fit_option(name).words().back(), word); // none is left out
  }
  const TextOptions text{.unit = TermUnit::graph_shortest_path, .norm = TextNorm::l2};
  EXPECT_EQ(word_of(text_option("unit"), text), "graph-shortest-path");
  EXPECT_EQ(json_of(text_option("unit"), text), report::to_json({{"value", "graph_shortest_path"}}));
  EXPECT_EQ(word_of(text_option("norm"), text), "l2");
}

TEST(Options, FlagsWithAFormOfTheirOwnRefuseWhatIsNone) {
  const auto refusal = [](const char* name, const char* text) {
    FitOptions options;
    const auto read = read_option(fit_option(name), {text}, options);
    return read ? std::string() : read.error().text();
  };
  EXPECT_EQ(refusal("condition_low", "1000:10"),
            "--condition: \"1000:10\" is not a range; give LOW:HIGH with 1 <= LOW < HIGH, such as 10:1000");
  EXPECT_EQ(refusal("class_weights", "yes"),
            "--class-weights: \"yes\" is not a class and a number; write LABEL=NUMBER,LABEL=NUMBER");
  EXPECT_EQ(refusal("chain", "random:-1"),
            "--chain: \"-1\" is not a seed; give a whole number from zero up, such as random:7");
  EXPECT_EQ(refusal("label_thresholds", "held-out:1"),
            "--label-threshold: \"held-out:1\" is not a share of the rows; give one between 0 and 1, such as "
            "held-out:0.25");
}

TEST(Options, EveryAxisOfAGridIsOneOfTheModel) {
  const std::vector<ParamInfo> known = grid_parameters(*model_info("ridge"));
  std::size_t axes = 0;
  for (const Option<FitOptions>& option : fit_option_table()) axes += option.more.axis.has_value();
  EXPECT_EQ(known.size(), model_info("ridge")->params.size() + axes);
  for (const char* text : {"poly=1,2,3", "standardise=true,false", "tolerance=1e-6,1e-10", "unseen=refuse,zeros",
                           "max-vif=0,5", "intercept=false", "basis=\"log(a)\",\"spline(a, 3)\""}) {
    const auto axis = grid_axis("ridge", text);
    EXPECT_TRUE(axis) << axis.error().text();
  }
  EXPECT_FALSE(grid_axis("ridge", "tolerance=2"));
  EXPECT_FALSE(grid_axis("ridge", "missing-neighbours=0"));
  EXPECT_FALSE(grid_axis("ridge", "threads=1,2"));
}

TEST(Options, ASavedModelTellsWhatItIsSaidToTell) {
  Dataset data;
  const auto number = [&](const char* name, std::vector<double> values) {
    Column column;
    column.name = name;
    column.values = Values(values.begin(), values.end());
    data.columns.push_back(std::move(column));
  };
  number("a", {1, 2, 3, 4, 5, 6, 7, 8});
  number("b", {2, 1, 5, 3, 1, 4, 2, 2});
  number("u", {1, 1, 2, 2, 3, 3, 4, 4});
  number("w", {1, 2, 1, 2, 1, 2, 1, 1});
  number("y", {1, 3, 2, 5, 4, 6, 5, 9});
  data.rows = 8;
  const FitOptions asked{.target = {"y"},
                         .weights = "w",
                         .ignore = {"u"},
                         .basis = {"poly(a, 2)"},
                         .feature = {"a*b"},
                         .standardise = true,
                         .missing = Missing::mean,
                         .unseen = Unseen::zeros,
                         .weights_are = WeightMeaning::frequency,
                         .tolerance = 1e-9,
                         .confidence = 0.9,
                         .params = {{"lambda", 0.5}}};
  const auto model = fit("ridge", data, asked);
  ASSERT_TRUE(model) << model.error().text();
  const FitOptions again = refit_options(*model);
  for (const Option<FitOptions>& option : fit_option_table())
    if (option.more.recall && option.name != "intervals") // kept up to 100 features, whether asked for or not
      EXPECT_EQ(json_of(option, again), json_of(option, asked)) << option.name;
}

// docs/options.md

std::string commands_text(unsigned commands) {
  std::vector<std::string> out;
  for (const auto& [name, bit] : {std::pair{"fit", command::kFit},
                                  {"cv", command::kCv},
                                  {"curve", command::kCurve},
                                  {"path", command::kPath},
                                  {"trace", command::kTrace},
                                  {"thin", command::kThin}})
    if ((commands & bit) != 0) out.emplace_back(name);
  return fmt::format("{}", fmt::join(out, " "));
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

template <class Owner>
std::string line_of(const Option<Owner>& option) {
  const char* const kTold[] = {"each machine's own", "refused", "where the fit is steered", "yes"};
  const std::string flag = option.flag();
  const std::string words = fmt::format("{}", fmt::join(option.words(), ", "));
  return fmt::format(
      "| {} | `{}` | {} | {} | {} | {} | {} | {}{} |\n",
      flag.empty() ? "" : fmt::format("`--{}{}`", flag, option.value.empty() ? "" : fmt::format(" {}", option.value)),
      option.name, cell(option.default_text()), flag.empty() ? "" : commands_text(option.commands()),
      option.more.axis ? "yes" : "", option.more.recall ? "yes" : "", kTold[static_cast<int>(option.more.reach)],
      cell(option.help), words.empty() ? "" : ": " + words);
}

std::string page() {
  std::string text = "# Options that all models share\n\n"
                     "Every fit takes them, whatever its model. Each is described once, in `src/option`; flags, "
                     "Python's options, jobs of\n"
                     "engines, grids, refits and this page are made of that description "
                     "([decision](decisions/options.md)). The name is\n"
                     "that of the member of `FitOptions` in C++, of the key of a job in JSON, and of the options in "
                     "Python where a model is\n"
                     "named by its word. *Grid*: `recta cv --grid` and `recta curve --over` take it. *Saved*: a saved "
                     "model tells it, so that\n"
                     "a fit made again has it. *Engine*: whether a fit on many machines takes it.\n";
  for (int at = 0; at <= static_cast<int>(Heading::reading); ++at) {
    const auto heading = static_cast<Heading>(at == static_cast<int>(Heading::reading) ? 0 : at + 1); // none: the last
    text +=
        fmt::format("\n## {}\n\n| flag | name | default | taken by | grid | saved | engine | |\n|---|---|---|---|---|"
                    "---|---|---|\n",
                    heading == Heading::none ? "Without a flag" : title_of(heading));
    for (const Option<FitOptions>& option : fit_option_table())
      if (option.heading == heading) text += line_of(option);
    for (const Option<TextOptions>& option : text_option_table())
      if (option.heading == heading) text += line_of(option);
  }
  return text;
}

// RECTA_OVERWRITE=1 writes the page.
TEST(Options, ThePageOfTheDocsIsThatOfTheTable) {
  std::filesystem::path root = std::filesystem::current_path();
  while (!std::filesystem::exists(root / "docs") && root.has_relative_path()) root = root.parent_path();
  const std::filesystem::path path = root / "docs/options.md";
  if (std::getenv("RECTA_OVERWRITE") != nullptr) std::ofstream(path) << page();
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), page());
}

} // namespace
} // namespace recta
