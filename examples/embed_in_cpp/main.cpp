// Fits arrays of the caller, not copied; reads the certificate; saves, loads and predicts.
#include <recta/recta.hpp>

#include <cstdio>

namespace {

int fail(const recta::Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 1;
}

} // namespace

int main() {
  // Six rows of two features in C order; col_major() takes Fortran order, MatrixView any strides.
  const double x[] = {1, 20, 2, 18, 3, 25, 4, 21, 5, 30, 6, 24};
  const double y[] = {3.1, 4.9, 7.2, 8.8, 11.3, 12.7};

  const auto model = recta::fit(
      "ridge",
      {.dense = recta::MatrixView::row_major(x, 6, 2), .y = recta::MatrixView::vector(y, 6), .names = {"size", "age"}},
      {.params = {{"lambda", 0.01}}});
  if (!model) return fail(model.error());

  const recta::TargetFit& fitted = model->linear()->targets[0];
  std::printf("%-12s %9.6f\n", "(intercept)", fitted.intercept.value);
  for (const recta::Coefficient& c : fitted.coefficients) std::printf("%-12s %9.6f\n", c.feature.c_str(), c.value);
  std::printf("r2 %.6f, objective %.6f\n", fitted.r2, model->certificate.objective);
  std::printf("%s\n", model->certificate.sentence().c_str());

  if (model->certificate.verdict != recta::Verdict::proved) return 4;
  if (const auto* claim = std::get_if<recta::ExactOptimum>(&model->certificate.claim))
    std::printf("distance to the optimum below 1e-20: %s\n", claim->suboptimality < 1e-20 ? "yes" : "no");

  if (const auto saved = model->save("m.recta"); !saved) return fail(saved.error());
  const auto loaded = recta::Model::load("m.recta");
  if (!loaded) return fail(loaded.error());

  const double new_rows[] = {7, 22, 8, 28};
  const auto answers = loaded->predict(recta::MatrixView::row_major(new_rows, 2, 2));
  if (!answers) return fail(answers.error());
  for (const double answer : *answers) std::printf("prediction %.6f\n", answer);

  // What goes wrong is a value that says where, what and what to do.
  const double wrong[] = {1, 2, 3};
  const auto refused = loaded->predict(recta::MatrixView::row_major(wrong, 1, 3));
  if (!refused) std::printf("refused: %s\n", refused.error().text().c_str());
}
