#include "separable.hpp"

#include <algorithm>
#include <cmath>

namespace recta::cli {

namespace {

using report::Group;
using report::Section;
using report::Sentence;
using report::Shown;
using report::Value;

// In the units of the data: the weights, and the direction alone.
void add_hyperplane(const Separability& s, Group& data, Section& page) {
  if (s.weights.empty()) {
    data.add("hyperplane", nullptr);
    return;
  }
  Group weights;
  std::vector<double> unit;
  report::Table table{.columns = {{"feature", "hyperplane"}, {"weight", "weight"}, {"unit_normal", "unit normal"}}};
  for (std::size_t j = 0; j < s.weights.size(); ++j) {
    unit.push_back(s.weights[j] / s.normal_length());
    weights.add(s.features[j], s.weights[j]);
    table.rows.push_back({s.features[j], s.weights[j], unit[j]});
  }
  if (s.intercept) table.rows.push_back({"(intercept)", s.b, Value()});
  data.add("hyperplane", Group{{"weights", std::move(weights)},
                               {"intercept", s.b},
                               {"unit_normal", std::move(unit)},
                               {"origin_distance", s.origin_distance()},
                               {"rounded", s.rounded}});
  page.push_back(Shown{report::shared(std::move(table))});
  if (!s.intercept) return;
  page.push_back(Sentence{"blank"});
  page.push_back(Sentence{"separable.origin", {{"distance", s.origin_distance()}}});
}

void add_margin(const Separability& s, Group& data, Section& page) {
  data.add("margin",
           Group{{"lower", s.margin_lower}, {"upper", s.margin_upper}, {"squared", report::or_null(s.margin_squared)}});
  if (s.verdict != Separation::separable && s.verdict != Separation::undecided) return;
  page.push_back(Sentence{s.exact ? "separable.margin" : "separable.margin.between",
                          {{"lower", s.margin_lower}, {"upper", s.margin_upper}, {"squared", s.margin_squared}}});
}

// The most mistakes of a perceptron from zero.
void add_mistakes(const Separability& s, Group& data, Section& page) {
  const Group bound{{"radius", s.radius}, {"norm", s.norm}, {"mistakes", s.mistakes}};
  data.add("perceptron", s.mistakes > 0 ? Value(bound) : Value(nullptr));
  if (s.verdict != Separation::separable || !(s.mistakes > 0)) return;
  page.push_back(Sentence{std::isinf(s.mistakes) ? "separable.mistakes.beyond" : "separable.mistakes", bound});
}

std::shared_ptr<const report::Table> multipliers_table(const Separability& s) {
  report::Table out{.columns = {{"row", s.verdict == Separation::separable ? "support row" : "row"},
                                {"value", "multiplier"},
                                {"fraction", "as a fraction"}},
                    .left = 0,
                    .rest = "rows.more"};
  for (const Multiplier& m : s.multipliers) out.rows.push_back({m.row, m.value, report::or_null(m.fraction)});
  return shared(std::move(out));
}

Sentence heading(const Separability& s, std::size_t classes = 0) {
  return {classes > 0 ? "separable.title.classes" : "separable.title",
          {{"source", s.source},
           {"rows", s.rows},
           {"features", s.features.size()},
           {"classes", classes},
           {"target", s.target},
           {"positive", s.positive},
           {"positives", s.positives},
           {"negative", s.negative},
           {"negatives", s.negatives},
           {"origin", !s.intercept}}};
}

report::Document answer_document(const Separability& s) {
  report::Document out{{{"source", s.source},
                        {"rows", s.rows},
                        {"target", s.target},
                        {"positive", s.positive},
                        {"negative", s.negative},
                        {"positives", s.positives},
                        {"negatives", s.negatives},
                        {"intercept", s.intercept},
                        {"verdict", name(s.verdict)},
                        {"exact", s.exact},
                        {"proved", s.proved}},
                       {{report::Heading{heading(s)}}}};
  Section numbers;
  add_hyperplane(s, out.data, numbers);
  add_margin(s, out.data, numbers);
  add_mistakes(s, out.data, numbers);
  const auto multipliers = multipliers_table(s);
  if (!numbers.empty()) out.page.push_back(std::move(numbers));
  if (!s.on_hyperplane.empty()) out.page.push_back({Sentence{"separable.on", {{"rows", s.on_hyperplane}}}});
  if (!s.multipliers.empty()) out.page.push_back({Shown{multipliers}});
  out.page.push_back({report::said(s.sentence())});
  out.data.add({{"multipliers", multipliers},
                {"residual", s.residual},
                {"on_hyperplane", s.on_hyperplane},
                {"overlap", s.overlap},
                {"sentence", s.sentence()}});
  return out;
}

// One row per class: its verdict, and its numbers.
report::Table classes_table(const std::vector<Separability>& all) {
  report::Table out{.columns = {{"", all[0].target},
                                {"", "against the rest"},
                                {"", "rows"},
                                {"", "margin at least"},
                                {"", "at most"},
                                {"", "most mistakes", 17},
                                {"", "multipliers"}},
                    .left = 2};
  for (const Separability& s : all) {
    const bool separable = s.verdict == Separation::separable;
    const auto shown = [&](Value value) { return separable ? std::move(value) : Value(); };
    out.rows.push_back({s.positive,
                        Sentence{"separable.verdict",
                                 {{"verdict", name(s.verdict)}, {"exact", s.exact}, {"proved", s.proved && !s.exact}}},
                        s.positives, shown(s.margin_lower), shown(s.margin_upper),
                        shown(std::isinf(s.mistakes) ? Value(Sentence{"separable.beyond"}) : Value(s.mistakes)),
                        s.multipliers.size()});
  }
  return out;
}

// The numbers of classes, and of pairs of them, that a hyperplane separates, and the pairs that none does.
Section counts(const SeparableAnswers& answers) {
  Value::List others;
  for (const Separability& s : answers.pairs)
    if (s.verdict != Separation::separable)
      others.emplace_back(Sentence{"separable.pair",
                                   {{"positive", s.positive}, {"negative", s.negative}, {"verdict", name(s.verdict)}}});
  const auto apart = std::ranges::count(answers.classes, Separation::separable, &Separability::verdict);
  const auto pairs = answers.pairs.size();
  return {Sentence{"separable.classes", {{"apart", apart}, {"classes", answers.classes.size()}}},
          Sentence{"separable.pairs", {{"apart", pairs - others.size()}, {"pairs", pairs}, {"others", others}}}};
}

} // namespace

report::Document separable_document(const SeparableAnswers& answers) {
  report::Document out{{{"schema", "recta/separability/1"}}, {}};
  if (answers.classes.size() == 1) {
    report::Document one = answer_document(answers.classes[0]);
    out.data.add(std::move(one.data));
    out.page = std::move(one.page);
    return out;
  }
  for (const auto& [key, list] : {std::pair{"classes", &answers.classes}, {"pairs", &answers.pairs}}) {
    Value::List each;
    for (const Separability& s : *list) each.emplace_back(answer_document(s).data);
    out.data.add(key, std::move(each));
  }
  out.page = {{report::Heading{heading(answers.classes[0], answers.classes.size())}},
              {Shown{report::shared(classes_table(answers.classes))}},
              counts(answers)};
  return out;
}

} // namespace recta::cli
