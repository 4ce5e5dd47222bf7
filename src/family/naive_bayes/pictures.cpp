#include "family/naive_bayes/pictures.hpp"

#include "base/numbers.hpp"
#include "family/converted.hpp"
#include "family/naive_bayes/informative.hpp"
#include "feature/schema.hpp"
#include "plot/densities.hpp"
#include "plot/pixel_grids.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

// Variances of the columns; covariances are zero, which is what "naive" means.
Result<plot::Picture> densities(const NaiveBayesBody& body, const Model& model, const Dataset& data) {
  if (auto good = plot::check_density_columns(model); !good) return std::unexpected(good.error());
  const Learned& learned = body.learned();
  const Layout& layout = learned.layout;
  const std::vector<double>& table = body.scorer().estimates().table;
  std::vector<plot::ClassDensity> classes(at(layout.classes));
  const auto p = at(layout.columns);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    classes[k] = {learned.prior[k], std::vector<double>(p), std::vector<double>(p * p)};
    for (const Factor& factor : layout.factors) {
      if (factor.kind != Likelihood::gaussian)
        return fail(ErrorCode::usage, "densities", fmt::format("a column is {}, and has no density", name(factor.kind)),
                    "fit it with --likelihood gaussian, or draw regions");
      for (Index j = 0; j < factor.count; ++j) {
        const auto at_cell = [&](Index part) {
          return table[at((factor.cell + part * factor.count + j) * layout.classes) + k];
        };
        const auto column = at(factor.first + j);
        classes[k].mean[column] = at_cell(1);
        classes[k].covariance[column * p + column] = at_cell(2) > 0 ? 0.5 / at_cell(2) : 0;
      }
    }
  }
  return plot::density_picture(model, data, classes);
}

constexpr std::size_t kWords = 30; // over all classes

// One line from zero per word, class after class from the top.
Result<plot::Picture> words(const NaiveBayesBody& body, const Model& model) {
  const auto& labels = model.schema.classes.labels;
  const std::size_t per_class = std::clamp<std::size_t>(kWords / labels.size(), 1, 12);
  const auto features =
      informative_features(body.learned(), body.scorer().estimates(), feature::FeatureNames(model.schema), per_class);
  if (features.empty())
    return fail(ErrorCode::usage, "words", "no column has words or categories whose probabilities differ by class",
                "draw densities or pixels of columns of numbers");
  plot::Picture picture{
      .title = fmt::format("Words of each {}", model.schema.targets.at(0)),
      .subtitle = fmt::format("{}, the most informative of {} features", model.word, body.learned().layout.columns)};
  picture.x = {.label = labels.size() == 2 ? "log-odds: log of P(word | class) / P(word | the other class)"
                                           : "log-odds: log of P(word | class), less its mean over the classes",
               .low = 0};
  double most = 1; // a word that only one class can have is drawn beyond all others
  for (const InformativeFeature& feature : features)
    if (std::isfinite(feature.log_odds)) most = std::max(most, feature.log_odds);
  picture.y = {.low = -0.7, .high = static_cast<double>(features.size()) - 0.3};
  picture.y.names.resize(features.size());
  std::vector<bool> in_legend(labels.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::size_t place = features.size() - 1 - i;
    picture.y.names[place] = features[i].name;
    const auto k = at(features[i].k);
    const auto height = static_cast<double>(place);
    picture.layers.emplace_back(
        plot::Line{.x = {0, std::min(features[i].log_odds, 1.1 * most)},
                   .y = {height, height},
                   .label = in_legend[k] ? "" : fmt::format("{} {}", model.schema.targets.at(0), labels[k]),
                   .colour = static_cast<int>(k)});
    picture.layers.emplace_back(
        plot::Points{.x = {std::min(features[i].log_odds, 1.1 * most)}, .y = {height}, .colour = static_cast<int>(k)});
    in_legend[k] = true;
  }
  picture.height = 150 + 20 * static_cast<double>(features.size());
  return picture;
}

// The expected value of a column in one class: the mean, the probability of a one, or the mean of the levels.
double expectation(const Factor& factor, Index j, const auto& estimate) {
  switch (factor.kind) {
  case Likelihood::gaussian:
    return estimate(factor.cell + factor.count + j);
  case Likelihood::bernoulli:
    return std::exp(estimate(factor.cell + factor.count + j));
  case Likelihood::categorical: {
    double mean = 0;
    for (std::size_t v = 0; v < factor.levels.size(); ++v)
      mean += factor.levels[v] * std::exp(estimate(factor.cell + static_cast<Index>(v)));
    return mean;
  }
  default:
    return std::exp(estimate(factor.cell + j));
  }
}

Result<plot::Picture> pixels(const NaiveBayesBody& body, const Model& model) {
  const Layout& layout = body.learned().layout;
  const std::vector<double>& table = body.scorer().estimates().table;
  std::vector<double> expected(at(layout.classes * layout.columns));
  if (layout.has(Likelihood::complement))
    return fail(ErrorCode::usage, "pixels", "complement has weights, and expects nothing", "fit another likelihood");
  for (Index k = 0; k < layout.classes; ++k)
    for (const Factor& factor : layout.factors)
      for (Index j = 0; j < factor.count; ++j)
        expected[at(k * layout.columns + factor.first + j)] =
            expectation(factor, j, [&](Index cell) { return table[at(cell * layout.classes + k)]; });
  return plot::pixel_picture(model, expected);
}

} // namespace

std::vector<plot::PictureInfo> pictures() {
  return {plot::densities_info(),
          {"words", "the words or categories that say the most about each class, with their log-odds"},
          plot::pixels_info()};
}

Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) {
  const auto* body = dynamic_cast<const NaiveBayesBody*>(model.body.get());
  if (!body) return converted_drawing(model.word);
  if (kind == "words") return words(*body, model);
  return kind == "pixels" ? pixels(*body, model) : densities(*body, model, data);
}

} // namespace recta::naive_bayes
