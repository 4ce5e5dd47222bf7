#include "family/naive_bayes/body.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "classes/largest_score.hpp"
#include "feature/schema.hpp"
#include "model_file/put.hpp"
#include "stats/row_check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

constexpr double kZerosCounted = 1; // the fifth setting, of bernoulli columns

// Rounding of a sum of n terms, relative to the largest: classes this near to the best one are as good.
double rounding(Index terms) {
  return 2 * static_cast<double>(terms + 8) * kUnit;
}

void level_ties(double* s, Index classes, double relative) {
  const double most = largest_score(s, classes);
  for (Index k = 0; k < classes; ++k) s[k] = most - s[k] <= relative * std::abs(most) ? most : s[k];
}

} // namespace

NaiveBayesBody::NaiveBayesBody(FitSummary summary, Learned learned, std::vector<std::string> names)
    : summary_(std::move(summary)), learned_(std::make_shared<const Learned>(std::move(learned))),
      scorer_(std::make_shared<const Scorer>(
          learned_->layout, estimate(learned_->layout, learned_->counts, learned_->smoothing, learned_->prior))),
      names_(std::move(names)) {}

std::string NaiveBayesBody::name(Index column) const {
  return at(column) < names_.size() ? names_[at(column)] : std::to_string(column + 1);
}

Result<void> NaiveBayesBody::check(const Batch& rows) const {
  if (!learned_->layout.skips_missing)
    if (auto good = check_numbers({rows.x, {}, rows.weight, {}, rows.first_row},
                                  {.feature = [this](Index j) { return name(j); }});
        !good)
      return good;
  return {};
}

Result<void> NaiveBayesBody::refuse_stranger(const Batch& rows) const {
  const Scorer::Stranger stranger = scorer_->first_stranger(rows);
  if (stranger.row < 0) return {};
  return fail(ErrorCode::bad_data,
              fmt::format("row {}, column {}", rows.first_row + stranger.row + 1, name(stranger.column)),
              fmt::format("the category {} was not seen in training", stranger.value),
              "predict or fit with --unseen zeros to let such values skip their factor");
}

Result<void> NaiveBayesBody::score(const Batch& rows, ScoresOf of, double* out) const {
  if (auto good = check(rows); !good) return good;
  if (!scorer_->joint(rows, out) && learned_->refuses_strangers)
    if (auto good = refuse_stranger(rows); !good) return good;
  const Index classes = scores();
  const double relative = rounding(std::min<Index>(features(), 1000));
  for (Index i = 0; i < rows.rows(); ++i) {
    double* s = out + i * classes;
    if (!rows.weight.empty() && !(rows.weight[at(i)] > 0))
      std::fill_n(s, classes, kNaN);
    else if (of == ScoresOf::classes)
      level_ties(s, classes, relative);
  }
  return {};
}

std::vector<std::string> names_for_messages(const Schema& schema) {
  if (schema.sparse_cols > 0) return {};
  if (schema.texts.empty() || !schema.maps.empty()) return feature::feature_names(schema);
  Schema before_texts;
  before_texts.columns = schema.columns;
  return feature::feature_names(before_texts);
}

void NaiveBayesBody::write(TensorWriter& out) const {
  const Layout& layout = learned_->layout;
  std::vector<Index> factors, level_start{0};
  std::vector<double> levels;
  for (const Factor& factor : layout.factors) {
    factors.insert(factors.end(), {static_cast<Index>(factor.kind), factor.first, factor.count});
    levels.insert(levels.end(), factor.levels.begin(), factor.levels.end());
    level_start.push_back(std::ssize(levels));
  }
  const Smoothing& smoothing = learned_->smoothing;
  const auto count = static_cast<Index>(layout.factors.size());
  out.add("naive_bayes.factors", std::span<const Index>(factors), {count, 3});
  out.add("naive_bayes.level_start", std::span<const Index>(level_start), {count + 1});
  put_vector(out, "naive_bayes.levels", levels);
  out.add("naive_bayes.counts", learned_->counts.cells, {layout.classes, layout.cells});
  put_vector(out, "naive_bayes.class_weight", learned_->counts.weight);
  put_vector(out, "naive_bayes.prior", learned_->prior);
  put_vector(out, "naive_bayes.alpha", smoothing.alpha);
  std::vector<double> settings{layout.threshold, smoothing.variance, smoothing.widest ? 1.0 : 0.0,
                               smoothing.norm ? 1.0 : 0.0};
  if (layout.has(Likelihood::bernoulli)) settings.push_back(kZerosCounted);
  put_vector(out, "naive_bayes.settings", settings);
}

namespace {

// Factors cover the columns one after the other, and their levels ascend.
Layout read_layout(FieldReader& in, const Schema& schema) {
  Layout layout;
  layout.columns = feature::feature_count(schema);
  layout.classes = schema.classes.count();
  const std::vector<Index> factors = in.counts("naive_bayes.factors"), start = in.counts("naive_bayes.level_start");
  const std::vector<double> levels =
      in.has("naive_bayes.levels") ? in.doubles("naive_bayes.levels") : std::vector<double>{};
  in.require(factors.size() % 3 == 0 && start.size() == factors.size() / 3 + 1 && !start.empty() && start[0] == 0 &&
                 start.back() == std::ssize(levels) && std::ranges::is_sorted(start),
             "the factors of naive Bayes do not fit together");
  Index next = 0;
  for (std::size_t f = 0; in.ok() && f + 1 < start.size(); ++f) {
    const Index kind = factors[3 * f], first = factors[3 * f + 1], count = factors[3 * f + 2];
    const bool good = kind <= static_cast<Index>(Likelihood::complement) && first == next && count > 0 &&
                      count <= layout.columns - next;
    in.require(good, "a factor of naive Bayes does not follow the one before it");
    if (!in.ok()) return layout;
    Factor factor{.kind = static_cast<Likelihood>(kind), .first = first, .count = count};
    factor.levels.assign(levels.begin() + start[f], levels.begin() + start[f + 1]);
    in.require(factor.levels.empty() || (factor.kind == Likelihood::categorical && count == 1),
               "a factor of naive Bayes has levels and is not categorical");
    in.require(std::ranges::adjacent_find(factor.levels, std::greater_equal{}) == factor.levels.end(),
               "the levels of a factor of naive Bayes do not ascend");
    layout.add(std::move(factor));
    next += count;
  }
  in.require(next == layout.columns, "the factors of naive Bayes do not cover the columns");
  layout.skips_missing = schema.missing == Missing::skip;
  return layout;
}

// In files that do not say that zeros are counted, the cells of a bernoulli column are the weights of what is missing
// and of ones.
void count_zeros(const Layout& layout, Counts& counts) {
  for (Index k = 0; k < layout.classes; ++k)
    for (const Factor& factor : layout.factors) {
      if (factor.kind != Likelihood::bernoulli) continue;
      double* const missing = counts.of_class(layout, k) + factor.cell;
      for (Index j = 0; j < factor.count; ++j)
        missing[j] = std::max(0.0, counts.weight[at(k)] - missing[j] - missing[factor.count + j]);
    }
}

bool none_negative(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return x >= 0; });
}

// Counts are not negative; means may be.
void check_counts(FieldReader& in, const Layout& layout, const Counts& counts) {
  in.require(counts.cells.size() == at(layout.cells * layout.classes) && counts.weight.size() == at(layout.classes) &&
                 none_negative(counts.weight),
             "the counts of naive Bayes do not have the size of its factors");
  for (Index k = 0; in.ok() && k < layout.classes; ++k)
    for (const Factor& factor : layout.factors)
      for (Index c = 0; c < factor.cells(); ++c) {
        const bool mean = factor.kind == Likelihood::gaussian && c / factor.count == 1;
        in.require(mean || counts.of_class(layout, k)[factor.cell + c] >= 0, "a count of naive Bayes is below zero");
      }
}

} // namespace

Result<std::shared_ptr<const Body>> read_body(FieldReader& in, FitSummary summary, const Schema& schema) {
  Learned learned;
  learned.layout = read_layout(in, schema);
  learned.counts.rows = summary.rows;
  learned.counts.cells = in.doubles("naive_bayes.counts");
  learned.counts.weight = in.doubles("naive_bayes.class_weight");
  learned.prior = in.doubles("naive_bayes.prior");
  learned.smoothing.alpha = in.doubles("naive_bayes.alpha");
  const std::vector<double> settings = in.doubles("naive_bayes.settings");
  const std::size_t alphas = learned.smoothing.alpha.size();
  in.require(learned.prior.size() == at(learned.layout.classes) && none_negative(learned.prior) &&
                 (settings.size() == 4 || (settings.size() == 5 && settings[4] == kZerosCounted)) &&
                 (alphas == 1 || alphas == at(learned.layout.columns)) && none_negative(learned.smoothing.alpha) &&
                 settings.at(1) >= 0,
             "the priors or the smoothing of naive Bayes are out of range");
  if (in.ok()) check_counts(in, learned.layout, learned.counts);
  if (!in.ok()) return in.error();
  if (settings.size() == 4) count_zeros(learned.layout, learned.counts);
  learned.layout.threshold = settings[0];
  learned.smoothing.variance = settings[1];
  learned.smoothing.widest = settings[2] != 0;
  learned.smoothing.norm = settings[3] != 0;
  learned.refuses_strangers = schema.unseen == Unseen::refuse;
  auto names = names_for_messages(schema);
  return std::make_shared<const NaiveBayesBody>(std::move(summary), std::move(learned), std::move(names));
}

} // namespace recta::naive_bayes
