#include "family/discriminant/body.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "classes/largest_score.hpp"
#include "design/outcome.hpp"
#include "feature/schema.hpp"
#include "stats/row_check.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace recta::discriminant {
namespace {

// Classes whose scores rounding alone can tell apart from the best one are as good.
void level_near_scores(double* s, Index classes, Index terms) {
  const double most = largest_score(s, classes);
  const double near = 2 * static_cast<double>(terms + 8) * kUnit * std::abs(most);
  for (Index k = 0; k < classes; ++k) s[k] = most - s[k] <= near ? most : s[k];
}

std::vector<Scorer> scorers_of(const std::vector<double>& w, const std::vector<double>& b) {
  std::vector<Scorer> out;
  const auto p = static_cast<Index>(b.empty() ? 0 : w.size() / b.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    const auto begin = w.begin() + static_cast<Index>(k) * p;
    out.push_back({.w = {begin, begin + p}, .b = b[k]});
  }
  return out;
}

} // namespace

std::vector<double> Learned::centre() const {
  std::vector<double> out(at(columns));
  for (std::size_t k = 0; k < prior.size(); ++k)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += prior[k] * (mean[k * out.size() + j] - mean[j]);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += mean[j]; // about the first class: offsets cost no digits
  return out;
}

DiscriminantBody::DiscriminantBody(FitSummary summary, Learned learned, std::vector<std::string> names)
    : summary_(std::move(summary)), learned_(std::make_shared<const Learned>(std::move(learned))),
      names_(std::make_shared<const std::vector<std::string>>(std::move(names))) {
  if (learned_->shape.quadratic)
    make_panels();
  else
    make_predictors();
}

void DiscriminantBody::make_predictors() {
  const auto name = [names = names_](Index j) { return (*names)[at(j)]; };
  const std::vector<Scorer> scorers = scorers_of(learned_->w, learned_->b);
  numbers_ = std::make_shared<const LinearPredictor>(scorers, name, ScoresOf::numbers);
  classes_ = std::make_shared<const LinearPredictor>(scorers, name, ScoresOf::classes);
  std::vector<double> b(learned_->ratio.size());
  const std::vector<double> centre = learned_->centre();
  for (std::size_t c = 0; c < b.size(); ++c)
    for (std::size_t j = 0; j < centre.size(); ++j) b[c] -= learned_->direction[c * centre.size() + j] * centre[j];
  projection_ = std::make_shared<const LinearPredictor>(scorers_of(learned_->direction, b), name, ScoresOf::numbers);
}

void DiscriminantBody::make_panels() {
  const Index p = learned_->columns;
  std::vector<double> panels;
  for (Index k = 0; k < learned_->classes; ++k)
    for (Index first = 0; first < p; first += simd::kLanes)
      for (Index i = 0; i < std::min(first + simd::kLanes, p); ++i)
        for (Index c = first; c < first + simd::kLanes; ++c)
          panels.push_back(c < p ? learned_->t[at((k * p + c) * p + i)] : 0);
  panels_ = std::make_shared<const std::vector<double>>(std::move(panels));
}

// -|T'(x - m)|^2 / 2 - log det S / 2 + log P(k). Every row by itself, whatever the rows around it.
void DiscriminantBody::quadratic(const Batch& rows, double* out) const {
  const Index p = learned_->columns, classes = learned_->classes;
  constexpr Index kRows = 32; // of a hundred columns, they stay in the nearest cache with a panel
  const auto* dense = std::get_if<MatrixView>(&rows.x);
  std::vector<double> x(dense ? 0 : at(kRows * p)), apart(at(std::min(kRows, rows.rows()) * p));
  std::array<double, kRows * simd::kLanes> z;
  std::array<double, kRows> square;
  for (Index first = 0; first < rows.rows(); first += kRows) {
    const Index n = std::min(kRows, rows.rows() - first);
    MatrixView some = MatrixView::row_major(x.data(), n, p);
    if (dense) {
      some = rows_of(*dense, first, n);
    } else {
      std::ranges::fill(x, 0.0);
      for (Index i = 0; i < n; ++i) {
        const SparseRow row = sparse_row(std::get<SparseView>(rows.x), first + i);
        for (Index s = 0; s < row.count; ++s) x[at(i * p + row.column(s))] = row.value[s];
      }
    }
    const double* panel = panels_->data();
    for (Index k = 0; k < classes; ++k) {
      simd::kernels().centred_copy(some, learned_->mean.data() + k * p, nullptr, apart.data(), p, 1);
      square.fill(0);
      for (Index c = 0; c < p; c += simd::kLanes) {
        const Index used = std::min(c + simd::kLanes, p);
        simd::kernels().panel_products({apart.data(), n, used, p}, panel, {z.data(), simd::kLanes});
        panel += used * simd::kLanes;
        for (Index i = 0; i < n; ++i)
          for (Index l = 0; l < simd::kLanes; ++l)
            square[at(i)] += z[at(i * simd::kLanes + l)] * z[at(i * simd::kLanes + l)];
      }
      const double level = std::log(learned_->prior[at(k)]) - learned_->log_determinant[at(k)] / 2;
      for (Index i = 0; i < n; ++i) out[(first + i) * classes + k] = level - square[at(i)] / 2;
    }
  }
}

Result<void> DiscriminantBody::score(const Batch& rows, ScoresOf of, double* out) const {
  if (!learned_->shape.quadratic) return (of == ScoresOf::classes ? classes_ : numbers_)->predict(rows, out);
  if (auto good = check_numbers({rows.x, {}, rows.weight, {}, rows.first_row},
                                {.feature = [this](Index j) { return (*names_)[at(j)]; }});
      !good)
    return good;
  quadratic(rows, out);
  for (Index i = 0; i < rows.rows(); ++i) {
    double* s = out + i * learned_->classes;
    if (!rows.weight.empty() && !(rows.weight[at(i)] > 0))
      std::fill_n(s, learned_->classes, kNaN);
    else if (of == ScoresOf::classes)
      level_near_scores(s, learned_->classes, learned_->columns);
  }
  return {};
}

std::vector<std::string> DiscriminantBody::coordinates() const {
  std::vector<std::string> out;
  for (std::size_t c = 1; c <= learned_->ratio.size(); ++c) out.push_back("LD" + std::to_string(c));
  return out;
}

Result<void> DiscriminantBody::transform(const Batch& rows, double* out) const {
  if (learned_->ratio.empty()) return Body::transform(rows, out);
  return projection_->predict(rows, out);
}

} // namespace recta::discriminant
