#include "family/nearest_centroid/body.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "model_file/put.hpp"
#include "stats/row_check.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace recta::nearest_centroid {
namespace {

constexpr std::size_t kSums = 8; // side by side, summed at the end: the same bits in any batch

template <class Term>
double distance(const double* x, const double* c, std::size_t p, const Term& term) {
  std::array<double, kSums> sums{};
  std::size_t j = 0;
  for (; j + kSums <= p; j += kSums)
    for (std::size_t l = 0; l < kSums; ++l) sums[l] += term(x[j + l] - c[j + l]);
  for (std::size_t l = 0; j < p; ++j, ++l) sums[l] += term(x[j] - c[j]);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// Centroids that rounding alone can tell apart are equally near.
void level_near_centroids(double* s, Index classes, Index terms) {
  const double most = *std::max_element(s, s + classes);
  const double near = 2 * static_cast<double>(terms + 8) * kUnit * std::abs(most);
  for (Index k = 0; k < classes; ++k)
    if (most - s[k] <= near) s[k] = most;
}

void copy_row(const Batch& rows, Index i, std::vector<double>& x) {
  if (const auto* dense = std::get_if<MatrixView>(&rows.x))
    return gather(*dense, std::span(&i, 1), x.data(), dense->cols);
  std::ranges::fill(x, 0.0);
  const SparseRow row = sparse_row(std::get<SparseView>(rows.x), i);
  for (Index s = 0; s < row.count; ++s) x[at(row.column(s))] = row.value[s];
}

} // namespace

Result<void> CentroidBody::score(const Batch& rows, ScoresOf of, double* out) const {
  if (auto good = check_numbers({rows.x, {}, rows.weight, {}, rows.first_row},
                                {.feature = [this](Index j) { return names_[at(j)]; }});
      !good)
    return good;
  const std::size_t p = at(learned_.columns);
  std::vector<double> x(p);
  for (Index i = 0; i < rows.rows(); ++i) {
    double* s = out + i * learned_.classes;
    if (!rows.weight.empty() && !(rows.weight[at(i)] > 0)) {
      std::fill_n(s, learned_.classes, kNaN);
      continue;
    }
    copy_row(rows, i, x);
    for (std::size_t k = 0; k < at(learned_.classes); ++k) {
      const double* c = learned_.used.data() + k * p;
      const double far = learned_.manhattan ? distance(x.data(), c, p, [](double d) { return std::abs(d); })
                                            : distance(x.data(), c, p, [](double d) { return d * d; }) / 2;
      s[k] = std::log(learned_.prior[k]) - far;
    }
    if (of == ScoresOf::classes) level_near_centroids(s, learned_.classes, learned_.columns);
  }
  return {};
}

Report CentroidBody::report(const Schema& schema) const {
  constexpr std::size_t kLongestTable = 2000;
  const std::vector<std::string>& labels = schema.classes.labels;
  Report out;
  Report::Table classes{"classes", "Classes", {"class", "prior", "weight"}, {}};
  for (std::size_t k = 0; k < labels.size(); ++k)
    classes.rows.push_back({labels[k], learned_.prior[k], learned_.weight[k]});
  out.tables.push_back(std::move(classes));
  if (names_.size() <= kLongestTable) {
    Report::Table table{"centroids", "Centroids of the classes", {"feature"}, {}};
    table.columns.insert(table.columns.end(), labels.begin(), labels.end());
    for (std::size_t j = 0; j < names_.size(); ++j) {
      table.rows.push_back({names_[j]});
      for (std::size_t k = 0; k < labels.size(); ++k)
        table.rows.back().emplace_back(learned_.used[k * names_.size() + j]);
    }
    out.tables.push_back(std::move(table));
  }
  if (learned_.threshold > 0) {
    Index gone = 0;
    for (std::size_t j = 0; j < names_.size(); ++j) {
      bool same = true;
      for (std::size_t k = 0; k < labels.size(); ++k)
        same = same && learned_.used[k * names_.size() + j] == learned_.spread.middle[j];
      gone += same ? 1 : 0;
    }
    out.figures.push_back(
        {"columns_in_use", "columns that still tell classes apart", static_cast<double>(learned_.columns - gone)});
  }
  out.remarks.push_back({learned_.manhattan ? "nearest-centroid.manhattan" : "nearest-centroid.units"});
  return out;
}

void CentroidBody::write(TensorWriter& out) const {
  const Index p = learned_.columns, classes = learned_.classes;
  put_vector(out, "nearest_centroid.settings", {learned_.manhattan ? 1.0 : 0.0, learned_.threshold});
  put_vector(out, "nearest_centroid.prior", learned_.prior);
  put_vector(out, "nearest_centroid.class_weight", learned_.weight);
  out.add("nearest_centroid.centroids", learned_.centroid, {classes, p});
  if (learned_.threshold > 0) out.add("nearest_centroid.shrunken", learned_.used, {classes, p});
  put_vector(out, "nearest_centroid.middle", learned_.spread.middle);
  put(out, "nearest_centroid.deviation", learned_.spread.deviation, {p});
}

Result<std::shared_ptr<const Body>> read_body(FieldReader& in, FitSummary summary, const Schema& schema) {
  Learned learned;
  learned.columns = feature::feature_count(schema);
  learned.classes = schema.classes.count();
  const std::vector<double> settings = in.doubles("nearest_centroid.settings");
  in.require(settings.size() == 2 && (settings.at(0) == 0 || settings.at(0) == 1) && settings.at(1) >= 0,
             "the settings of the centroids are out of range");
  if (!in.ok()) return in.error();
  learned.manhattan = settings[0] != 0;
  learned.threshold = settings[1];
  learned.prior = in.doubles("nearest_centroid.prior");
  learned.weight = in.doubles("nearest_centroid.class_weight");
  learned.centroid = in.doubles("nearest_centroid.centroids");
  learned.used = learned.threshold > 0 ? in.doubles("nearest_centroid.shrunken") : learned.centroid;
  learned.spread.middle = in.doubles("nearest_centroid.middle");
  learned.spread.deviation = in.doubles_or_nan("nearest_centroid.deviation", {learned.columns});
  const std::size_t classes = at(learned.classes), numbers = classes * at(learned.columns);
  const auto positive = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double x) { return x > 0; });
  };
  in.require(learned.prior.size() == classes && learned.weight.size() == classes && positive(learned.prior) &&
                 positive(learned.weight) && learned.centroid.size() == numbers && learned.used.size() == numbers &&
                 learned.spread.middle.size() == at(learned.columns),
             "the centroids do not fit the classes and the columns");
  if (!in.ok()) return in.error();
  return std::make_shared<const CentroidBody>(std::move(summary), std::move(learned), feature::feature_names(schema));
}

} // namespace recta::nearest_centroid
