// Naive Bayes in words and tables: which likelihood each column has, and the estimates class by class.
#include "base/numbers.hpp"
#include "family/naive_bayes/informative.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

constexpr Index kLongestTable = 20000; // rows
constexpr std::size_t kMostInformative = 5;
constexpr Index kMostFields = 1'000'000; // of all classes

struct Teller {
  const Learned& learned;
  const Estimates& estimates;
  const Schema& schema;
  feature::FeatureNames names{schema};

  const Layout& layout() const { return learned.layout; }
  double table(Index cell, Index k) const { return estimates.table[at(cell * layout().classes + k)]; }
  std::string name(Index column) const { return names[column]; }
  std::string level_name(const Factor& factor, Index v) const {
    return recta::naive_bayes::level_name(factor, v, names);
  }
  std::vector<std::string> heading(std::vector<std::string> first) const {
    first.insert(first.end(), schema.classes.labels.begin(), schema.classes.labels.end());
    return first;
  }

  Report::Table likelihoods() const {
    Report::Table out{"likelihoods", "Likelihoods", {"column", "likelihood"}, {}};
    for (const Factor& factor : layout().factors) {
      const std::string kind(recta::naive_bayes::name(factor.kind));
      const std::string first = name(factor.first);
      if (factor.kind == Likelihood::categorical) {
        const std::string column = factor.levels.empty() ? names.column_of(factor.first) : first;
        out.rows.push_back({column, fmt::format("{}, {} levels", kind, factor.cells())});
      } else if (factor.count > 20) {
        out.rows.push_back({fmt::format("{} to {}", first, name(factor.first + factor.count - 1)),
                            fmt::format("{}, {} columns", kind, factor.count)});
      } else {
        for (Index j = 0; j < factor.count; ++j) out.rows.push_back({name(factor.first + j), kind});
      }
    }
    return out;
  }
  Report::Table priors() const {
    Report::Table out{"classes", "Classes", {"class", "prior", "weight"}, {}};
    for (Index k = 0; k < layout().classes; ++k)
      out.rows.push_back({schema.classes.labels[at(k)], learned.prior[at(k)], learned.counts.weight[at(k)]});
    return out;
  }
  Report::Table gaussian() const {
    Report::Table out{"gaussian", "Mean and standard deviation given the class", heading({"column", "of"}), {}};
    for (const Factor& factor : layout().factors) {
      if (factor.kind != Likelihood::gaussian) continue;
      for (Index j = 0; j < factor.count; ++j) {
        std::vector<Report::Cell> mean{name(factor.first + j), "mean"}, deviation{name(factor.first + j), "sd"};
        for (Index k = 0; k < layout().classes; ++k) {
          mean.emplace_back(table(factor.cell + factor.count + j, k));
          const double half = table(factor.cell + 2 * factor.count + j, k);
          deviation.emplace_back(half > 0 ? std::sqrt(0.5 / half) : 0);
        }
        out.rows.push_back(std::move(mean));
        out.rows.push_back(std::move(deviation));
      }
    }
    return out;
  }
  // One row per level, word or column above its threshold; of complement its weights.
  Report::Table discrete() const {
    const bool weights = layout().has(Likelihood::complement);
    Report::Table out{weights ? "weights" : "probabilities",
                      weights ? "Weights of the classes" : "Probabilities given the class",
                      heading({"feature"}),
                      {}};
    for (const Factor& factor : layout().factors) {
      if (factor.kind == Likelihood::gaussian) continue;
      const bool bernoulli = factor.kind == Likelihood::bernoulli;
      for (Index c = bernoulli ? factor.count : 0; c < factor.cells(); ++c) {
        std::vector<Report::Cell> row{bernoulli ? name(factor.first + c - factor.count) : level_name(factor, c)};
        for (Index k = 0; k < layout().classes; ++k)
          row.emplace_back(weights ? table(factor.cell + c, k) : std::exp(table(factor.cell + c, k)));
        out.rows.push_back(std::move(row));
      }
    }
    return out;
  }

  // The estimates of class k by the name of the column or word: a probability, one for each level, or mean and standard
  // deviation.
  std::vector<Report::Field> features_of(Index k) const {
    std::vector<Report::Field> out;
    out.reserve(at(layout().columns));
    for (const Factor& factor : layout().factors) {
      const auto value = [&](Index c) {
        const double own = table(factor.cell + c, k);
        return factor.kind == Likelihood::complement ? own : std::exp(own);
      };
      if (factor.kind == Likelihood::categorical) {
        std::vector<Report::Field> levels;
        const std::string column = factor.levels.empty() ? names.column_of(factor.first) : name(factor.first);
        for (Index c = 0; c < factor.cells(); ++c)
          levels.push_back({level_name(factor, c).substr(column.size() + 1), value(c)});
        out.push_back({column, std::move(levels)});
        continue;
      }
      for (Index j = 0; j < factor.count; ++j) {
        if (factor.kind != Likelihood::gaussian) {
          out.push_back({name(factor.first + j), value(factor.kind == Likelihood::bernoulli ? factor.count + j : j)});
          continue;
        }
        const double half = table(factor.cell + 2 * factor.count + j, k);
        out.push_back(
            {name(factor.first + j), std::vector<Report::Field>{{"mean", table(factor.cell + factor.count + j, k)},
                                                                {"sd", half > 0 ? std::sqrt(0.5 / half) : 0}}});
      }
    }
    return out;
  }
  std::vector<Report::Field> by_class() const {
    std::vector<Report::Field> out;
    for (Index k = 0; k < layout().classes; ++k) {
      std::vector<Report::Field> group;
      group.push_back({"prior", learned.prior[at(k)]});
      group.push_back({"features", features_of(k)});
      out.push_back({schema.classes.labels[at(k)], std::move(group)});
    }
    return out;
  }

  Report::Table informative() const;
  void remark(Report& report) const;
  void remark_on_variances(Report& report) const;
};

Report::Table Teller::informative() const {
  Report::Table out{"informative", "Most informative features of each class", {"class", "feature", "log-odds"}, {}};
  for (InformativeFeature& feature : informative_features(learned, estimates, names, kMostInformative))
    out.rows.push_back({schema.classes.labels[at(feature.k)], std::move(feature.name), feature.log_odds});
  return out;
}

// Decisions that the data did not make.
void Teller::remark_on_variances(Report& report) const {
  const Counts all = pooled(layout(), learned.counts);
  const std::vector<double> added = added_variances(layout(), all, learned.smoothing);
  for (const Factor& factor : layout().factors) {
    if (factor.kind != Likelihood::gaussian) continue;
    for (Index j = 0; j < factor.count; ++j) {
      const std::string column = name(factor.first + j);
      if (!(moments_of(factor, j, all.cells.data()).scatter > 0)) {
        report.remarks.push_back({"column.constant", {{"column", column}}});
        continue;
      }
      for (Index k = 0; k < layout().classes; ++k) {
        const std::string& label = schema.classes.labels[at(k)];
        const Moments own = moments_of(factor, j, learned.counts.of_class(layout(), k));
        if (!(own.weight > 0))
          report.remarks.push_back({"naive-bayes.missing", {{"column", column}, {"class", label}}});
        else if (!(own.scatter > 0))
          report.remarks.push_back({"naive-bayes.constant",
                                    {{"column", column}, {"class", label}, {"variance", added[at(factor.first + j)]}}});
      }
    }
  }
}

void Teller::remark(Report& report) const {
  if (layout().has(Likelihood::gaussian)) remark_on_variances(report);
  report.remarks.push_back({"naive-bayes.naive"});
}

} // namespace

Report NaiveBayesBody::report(const Schema& schema) const {
  const Teller teller{*learned_, scorer_->estimates(), schema};
  const Layout& layout = learned_->layout;
  Report out;
  const Parameters free = parameters(layout);
  out.figures.push_back({"free_parameters", "free parameters", free.naive});
  if (!std::isnan(free.joint))
    out.figures.push_back({"joint_parameters", "free parameters of a full joint distribution", free.joint});
  out.tables.push_back(teller.likelihoods());
  out.tables.push_back(teller.priors());
  if (layout.cells > kLongestTable) {
    const bool fields = layout.cells * layout.classes <= kMostFields;
    out.remarks.push_back({fields ? "naive-bayes.long" : "naive-bayes.very_long", {{"estimates", layout.cells}}});
  } else {
    if (layout.has(Likelihood::gaussian)) out.tables.push_back(teller.gaussian());
    auto discrete = teller.discrete();
    if (!discrete.rows.empty()) out.tables.push_back(std::move(discrete));
  }
  if (layout.cells * layout.classes <= kMostFields) out.by_class = teller.by_class();
  auto informative = teller.informative();
  if (!informative.rows.empty()) out.tables.push_back(std::move(informative));
  teller.remark(out);
  return out;
}

} // namespace recta::naive_bayes
