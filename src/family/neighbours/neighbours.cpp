#include "family/neighbours/neighbours.hpp"

#include "certificate/stated/contradict.hpp"
#include "family/neighbours/memory.hpp"
#include "params/params.hpp"

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
    return fail(ErrorCode::bad_data, source.name, fmt::format("k = {}, but the rows fill only {} places", k, places),
                "take a smaller k");
  const double heaviest = rows.weight.empty() ? 1 : *std::ranges::max_element(rows.weight);
  if (most > places - heaviest)
    return fail(
        ErrorCode::bad_data, source.name,
        fmt::format("choose-k {}, but with one row left out the others fill only {} places", most, places - heaviest),
        "take a smaller one");
  return {};
}

bool cheap(const NeighbourBody& body) {
  const double n = static_cast<double>(body.rows().rows), p = static_cast<double>(body.rows().cols);
  return body.index() != IndexWord::brute ? n <= 1e5 : n * n * p <= kCheapProducts;
}

class NeighbourSteps final : public MemorySteps<NeighbourBody> {
  Result<Claim> solve(Work& work, const Params& params) const override {
    auto ready = prepare(work, params);
    if (!ready) return std::unexpected(ready.error());
    auto& [kept, settings, index, summary] = *ready;
    const double most = number(params, "choose-k");
    if (auto good = check_places(most > 0 ? 0 : settings.k, most, kept, work.rows); !good)
      return std::unexpected(good.error());
    const Index classes = work.schema().classes.count(), positive = work.schema().classes.positive;
    auto body = std::make_shared<NeighbourBody>(kept, NeighbourRule{settings, index, classes, positive}, summary);
    if (most > 0) {
      const ErrorsByK errors = body->errors_by_k(static_cast<Index>(most), work.pool);
      settings.k = static_cast<double>(errors.best());
      const auto before =
          std::exchange(body, std::make_shared<NeighbourBody>(kept, NeighbourRule{settings, index, classes, positive},
                                                              summary, errors));
      body->set_index(before->built());
    }
    if (settings.k > 0) work.request.params["k"] = settings.k;
    if (classes > 0 && cheap(*body)) body->set_classes(body->training_fit(work.pool));
    body->set_recall(recall_of(*body, work.pool));
    return body;
  }

  std::string objective(const NeighbourBody& body) const override {
    return objective_of(body.settings(), body.own_probabilities());
  }

  FitSummary figures(Work& work, const Params& params, const NeighbourBody& body) const override {
    FitSummary out = summary_again(body, params);
    if (body.own_probabilities() && cheap(body)) out.classes = body.training_fit(work.pool);
    return out;
  }

  Result<void> compare(Work& work, const Params& params, const Claim& body, Certified& judged) const override {
    if (auto good = MemorySteps::compare(work, params, body, judged); !good) return good;
    const double most = number(params, "choose-k");
    if (body->stated_errors() != (most > 0 ? body->errors_by_k(static_cast<Index>(most), work.pool) : ErrorsByK{}))
      contradict(judged.certificate, "the rows give other errors for the numbers of neighbours than the file");
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const NeighbourSteps steps;
  return steps;
}

} // namespace recta::neighbours
