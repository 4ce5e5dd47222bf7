#include "foreign/scores.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "kernel/expansion.hpp"
#include "kernel/points.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::foreign {
namespace {

// <w, x> + b of liblinear; |w|^2 has the weight of the bias in it, as its penalty has.
Scores linear_scores(const std::vector<TheirPart>& parts, const NumberedRows& rows) {
  Scores out;
  for (Index i = 0; i < rows.count(); ++i)
    for (const TheirPart& part : parts) {
      CompensatedSum sum;
      double size = std::abs(part.b);
      for (Index s = rows.start[at(i)]; s < rows.start[at(i) + 1]; ++s) {
        const std::size_t j = at(rows.index[at(s)] + rows.base - 1);
        if (j >= part.w.size()) continue;
        sum.add_product(part.w[j], rows.value[at(s)]);
        size += std::abs(part.w[j] * rows.value[at(s)]);
      }
      sum.add(part.b);
      out.f.push_back(sum.value()), out.error.push_back(4 * kUnit * size);
    }
  for (const TheirPart& part : parts) {
    CompensatedSum sum;
    for (const double w : part.w) sum.add_product(w, w);
    sum.add_product(part.w_bias, part.w_bias);
    out.squared.push_back(sum.value()), out.squared_error.push_back(4 * kUnit * sum.value());
  }
  return out;
}

// The values of the rows of a view with all support vectors, a few rows at a time.
template <class Use>
void each_row(const SparseView& view, const kernel::Points& points, const kernel::Kernel& kernel, Pool& pool,
              const Use& use) {
  constexpr Index kTile = 256;
  std::vector<double> values(at(kTile * points.count()));
  for (Index from = 0; from < view.rows; from += kTile) {
    const Index held = std::min(kTile, view.rows - from);
    kernel::Queries queries;
    for (Index q = 0; q < held; ++q) points.ask(view, from + q, queries);
    points.values(kernel, queries, values.data(), points.count(), &pool);
    for (Index q = 0; q < held; ++q)
      use(from + q, values.data() + q * points.count(), points.error(kernel, queries, q));
  }
}

kernel::Expansion score(const TheirPart& part, const double* values, double error, std::vector<double>& some) {
  double size = 0;
  some.clear();
  for (std::size_t s = 0; s < part.support.size(); ++s)
    some.push_back(values[part.support[s]]), size += std::abs(part.beta[s]);
  kernel::Expansion out = kernel::expansion(part.beta, some.data());
  out.error += size * error;
  return out;
}

void add_squared(const std::vector<TheirPart>& parts, const auto& value_of, Scores& out) {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    CompensatedSum sum;
    double error = 0;
    for (std::size_t s = 0; s < parts[p].support.size(); ++s) {
      const kernel::Expansion f = value_of(p, parts[p].support[s]);
      sum.add_product(parts[p].beta[s], f.value);
      error += std::abs(parts[p].beta[s]) * (f.error + 2 * kUnit * std::abs(f.value));
    }
    out.squared.push_back(sum.value()), out.squared_error.push_back(error);
  }
}

// k(x, x_s) stands in x, as the feature whose number is that of the row x_s in training.
Result<Scores> precomputed_scores(const ForeignModel& model, const std::vector<TheirPart>& parts,
                                  const NumberedRows& rows) {
  Scores out;
  if (model.last_feature() > rows.count())
    return fail(ErrorCode::bad_data, rows.source,
                fmt::format("row {} is a support vector, and there are {} rows", model.last_feature(), rows.count()),
                "give the rows that the model was trained on, in their order");
  std::vector<double> values(at(model.vectors())), some;
  std::vector<kernel::Expansion> scores;
  for (Index i = 0; i < rows.count(); ++i) {
    for (Index k = 0; k < model.vectors(); ++k) values[at(k)] = rows.number(i, static_cast<Index>(model.value[at(k)]));
    for (const TheirPart& part : parts) {
      scores.push_back(score(part, values.data(), 0, some));
      out.f.push_back(scores.back().value + part.b);
      out.error.push_back(scores.back().error + 2 * kUnit * std::abs(out.f.back()));
    }
  }
  add_squared(
      parts,
      [&](std::size_t p, Index k) {
        return scores[(at(static_cast<Index>(model.value[at(k)])) - 1) * parts.size() + p];
      },
      out);
  return out;
}

} // namespace

Result<Scores> scores_of(const ForeignModel& model, const std::vector<TheirPart>& parts, const NumberedRows& rows,
                         int threads) {
  if (model.program == "liblinear") return linear_scores(parts, rows);
  if (model.kernel == "precomputed") return precomputed_scores(model, parts, rows);
  const auto kernel =
      kernel::make_kernel({model.kernel, std::isnan(model.gamma) ? 1 : model.gamma, model.coef, model.degree});
  Pool pool(threads);
  NumberedRows vectors; // as rows of the same columns
  vectors.base = rows.base, vectors.cols = rows.cols;
  vectors.start = model.start, vectors.value = model.value;
  for (const Index number : model.index) vectors.index.push_back(number - rows.base);
  const SparseView vector_view = vectors.view();
  kernel::Points points(rows.cols, 3 * std::ssize(rows.index) < rows.count() * rows.cols);
  for (Index k = 0; k < model.vectors(); ++k) points.add(vector_view, k);
  Scores out;
  out.f.resize(at(rows.count()) * parts.size()), out.error.resize(out.f.size());
  std::vector<double> some;
  each_row(rows.view(), points, *kernel, pool, [&](Index i, const double* values, double error) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const kernel::Expansion f = score(parts[p], values, error, some);
      const std::size_t to = at(i) * parts.size() + p;
      out.f[to] = f.value + parts[p].b;
      out.error[to] = f.error + 2 * kUnit * std::abs(out.f[to]);
    }
  });
  std::vector<kernel::Expansion> mutual(at(model.vectors()) * parts.size());
  each_row(vector_view, points, *kernel, pool, [&](Index k, const double* values, double error) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      mutual[at(k) * parts.size() + p] = score(parts[p], values, error, some);
  });
  add_squared(parts, [&](std::size_t p, Index k) { return mutual[at(k) * parts.size() + p]; }, out);
  return out;
}

} // namespace recta::foreign
