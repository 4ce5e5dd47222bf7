// verify() goes over all that a model file holds. Every number, text, setting and list of the file of a small fit is
// moved in turn, by its last bit and by much, and the checksum made right again: the file is refused, or its claim is
// refuted, or the distance to the optimum that the proof states is larger, or the moved field is of no consequence, as
// the rule that covers it says, and then the model answers as before. Seeded forgeries move several fields at once.
#include "cases.hpp"
#include "model_file/rules.hpp"
#include "moves.hpp"
#include "params/given_params.hpp"

#include <gmock/gmock.h>
#include <random>
#include <set>

namespace recta::forgeries {
namespace {

using mutants::Change;
using mutants::OpenFile;

// What the proof says of how far the answer is from the one that is claimed.
struct Distance {
  double operator()(const ExactOptimum& claim) const { return claim.suboptimality; }
  double operator()(const DualityGap& claim) const { return claim.gap; }
  double operator()(const KktResidual& claim) const { return claim.residual; }
  double operator()(const SeparatingHyperplane& claim) const {
    return std::isnan(claim.gap) ? -claim.margin : claim.gap;
  }
  double operator()(const NotSeparable& claim) const { return claim.residual; }
  double operator()(const Stationary& claim) const { return claim.gradient_norm; }
  double operator()(const Described& claim) const {
    double sum = 0;
    for (const auto& [name, value] : claim.figures) sum += value;
    return sum;
  }
  template <class Other>
  double operator()(const Other&) const {
    return 0;
  }
};

double distance(const Certificate& certificate) {
  return std::visit(Distance{}, certificate.claim);
}

std::vector<double> answers(const Model& model, const Dataset& rows) {
  std::vector<double> out;
  for (const Answer answer : {Answer::prediction, Answer::decision, Answer::probability, Answer::corrected})
    if (const auto values = model.predict(rows, 1, answer)) out.insert(out.end(), values->begin(), values->end());
  if (const auto values = transform(model, rows, 1)) out.insert(out.end(), values->begin(), values->end());
  return out;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-9 * std::max(std::abs(x), 1e-3);
  });
}

// Lists of words that may stand for one another in a file.
Words words_of(const std::string& word) {
  Words out{{"proved", "within_tolerance", "stopped_early"},
            {"refuse", "drop", "mean", "indicator", "skip", "neighbours"},
            {"refuse", "zeros"},
            {"precision", "frequency"},
            {"classical", "hc0", "hc1", "hc2", "hc3", "cluster"}};
  out.emplace_back();
  for (int reason = Stop::other; reason <= Stop::changed_by_hand; ++reason)
    out.back().push_back(Stop(static_cast<Stop::Reason>(reason)).text());
  for (const ParamInfo& param : model_info(word)->params)
    if (!param.choices.empty()) out.push_back(param.choices);
  return out;
}

struct Forged { // a file that was not refused, and whose claim was not refuted
  Certificate certificate;
  std::vector<double> answers;
};

class Original {
public:
  Original(const SavedCase& one, const Dataset& rows) : rows_(rows), case_(one) {
    const auto model = saved_model(one, rows);
    EXPECT_TRUE(model) << one.name << ": " << model.error().text();
    const auto proof = model ? verify(*model, rows) : Result<Certificate>(std::unexpected(model.error()));
    EXPECT_TRUE(proof) << one.name << ": " << proof.error().text();
    if (!proof) return;
    EXPECT_NE(proof->verdict, Verdict::refuted) << one.name << ": " << proof->sentence();
    file_.emplace(model->to_bytes());
    EXPECT_TRUE(check_held(file_->bytes(), "m.recta", nullptr, *model)) << one.name;
    honest_ = {*proof, answers(*model, rows)};
    rules_ = rules_of_body(*model);
    for (const Model& part : model->body->parts())
      for (const FieldRule& rule : rules_of_body(part)) rules_.push_back(rule);
    for (const std::string& field : field_names(*model)) fields_.insert(field);
    changes_ = mutants::changes(*file_, moves(words_of(one.word)));
    add_figures();
  }
  const mutants::Changes& changes() const { return changes_; }
  const std::set<std::string>& fields() const { return fields_; }
  bool ready() const { return file_.has_value(); }

  // What is wrong with how verify() takes the changes, all at once; empty: nothing.
  std::string fault(const std::vector<const Change*>& some) const {
    OpenFile file = *file_;
    std::string what;
    for (const Change* const change : some) change->apply(file), what += change->node + " " + change->what + "; ";
    const auto forged = accepted(file.bytes());
    if (!forged) return {};
    for (const Change* const change : some)
      if (const std::string why = fault(*change, *forged); !why.empty())
        return what + why + ": " + forged->certificate.sentence();
    return {};
  }

private:
  // Figures that the file leaves out, which the reader knows.
  void add_figures() {
    for (const FieldRule& rule : common_rules()) {
      const bool tensor =
          rule.rule == Rule::recomputed && (rule.fields.starts_with("classes.") || rule.fields.starts_with("fit."));
      if (!tensor || file_->tensors.contains(rule.fields)) continue;
      const std::string name = rule.fields;
      changes_.push_back(
          {name, "added", [name](OpenFile& file) { file.tensors[name].set(std::vector<double>{0.25}); }});
    }
  }

  std::optional<Forged> accepted(const std::string& bytes) const {
    const auto model = Model::from_bytes(bytes, "m.recta");
    if (!model || !check_held(bytes, "m.recta", nullptr, *model)) return {};
    const auto proof = verify(*model, rows_);
    if (!proof || proof->verdict == Verdict::refuted) return {};
    return Forged{*proof, answers(*model, rows_)};
  }

  const FieldRule* rule(const Change& change) const {
    std::string field =
        change.node.substr(change.node.rfind(", ") == std::string::npos ? 0 : change.node.rfind(", ") + 2);
    for (const char* const ending : {".present", ".start"})
      if (field.ends_with(ending) && rule_of(field, rules_) == nullptr)
        field.resize(field.size() - std::strlen(ending));
    if (const std::size_t at = change.what.find(" at ["); at != std::string::npos) {
      const std::string place = change.what.substr(at + 4, change.what.find(']') - at - 3);
      if (const FieldRule* const found = rule_of(field + place, rules_)) return found;
    }
    return rule_of(field, rules_);
  }

  std::string fault(const Change& change, const Forged& forged) const {
    const FieldRule* const found = rule(change);
    if (found == nullptr) return "no rule covers it";
    const bool tiny = change.what.starts_with("tiny"), none = change.what.find("NaN") != std::string::npos;
    const bool alike = same(honest_.answers, forged.answers);
    const double before = distance(honest_.certificate), after = distance(forged.certificate);
    switch (found->rule) {
    case Rule::claimed:
      return tiny || (alike && !is_of_residual(found->fields)) || after > before ? "" : "it is claimed";
    case Rule::recomputed: // a figure that a file leaves out claims nothing
      return tiny || none || is_of_the_fit(found->fields, forged) || vanishes(found->fields) ||
                     is_rounded(found->fields, change)
                 ? ""
                 : "the rows give it";
    case Rule::setting: // no text is the usual one
      return tiny || (change.what == "no text" && alike) || is_of_another_fit(change) ? "" : "it is set otherwise";
    case Rule::identity:
      return tiny || (alike && is_order_of_mapped(change)) ? "" : "these are other rows";
    case Rule::stated:
      return forged.certificate.verdict >= honest_.certificate.verdict ? "" : "the verdict is better";
    default:
      return tiny || alike || after > before ? "" : "it changes answers";
    }
  }

  // Where a likelihood has no finite maximum, these fall to zero, and are compared in units of the constant model's.
  bool vanishes(const std::string& figure) const {
    return std::holds_alternative<NoFiniteMaximum>(honest_.certificate.claim) &&
           (figure == "certificate.objective" || figure == "classes.log_likelihood");
  }
  // The residual of a discriminant is made of all that it learned: a move is seen in it, whatever becomes of answers.
  static bool is_of_residual(const std::string& field) { return field.starts_with("discriminant."); }

  // Columns that maps alone read are found by their names, in any order.
  bool is_order_of_mapped(const Change& change) const {
    return change.node == "columns.names" && change.what == "backwards" && case_.options.poly > 1;
  }

  // A word that asks for the same fit, as the quantile 0.5 is the median: the fit that is asked for so writes this
  // file.
  bool is_of_another_fit(const Change& change) const {
    if (!change.node.starts_with("params.")) return false;
    OpenFile file = *file_;
    change.apply(file);
    const auto model = Model::from_bytes(file.bytes(), "m.recta");
    if (!model) return false;
    SavedCase other = case_;
    other.options.params = given_params(*model_info(model->word), model->params);
    const auto again = saved_model(other, rows_);
    return again && again->to_bytes() == model->to_bytes();
  }

  // Moves within the digits that rounding leaves.
  bool is_rounded(const std::string& figure, const Change& change) const {
    const std::size_t place = change.what.find(" at ["), value = change.what.find("], "),
                      before = change.what.find(" for ");
    if (place == std::string::npos || value == std::string::npos || before == std::string::npos) return false;
    const double from = std::strtod(change.what.c_str() + before + 5, nullptr);
    const double by = std::abs(std::strtod(change.what.c_str() + value + 3, nullptr) - from);
    if (by <= 1e-9 * std::abs(from)) return true; // 1 beside 1e9: sums agree to no more
    // Without an intercept standardised columns pass through their means: of zero, rounding leaves this.
    if (figure == "intercept.standardised") return by <= 1e-15;
    // A column of R^-T is known to that share of its length, which is what it is for.
    return figure == "inverse_root" &&
           by <= 1e-9 * root_length(std::strtoul(change.what.c_str() + place + 5, nullptr, 10));
  }
  double root_length(std::size_t at) const {
    double length = 0;
    file_->tensors.at("inverse_root").as_typed([&](const auto& root) {
      file_->tensors.at("means").as_typed([&](const auto& means) {
        for (std::size_t k = at % means.size(); k < root.size(); k += means.size())
          length = std::hypot(length, static_cast<double>(root[k]));
      });
    });
    return length;
  }

  // Figures that a model which says that it was changed by hand has from the fit of other coefficients.
  static bool is_of_the_fit(const std::string& figure, const Forged& forged) {
    const bool of_fit = figure == "objective" || figure == "certificate.objective" ||
                        figure == "certificate.null_objective" || figure.starts_with("singular") ||
                        figure.starts_with("aliased") || figure == "inverse_root" || figure == "summary.rank" ||
                        figure.starts_with("summary.condition") || figure == "summary.degrees_of_freedom";
    return of_fit && forged.certificate.stop.reason() == Stop::changed_by_hand;
  }

  const Dataset& rows_;
  const SavedCase& case_;
  std::optional<OpenFile> file_{};
  Forged honest_{};
  std::vector<FieldRule> rules_{};
  std::set<std::string> fields_{};
  mutants::Changes changes_{};
};

// Every `step`-th move of one file from the `first` on, and `together` seeded forgeries of several moves; how many.
std::size_t forge(const SavedCase& one, std::size_t first, std::size_t step, int together, unsigned seed) {
  const Dataset rows = saved_rows();
  const Original original(one, rows);
  if (!original.ready()) return 0;
  std::size_t tried = 0;
  const mutants::Changes& changes = original.changes();
  for (std::size_t k = first; k < changes.size(); k += step, ++tried)
    EXPECT_EQ(original.fault({&changes[k]}), "") << one.name;
  std::mt19937_64 random(seed);
  for (int k = 0; k < together; ++k, ++tried) {
    std::vector<const Change*> some;
    for (auto more = 2 + random() % 3; more-- > 0;) { // of as many fields: another move of one would undo the first
      const Change* const next = &changes[random() % changes.size()];
      const auto node = [&](const Change* other) { return other->node == next->node; };
      if (std::ranges::none_of(some, node)) some.push_back(next);
    }
    EXPECT_EQ(original.fault(some), "") << one.name;
  }
  return tried;
}

TEST(Forgeries, AreRefusedOrSayTheirTrueDistance) {
  std::size_t turn = 0, tried = 0;
  for (const SavedCase& one : cases()) {
    tried += forge(one, turn % 73, 73, 1, static_cast<unsigned>(turn));
    ++turn;
  }
  EXPECT_GT(tried, 2000U);
}

// One test per file, so that each has its own time, and can be run by the name of its model.
class SlowForgeries : public testing::TestWithParam<std::size_t> {};

TEST_P(SlowForgeries, AreRefusedOrSayTheirTrueDistance) {
  EXPECT_GT(forge(cases().at(GetParam()), 0, 1, 200, 11), 200U);
}

INSTANTIATE_TEST_SUITE_P(Slow, SlowForgeries, testing::Range(std::size_t{0}, cases().size()), [](const auto& info) {
  std::string name = fmt::format("{}_{}", info.param, cases().at(info.param).name);
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(Rules, AreOfFieldsThatFilesHave) {
  const Dataset rows = saved_rows();
  std::set<std::string> met;
  for (const SavedCase& one : cases()) {
    const Original original(one, rows);
    for (const std::string& field : original.fields()) met.insert(field);
  }
  Model told = saved_model(cases().front(), rows).value(); // what the command line adds
  told.holdout = {.share = 0.2, .seed = 1};
  told.decision = {.aim = "costs", .costs = {0, 1, 1, 0}};
  told.reading.decimal = ',';
  for (const std::string& field : field_names(told)) met.insert(field);
  std::vector<std::string> idle;
  for (const FieldRule& rule : common_rules())
    if (std::ranges::none_of(met, [&](const std::string& field) { return rule_of(field, {}) == &rule; }))
      idle.push_back(rule.fields);
  EXPECT_THAT(idle, testing::IsEmpty());
}

TEST(Rules, CoverEveryFieldOrTheModelIsRefused) {
  EXPECT_EQ(rule_of("mood", {}), nullptr);
  EXPECT_NE(rule_of("certificate.claim.gap", {}), nullptr);
  EXPECT_NE(rule_of("mood", {{"mo*d", Rule::note, "of no consequence"}}), nullptr);
}

} // namespace
} // namespace recta::forgeries
