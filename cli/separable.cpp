#include "separable.hpp"

#include "json.hpp"
#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::cli {

namespace {

constexpr std::size_t kShown = 20; // rows of a list

std::string heading(const Separability& s, const Voice& voice) {
  return voice.bold(s.source) +
         fmt::format(": {}, {}; {} {} ({}) against {} ({}){}\n\n", count_text(s.rows, "row", "rows"),
                     count_text(std::ssize(s.features), "feature", "features"), s.target, s.positive,
                     count_text(s.positives, "row", "rows"), s.negative, count_text(s.negatives, "row", "rows"),
                     s.intercept ? "" : "; hyperplanes through the origin");
}

// In the units of the data: the weights, and the direction alone.
std::string hyperplane_text(const Separability& s, const Voice& voice) {
  const double length = s.normal_length();
  Table table({"hyperplane", "weight", "unit normal"});
  for (std::size_t j = 0; j < s.weights.size(); ++j)
    table.add(
        {s.features[j], number_text(s.weights[j], voice.digits), number_text(s.weights[j] / length, voice.digits)});
  if (s.intercept) table.add({"(intercept)", number_text(s.b, voice.digits), ""});
  std::string text = table.text();
  if (s.intercept) text += fmt::format("\ndistance of the origin {}\n", number_text(s.origin_distance(), voice.digits));
  return text;
}

std::string margin_text(const Separability& s, const Voice& voice) {
  if (s.exact)
    return fmt::format("widest margin {}{}\n", number_text(s.margin_lower, voice.digits),
                       s.margin_squared.empty() ? "" : fmt::format(", the root of {}", s.margin_squared));
  return fmt::format("widest margin between {} and {}\n", number_text(s.margin_lower, 17),
                     number_text(s.margin_upper, 17));
}

std::string mistakes_text(double mistakes) {
  return std::isinf(mistakes) ? "beyond doubles" : number_text(mistakes, 17);
}

std::string multipliers_text(const Separability& s, const Voice& voice) {
  const bool separable = s.verdict == Separation::separable;
  Table table({separable ? "support row" : "row", "multiplier", "as a fraction"}, 0);
  for (std::size_t i = 0; i < std::min(s.multipliers.size(), kShown); ++i) {
    const Multiplier& m = s.multipliers[i];
    table.add({std::to_string(m.row), number_text(m.value, voice.digits), m.fraction.empty() ? "-" : m.fraction});
  }
  std::string text = table.text();
  if (s.multipliers.size() > kShown)
    text += fmt::format("and {} more; --json has all\n", s.multipliers.size() - kShown);
  return text;
}

std::string rows_text(const std::vector<Index>& rows) {
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), kShown));
  std::string text = fmt::format("{}", fmt::join(rows.begin(), end, ", "));
  if (rows.size() > kShown) text += fmt::format(" and {} more; --json has all", rows.size() - kShown);
  return text;
}

std::string answer_text(const Separability& s, const Voice& voice) {
  std::string text = heading(s, voice);
  if (!s.weights.empty()) text += hyperplane_text(s, voice);
  if (s.verdict == Separation::separable || s.verdict == Separation::undecided) text += margin_text(s, voice);
  if (s.verdict == Separation::separable && std::isinf(s.mistakes))
    text += fmt::format(
        "a perceptron from zero makes no more than (R B)^2 mistakes, which is beyond the doubles: R {}, B {}\n",
        number_text(s.radius, voice.digits), number_text(s.norm, voice.digits));
  else if (s.verdict == Separation::separable && s.mistakes > 0)
    text += fmt::format("a perceptron from zero makes at most {} mistakes: R {}, B {}\n", number_text(s.mistakes, 17),
                        number_text(s.radius, voice.digits), number_text(s.norm, voice.digits));
  if (!s.on_hyperplane.empty()) text += "\nrows on the hyperplane: " + rows_text(s.on_hyperplane) + "\n";
  if (!s.multipliers.empty()) text += (text.ends_with("\n\n") ? "" : "\n") + multipliers_text(s, voice);
  return text + "\n" + s.sentence() + "\n";
}

// One row per class: its verdict, and its numbers.
std::string classes_text(const std::vector<Separability>& all, const Voice& voice) {
  const Separability& first = all[0];
  std::string text = voice.bold(first.source) +
                     fmt::format(": {}, {}; {}, each against the rest{}\n\n", count_text(first.rows, "row", "rows"),
                                 count_text(std::ssize(first.features), "feature", "features"),
                                 count_text(std::ssize(all), "class", "classes"),
                                 first.intercept ? "" : "; hyperplanes through the origin");
  Table table({first.target, "against the rest", "rows", "margin at least", "at most", "most mistakes", "multipliers"},
              2);
  for (const Separability& s : all) {
    const bool separable = s.verdict == Separation::separable;
    table.add({s.positive,
               fmt::format("{}{}", name(s.verdict),
                           s.exact    ? ", exact"
                           : s.proved ? ", proved"
                                      : ""),
               std::to_string(s.positives), separable ? number_text(s.margin_lower, voice.digits) : "",
               separable ? number_text(s.margin_upper, voice.digits) : "", separable ? mistakes_text(s.mistakes) : "",
               std::to_string(s.multipliers.size())});
  }
  text += table.text() + "\n";
  const auto apart = std::ranges::count(all, Separation::separable, &Separability::verdict);
  return text +
         fmt::format("{} of {} classes can be separated from the rest; --json has every hyperplane and multiplier.\n",
                     apart, all.size());
}

// How many pairs of classes a hyperplane separates, and which it does not.
std::string pairs_text(const std::vector<Separability>& pairs) {
  std::vector<std::string> others;
  for (const Separability& s : pairs)
    if (s.verdict != Separation::separable)
      others.push_back(fmt::format("{} and {} ({})", s.positive, s.negative, name(s.verdict)));
  const auto end = others.begin() + static_cast<std::ptrdiff_t>(std::min(others.size(), kShown));
  std::string text =
      fmt::format("{} of {} pairs of classes can be separated", pairs.size() - others.size(), pairs.size());
  if (!others.empty()) text += fmt::format("; not {}", fmt::join(others.begin(), end, ", "));
  if (others.size() > kShown) text += fmt::format(" and {} more; --json has all", others.size() - kShown);
  return text + ".\n";
}

void write_answer(Json& json, const Separability& s) {
  json.field("source", s.source).field("rows", s.rows);
  json.field("target", s.target).field("positive", s.positive).field("negative", s.negative);
  json.field("positives", s.positives).field("negatives", s.negatives).field("intercept", s.intercept);
  json.field("verdict", name(s.verdict)).field("exact", s.exact).field("proved", s.proved);
  json.key("hyperplane");
  if (s.weights.empty()) {
    json.null();
  } else {
    json.object().key("weights").object();
    for (std::size_t j = 0; j < s.weights.size(); ++j) json.field(s.features[j], s.weights[j]);
    json.end().field("intercept", s.b).key("unit_normal").line();
    for (const double w : s.weights) json.value(w / s.normal_length());
    json.end().field("origin_distance", s.origin_distance()).field("rounded", s.rounded).end();
  }
  json.key("margin").object().field("lower", s.margin_lower).field("upper", s.margin_upper).key("squared");
  s.margin_squared.empty() ? json.null() : json.value(s.margin_squared);
  json.end().key("perceptron");
  if (s.mistakes > 0)
    json.object().field("radius", s.radius).field("norm", s.norm).field("mistakes", s.mistakes).end();
  else
    json.null();
  json.key("multipliers").array();
  for (const Multiplier& m : s.multipliers) {
    json.object().field("row", m.row).field("value", m.value).key("fraction");
    (m.fraction.empty() ? json.null() : json.value(m.fraction)).end();
  }
  json.end().field("residual", s.residual).list("on_hyperplane", s.on_hyperplane).field("overlap", s.overlap);
  json.field("sentence", s.sentence());
}

} // namespace

std::string separable_text(const SeparableAnswers& answers, const Voice& voice) {
  if (answers.classes.size() == 1) return answer_text(answers.classes[0], voice);
  return classes_text(answers.classes, voice) + pairs_text(answers.pairs);
}

std::string separable_json(const SeparableAnswers& separable) {
  Json json;
  json.object().field("schema", "recta/separability/1");
  if (separable.classes.size() == 1) {
    write_answer(json, separable.classes[0]);
    return json.end().text();
  }
  const auto each = [&](const char* key, const std::vector<Separability>& answers) {
    json.key(key).array();
    for (const Separability& s : answers) {
      json.object();
      write_answer(json, s);
      json.end();
    }
    json.end();
  };
  each("classes", separable.classes);
  each("pairs", separable.pairs);
  return json.end().text();
}

} // namespace recta::cli
