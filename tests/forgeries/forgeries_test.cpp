// verify() goes over all that a model file holds. Every number, text, setting and list of the file of a small fit is
// moved in turn, by its last bit and by much, and the checksum made right again: the file is refused, or its claim is
// refuted, or the distance to the optimum that the proof states is larger, or the moved field is of no consequence, as
// the rule that covers it says, and then the model answers as before. Seeded forgeries move several fields at once.
#include "cases.hpp"
#include "model_file/rules.hpp"
#include "moves.hpp"

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
  Original(const SavedCase& one, const Dataset& rows) : rows_(rows) {
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
      return tiny || alike || after > before ? "" : "it is claimed";
    case Rule::recomputed: // a figure that a file leaves out claims nothing
      return tiny || none || is_of_the_fit(found->fields, forged) || vanishes(found->fields) ||
                     is_rounded(found->fields, change)
                 ? ""
                 : "the rows give it";
    case Rule::setting: // no text is the usual one
      return tiny || (change.what == "no text" && alike) ? "" : "it is set otherwise";
    case Rule::identity:
      return tiny ? "" : "these are other rows";
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
  // The p-value of a fit that is nearly exact hangs on the last digits of its residuals.
  static bool is_rounded(const std::string& figure, const Change& change) {
    return figure.starts_with("fit.") && change.node.find("f_p_value") != std::string::npos &&
           change.what.starts_with("1e-6");
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
  std::optional<OpenFile> file_{};
  Forged honest_{};
  std::vector<FieldRule> rules_{};
  std::set<std::string> fields_{};
  mutants::Changes changes_{};
};

// Every `step`-th move, and `together` seeded forgeries of several moves for each file.
void forge_all(std::size_t step, int together) {
  const Dataset rows = saved_rows();
  std::size_t turn = 0, tried = 0;
  std::mt19937_64 random(11);
  for (const SavedCase& one : cases()) {
    const Original original(one, rows);
    if (!original.ready()) continue;
    const mutants::Changes& changes = original.changes();
    for (std::size_t k = turn++ % step; k < changes.size(); k += step, ++tried)
      EXPECT_EQ(original.fault({&changes[k]}), "") << one.name;
    for (int k = 0; k < together; ++k, ++tried) {
      std::vector<const Change*> some;
      for (auto more = 2 + random() % 3; more-- > 0;) { // of as many fields: another move of one would undo the first
        const Change* const next = &changes[random() % changes.size()];
        const auto node = [&](const Change* one) { return one->node == next->node; };
        if (std::ranges::none_of(some, node)) some.push_back(next);
      }
      EXPECT_EQ(original.fault(some), "") << one.name;
    }
  }
  EXPECT_GT(tried, 2000U);
}

TEST(Forgeries, AreRefusedOrSayTheirTrueDistance) {
  forge_all(73, 1);
}

TEST(SlowForgeries, AreRefusedOrSayTheirTrueDistance) {
  forge_all(1, 200);
}

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
