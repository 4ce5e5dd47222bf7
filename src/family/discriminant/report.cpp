// lda and qda in words and tables.
#include "base/numbers.hpp"
#include "family/discriminant/body.hpp"
#include "feature/schema.hpp"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::discriminant {
namespace {

constexpr Index kLongestTable = 2000; // rows

struct Teller {
  const Learned& learned;
  const Schema& schema;
  std::vector<std::string> names = feature::feature_names(schema);

  const std::string& label(std::size_t k) const { return schema.classes.labels[k]; }
  std::vector<std::string> heading(std::vector<std::string> first) const {
    first.insert(first.end(), schema.classes.labels.begin(), schema.classes.labels.end());
    return first;
  }
  Report::Table classes() const;
  Report::Table by_column(const std::string& name, const std::string& title, const std::vector<double>& values) const;
  Report::Table directions() const;
  Report::Table axes() const;
  void remark(std::vector<report::Sentence>& remarks) const;
};

Report::Table Teller::classes() const {
  Report::Table out{"classes", "Classes", {"class", "prior", "weight"}, {}};
  if (!learned.share.empty()) out.columns.emplace_back("shrinkage");
  for (std::size_t k = 0; k < learned.prior.size(); ++k) {
    out.rows.push_back({label(k), learned.prior[k], learned.weight[k]});
    if (!learned.share.empty()) out.rows.back().emplace_back(learned.share[k]);
  }
  return out;
}

Report::Table Teller::by_column(const std::string& name, const std::string& title,
                                const std::vector<double>& values) const {
  Report::Table out{name, title, heading({"feature"}), {}};
  for (std::size_t j = 0; j < names.size(); ++j) {
    out.rows.push_back({names[j]});
    for (std::size_t k = 0; k < learned.prior.size(); ++k) out.rows.back().emplace_back(values[k * names.size() + j]);
  }
  return out;
}

Report::Table Teller::directions() const {
  Report::Table out{
      "directions", "Directions that separate the classes", {"direction", "variance between / inside", "share"}, {}};
  const double all = std::accumulate(learned.ratio.begin(), learned.ratio.end(), 0.0);
  for (std::size_t c = 0; c < learned.ratio.size(); ++c)
    out.rows.push_back({"LD" + std::to_string(c + 1), learned.ratio[c], learned.ratio[c] / all});
  return out;
}

Report::Table Teller::axes() const {
  Report::Table out{"axes", "Coefficients of the directions", {"feature"}, {}};
  for (std::size_t c = 0; c < learned.ratio.size(); ++c) out.columns.push_back("LD" + std::to_string(c + 1));
  for (std::size_t j = 0; j < names.size(); ++j) {
    out.rows.push_back({names[j]});
    for (std::size_t c = 0; c < learned.ratio.size(); ++c)
      out.rows.back().emplace_back(learned.direction[c * names.size() + j]);
  }
  return out;
}

void Teller::remark(std::vector<report::Sentence>& remarks) const {
  const std::size_t p = names.size();
  const std::vector<double> least = least_variances(learned.mean, learned.columns);
  for (std::size_t j = 0; j < p && !learned.shape.quadratic; ++j) {
    if (learned.covariance[j * p + j] > least[j]) continue;
    bool same = true;
    for (std::size_t k = 1; k < learned.prior.size(); ++k)
      same = same && std::abs(learned.mean[k * p + j] - learned.mean[j]) <= std::sqrt(least[j]);
    remarks.push_back({same ? "column.constant" : "lda.constant_in_classes", {{"column", names[j]}}});
  }
  if (learned.rank < learned.columns)
    remarks.push_back(
        {learned.shape.quadratic ? "qda.rank" : "lda.rank", {{"rank", learned.rank}, {"columns", learned.columns}}});
  for (std::size_t k = 0; k < learned.added.size(); ++k)
    if (learned.added[k] > 0) remarks.push_back({"qda.flat", {{"class", label(k)}, {"share", learned.added[k]}}});
  if (!learned.shape.quadratic) remarks.push_back({"lda.linear"});
}

} // namespace

Report DiscriminantBody::report(const Schema& schema) const {
  const Teller teller{*learned_, schema};
  Report out;
  out.figures.push_back({"rank", "rank", static_cast<double>(learned_->rank)});
  if (learned_->shape.shrinkage == Shrinkage::fixed)
    out.figures.push_back({"shrinkage", "shrinkage", learned_->shape.share});
  out.tables.push_back(teller.classes());
  if (learned_->columns <= kLongestTable) {
    out.tables.push_back(teller.by_column("means", "Means of the classes", learned_->mean));
    if (!learned_->w.empty())
      out.tables.push_back(teller.by_column("coefficients", "Coefficients of the scores", learned_->w));
  }
  if (!learned_->ratio.empty()) {
    out.tables.push_back(teller.directions());
    if (learned_->columns <= kLongestTable) out.tables.push_back(teller.axes());
  }
  teller.remark(out.remarks);
  return out;
}

} // namespace recta::discriminant
