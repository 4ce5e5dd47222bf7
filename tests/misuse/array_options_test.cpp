// What the options say of the rows is used for arrays as for tables, or refused: it is never passed over.
#include <recta/recta.hpp>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

constexpr Index kRows = 12;

// Two columns, a target of counts (or classes), and what a row may carry beside them.
struct Sample {
  std::vector<double> x, y, classes, weights, offset;
  std::vector<std::uint64_t> cluster;
  Sample() {
    for (Index i = 0; i < kRows; ++i) {
      const auto a = static_cast<double>(i * 5 % 12), b = static_cast<double>(i * i % 7);
      x.push_back(a), x.push_back(b);
      y.push_back(1 + static_cast<double>(i * 7 % 5) + a);
      classes.push_back(i * 7 % 5 > 1 ? 1 : 0);
      weights.push_back(i % 3 == 0 ? 3 : 1), offset.push_back(static_cast<double>(i % 4) / 8);
      cluster.push_back(static_cast<std::uint64_t>(i / 2));
    }
  }
  Arrays arrays(bool of_classes = false) const {
    return {.dense = MatrixView::row_major(x.data(), kRows, 2),
            .y = MatrixView::vector(of_classes ? classes.data() : y.data(), kRows)};
  }
  Dataset table(bool of_classes) const {
    Dataset out;
    out.source = "a table", out.rows = kRows;
    const auto add = [&](const char* name, const auto& value) {
      Column column;
      column.name = name;
      for (Index i = 0; i < kRows; ++i) column.values.push_back(value(static_cast<std::size_t>(i)));
      out.columns.push_back(std::move(column));
    };
    add("x1", [&](std::size_t i) { return x[2 * i]; });
    add("x2", [&](std::size_t i) { return x[2 * i + 1]; });
    add("y", [&](std::size_t i) { return of_classes ? classes[i] : y[i]; });
    add("w", [&](std::size_t i) { return weights[i]; });
    add("o", [&](std::size_t i) { return offset[i]; });
    add("g", [&](std::size_t i) { return static_cast<double>(cluster[i]); });
    return out;
  }
};

TEST(ArrayOptions, ThatNameColumnsOfATableAreRefused) {
  const Sample sample;
  const auto said = [&](const FitOptions& options) {
    const auto model = fit("linear", sample.arrays(), options);
    return model ? "no error" : model.error().text();
  };
  EXPECT_THAT(said({.weights = "w"}),
              HasSubstr("\"w\" names the weights of a table, and none came; set Arrays::weights"));
  EXPECT_THAT(said({.offset = "o"}), HasSubstr("set Arrays::offset"));
  EXPECT_THAT(said({.cluster = "firm"}), HasSubstr("set Arrays::cluster"));
  EXPECT_THAT(said({.ignore = {"x1"}}), HasSubstr("\"x1\" is to be ignored"));
  EXPECT_THAT(said({.text = {TextMap{.column = "x1"}}}), HasSubstr("\"x1\" holds documents"));
  EXPECT_THAT(said({.errors = StandardErrors::cluster}), HasSubstr("no column says which rows belong together"));
}

TEST(ArrayOptions, NameWhatComesWithTheArrays) {
  const Sample sample;
  Arrays arrays = sample.arrays();
  arrays.weights = sample.weights.data(), arrays.cluster = sample.cluster.data();
  const Model model = fit("linear", arrays, {.weights = "w", .cluster = "firm"}).value();
  EXPECT_EQ(model.schema.weights, "w");
  EXPECT_EQ(model.schema.cluster, "firm");
  EXPECT_EQ(model.linear()->errors, StandardErrors::cluster);
}

// Every word takes weights, offsets and clusters of arrays as it takes those of a table, or refuses both.
TEST(ArrayOptions, AreTakenByEveryWordAsOfATable) {
  const Sample sample;
  for (const ModelInfo& info : models()) {
    if (info.without_target) continue;
    const Dataset table = sample.table(info.classes);
    for (const std::string_view part : {"w", "o", "g"}) {
      Arrays arrays = sample.arrays(info.classes);
      FitOptions options{.target = {"y"}, .ignore = {"w", "o", "g"}};
      std::erase(options.ignore, std::string(part));
      if (part == "w") arrays.weights = sample.weights.data(), options.weights = "w";
      if (part == "o") arrays.offset = sample.offset.data(), options.offset = "o";
      if (part == "g") arrays.cluster = sample.cluster.data(), options.cluster = "g";
      const auto by_table = fit(info.word, table, options), by_arrays = fit(info.word, arrays);
      ASSERT_EQ(by_table.has_value(), by_arrays.has_value())
          << info.word << ' ' << part << ": " << (by_table ? by_arrays : by_table).error().text();
      if (!by_table || !by_table->is_linear()) continue;
      const Coefficient &a = by_table->linear()->targets[0].coefficients[0],
                        &b = by_arrays->linear()->targets[0].coefficients[0];
      EXPECT_NEAR(a.value, b.value, 1e-6 * std::max(1.0, std::abs(a.value))) << info.word << ' ' << part;
      if (!std::isnan(a.standard_error))
        EXPECT_NEAR(a.standard_error, b.standard_error, 1e-6) << info.word << ' ' << part;
    }
  }
}

} // namespace
} // namespace recta
