#include "family/neighbours/neighbours.hpp"

#include "family/figures.hpp"
#include "family/neighbours/memory.hpp"
#include "family/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace recta::neighbours {
namespace {

// The training error is measured if that takes about a second at most: so many products of coordinates.
constexpr double kCheapProducts = 4e9;

Result<void> check_places(double k, double most, const TrainingRows& rows, const Rows& source) {
  const double places = total_weight(rows);
  if (k > places)
    return fail(ErrorCode::bad_data, source.name, fmt::format("k = {}, and the rows fill {} places", k, places),
                "take a smaller k");
  const double heaviest = rows.weight.empty() ? 1 : *std::ranges::max_element(rows.weight);
  if (most > places - heaviest)
    return fail(
        ErrorCode::bad_data, source.name,
        fmt::format("choose-k {}, and with one row left out the others fill {} places", most, places - heaviest),
        "take a smaller one");
  return {};
}

bool cheap(const NeighbourBody& body) {
  const double n = static_cast<double>(body.rows().rows), p = static_cast<double>(body.rows().cols);
  return body.index() != IndexWord::brute ? n <= 1e5 : n * n * p <= kCheapProducts;
}

} // namespace

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  auto ready = prepare(request, request.params, schema, rows, pool, clock);
  if (!ready) return std::unexpected(ready.error());
  auto& [kept, settings, choice, fingerprint, summary] = *ready;
  const double most = number(request.params, "choose-k");
  if (auto good = check_places(most > 0 ? 0 : settings.k, most, kept, rows); !good)
    return std::unexpected(good.error());
  const Index classes = schema.classes.count(), positive = schema.classes.positive;
  auto body = std::make_shared<NeighbourBody>(kept, settings, choice.word, classes, positive, summary);
  if (most > 0) {
    const ErrorsByK errors = body->errors_by_k(static_cast<Index>(most), pool);
    settings.k = static_cast<double>(errors.best());
    const auto before = std::exchange(
        body, std::make_shared<NeighbourBody>(kept, settings, choice.word, classes, positive, summary, errors));
    body->set_index(before->built());
  }
  if (classes > 0 && cheap(*body)) body->set_classes(body->training_fit(pool));
  body->set_recall(recall_of(*body, pool));
  auto certificate = prove_memory(*body, schema.classes, rows.source, pool);
  if (!certificate) return std::unexpected(certificate.error());
  Model model = begin_model(request, fingerprint);
  drop_idle(model.params, settings, choice.word);
  model.params["k"] = settings.k > 0 ? settings.k : number(request.params, "k");
  model.objective = objective_of(settings, classes > 0);
  model.certificate = *std::move(certificate);
  model.certificate.passes = 3;
  model.certificate.tolerance = request.options->tolerance;
  model.schema = std::move(schema);
  model.body = std::move(body);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const auto& body = dynamic_cast<const NeighbourBody&>(*model.body);
  if (auto good = recognise_rows(body, model, rows, pool, clock); !good) return std::unexpected(good.error());
  auto certificate = prove_memory(body, model.schema.classes, rows.source, pool);
  if (!certificate) return certificate;
  certificate->passes = 2;
  certificate->tolerance = model.certificate.tolerance;
  if (auto good = compare_memory(body, model, model.params, rows, pool, *certificate); !good)
    return std::unexpected(good.error());
  if (const FitSummary& stated = body.summary();
      stated.rows != body.rows().rows || std::fabs(stated.weight_sum - total_weight(body.rows())) > 0)
    refute(*certificate, "the rows or the sum of their weights are not those of the file");
  if (const double most = number(model.params, "choose-k");
      most > 0 && body.stated_errors() != body.errors_by_k(static_cast<Index>(most), pool))
    refute(*certificate, "the rows give other errors for the numbers of neighbours than the file");
  const double stated = body.summary().classes.accuracy;
  if (!std::isnan(stated) && cheap(body)) {
    const double found = body.training_fit(pool).accuracy;
    if (std::fabs(found - stated) > 1e-9)
      refute(*certificate, fmt::format("the training accuracy is {}, not {}", found, stated));
  }
  return certificate;
}

} // namespace recta::neighbours
