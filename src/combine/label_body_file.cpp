// The body of label sets in reports and in model files.
#include "base/numbers.hpp"
#include "combine/label_body.hpp"
#include "combine/parts_file.hpp"
#include "feature/schema.hpp"
#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::combine {
namespace {

void add_remarks(const LabelPlan& plan, const LabelSet& labels, Report& out) {
  constexpr std::size_t kShown = 10; // chains
  for (std::size_t c = 0; plan.chained && c < std::min(plan.orders.size(), kShown); ++c) {
    report::Value::List names;
    for (const Index k : plan.orders[c]) names.emplace_back(labels.names[at(k)]);
    out.remarks.push_back({"labels.chain", {{"labels", std::move(names)}}});
  }
  if (plan.chained && plan.orders.size() > kShown)
    out.remarks.push_back({"labels.chains", {{"count", plan.orders.size() - kShown}}});
  for (std::size_t k = 0; k < plan.constant.size(); ++k)
    if (plan.constant[k] >= 0)
      out.remarks.push_back({plan.constant[k] == 1 ? "labels.always" : "labels.never", {{"label", labels.names[k]}}});
}

// Whether the chains name every label that varies once.
bool names_every_label(const LabelPlan& plan) {
  std::vector<Index> varying;
  for (std::size_t k = 0; k < plan.constant.size(); ++k)
    if (plan.constant[k] < 0) varying.push_back(static_cast<Index>(k));
  const auto names_all = [&](std::vector<Index> order) {
    std::ranges::sort(order);
    return order == varying;
  };
  return !varying.empty() && !plan.orders.empty() && std::ranges::all_of(plan.orders, names_all) &&
         (plan.chained || plan.orders.size() == 1);
}

} // namespace

Report LabelBody::report(const Schema& schema) const {
  Report out;
  Report::Table table{.name = "parts",
                      .title = "labels, each by a model of two classes",
                      .columns = {"label", "verdict", "share of rows", "objective", "accuracy", "threshold"},
                      .rows = {}};
  double proved = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Model& part = parts_[p];
    const std::size_t chain = p / plan_.orders[0].size();
    const Index label = plan_.orders[chain][p % plan_.orders[0].size()];
    const Classes& two = part.schema.classes;
    const double threshold = plan_.threshold[at(label)];
    proved += part.certificate.verdict == Verdict::proved ? 1 : 0;
    table.rows.push_back({schema.labels.names[at(label)], std::string(name(part.certificate.verdict)),
                          two.weight[1] / (two.weight[0] + two.weight[1]), part.certificate.objective,
                          part.body->summary().classes.accuracy,
                          std::isnan(threshold) ? (probabilities_ ? 0.5 : 0.0) : threshold});
  }
  out.tables.push_back(std::move(table));
  out.figures = {{"labels", "labels", static_cast<double>(scores())},
                 {"parts", "parts", static_cast<double>(parts_.size())},
                 {"proved", "parts proved", proved},
                 {"hamming_loss", "Hamming loss of the training rows", fit_.hamming_loss},
                 {"subset_accuracy", "subset accuracy of the training rows", fit_.subset_accuracy}};
  if (plan_.chained) out.figures.push_back({"chains", "chains", static_cast<double>(plan_.orders.size())});
  add_remarks(plan_, schema.labels, out);
  return out;
}

void LabelBody::write(TensorWriter& out) const {
  std::vector<Index> constant, order;
  for (const int value : plan_.constant) constant.push_back(value + 1); // counts are not negative
  for (const auto& chain : plan_.orders) order.insert(order.end(), chain.begin(), chain.end());
  out.add("labels.constant", constant, {std::ssize(constant)});
  out.add("labels.order", order, {std::ssize(plan_.orders), std::ssize(plan_.orders[0])});
  out.add("labels.chained", std::vector{static_cast<std::uint8_t>(plan_.chained)}, {1});
  put(out, "labels.threshold", plan_.threshold, {scores()});
  put(out, "labels.fit", {fit_.hamming_loss, fit_.subset_accuracy}, {2});
  write_parts(out, parts_);
}

Result<std::shared_ptr<const Body>> LabelBody::read(FieldReader& in, FitSummary summary, const Schema& schema,
                                                    const std::string& word) {
  const auto constant = in.counts("labels.constant"), order = in.counts("labels.order");
  const auto shape = in.shape("labels.order");
  const auto chained = in.codes("labels.chained");
  LabelPlan plan;
  plan.threshold = in.doubles_or_nan("labels.threshold", {std::ssize(schema.labels.names)});
  const auto fit = in.doubles_or_nan("labels.fit", {2});
  in.require(constant.size() == schema.labels.names.size() && shape.size() == 2 && shape[1] > 0 &&
                 chained.size() == 1 && std::ranges::all_of(constant, [](Index c) { return c <= 2; }),
             "its labels are not all described");
  if (!in.ok()) return in.error();
  for (const Index c : constant) plan.constant.push_back(static_cast<int>(c) - 1);
  for (Index c = 0; c < shape[0]; ++c)
    plan.orders.emplace_back(order.begin() + c * shape[1], order.begin() + (c + 1) * shape[1]);
  plan.chained = chained[0] != 0;
  in.require(names_every_label(plan), "its parts do not stand for its labels");
  if (!in.ok()) return in.error();
  const Index features = feature::feature_count(schema), steps = shape[1];
  for (const SchemaColumn& column : schema.columns) plan.place += feature::feature_count(column);
  const auto fits = [&](const Model& part, std::size_t p) {
    const Index read = plan.chained ? static_cast<Index>(p) % steps : 0;
    return part.word == word && part.schema.classes.count() == 2 && part.schema.classes.positive == 1 &&
           part.body->scores() <= 2 && part.body->parts().empty() && part.body->features() == features + read;
  };
  auto parts = read_parts(in, schema.unseen, fits, "a part is not a model of two classes of the same features");
  if (!parts) return std::unexpected(parts.error());
  in.require(std::ssize(*parts) == shape[0] * steps, "its parts do not stand for its labels");
  if (!in.ok()) return in.error();
  return std::make_shared<LabelBody>(std::move(summary), features, std::move(plan), *std::move(parts),
                                     LabelFit{fit[0], fit[1]});
}

} // namespace recta::combine
