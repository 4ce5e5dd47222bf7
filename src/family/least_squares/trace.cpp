// trace(): a descent with its steps on record; and descents over rows that come once.
#include "family/least_squares/steps.hpp"
#include "params/params.hpp"
#include "solver/gradient_descent/squares_descent.hpp"
#include "summary/descent.hpp"
#include "summary/objective.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

// Checks for everything that cannot be made up for once the rows are gone.
Result<void> check_arriving(const Request& request, const DescentSettings& s, const Rows& rows) {
  const auto refuse = [&](std::string_view what, std::string_view advice) {
    return fail(ErrorCode::usage, rows.name, what, advice);
  };
  if (!(s.rate > 0)) return refuse("a safe rate is known only after the rows have been read once", "give --rate");
  if (s.every_row() || s.batch != 1 || s.method != DescentMethod::plain)
    return refuse("rows that can be read only once are learned from one at a time", "choose --solver sgd, or a file");
  if (s.order != RowOrder::cyclic) return refuse("rows that arrive have an order already", "choose --order cyclic");
  if (s.passes > 1 && !std::isnan(number(request.params, "passes")))
    return refuse("it can be read only once", "leave out --passes, or give the data as a file");
  if (s.move > 0 || s.gradient > 0)
    return refuse("rows that arrive are all learned from", "leave out --stop-move and --stop-gradient, or use a file");
  if (request.options->standardise)
    return refuse("means and deviations are known only after the rows have been read", "leave out --standardise");
  if (request.params.contains("lambda") && std::isnan(number(request.params, "lambda")) &&
      std::isnan(number(request.params, "lambda2")))
    return refuse("how strong tau is depends on the number of rows, which is not known yet", "give --lambda");
  if (rows.source.cols() > kGramCols)
    return refuse("there are too many columns to prove anything about rows that come once", "give a file");
  return {};
}

// A descent by single rows as they arrive, from what can be read only once: the first pass is the search.
class ArrivingSteps final : public LinearSteps {
  bool reads_first() const override { return false; }
  bool takes_statistics() const override { return false; }

  Result<Posed> pose(Work& work) const override {
    const Request& request = work.request;
    const Rows& rows = work.rows;
    if (work.options().condition_high > 0)
      return fail(ErrorCode::usage, rows.name, "the condition number is known only after the rows have been read",
                  "give --lambda, or a file");
    auto posed = recta::pose(request, rows, 1, nullptr);
    if (!posed) return posed;
    const DescentSettings& descent = posed->problem.descent;
    if (auto good = check_arriving(request, descent, rows); !good) return std::unexpected(good.error());
    const Index p = rows.source.cols(), start_size = std::ssize(descent.given);
    if (descent.start == StartKind::given && start_size != p && start_size != p + (work.options().intercept ? 1 : 0))
      return fail(ErrorCode::usage, "start", fmt::format("it has {} numbers, the model {} weights", start_size, p),
                  "give one number per weight, and after them the intercept if you like");
    return posed;
  }

  Result<LinearClaim> solve(Work& work, const Posed& posed) const override {
    RowSource& source = work.rows.source;
    ArrivingRows arriving(source, posed.problem);
    const Rows heard{arriving, work.rows.name, work.rows.sparse, true};
    auto seen =
        first_pass(heard, work.schema(), gram_precision({}, source.cols(), source.targets()), work.pool, work.watch());
    if (!seen) return std::unexpected(seen.error());
    work.seen = *std::move(seen);
    if (auto good = check_rows(work.seen, work.schema(), work.rows); !good) return std::unexpected(good.error());
    return concluded(work, posed, arriving.answer(work.seen.gram, work.pool));
  }
};

} // namespace

const Procedure& linear_procedure() {
  static const LinearSteps steps;
  return steps;
}

const Procedure& linear_procedure(const Request& request, const Rows& rows) {
  static const ArrivingSteps arriving;
  return rows.single_pass && descends(request.params) ? arriving : linear_procedure();
}

Result<Trace> trace_linear(const Request& request, const Schema& schema, const Rows& rows, Index every,
                           const Clock& clock) {
  if (auto good = check_trace(request, rows, every); !good) return std::unexpected(good.error());
  Pool pool(request.options->threads);
  const Watch watch = clock.watch();
  const Index p = rows.source.cols();
  auto pass = first_pass(
      rows, schema, p <= 1000 ? std::optional(gram_precision(rows.source.rows(), p, 1)) : std::nullopt, pool, watch);
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  auto posed = pose(request, rows, pass->fingerprint.weight, pass->gram, true);
  if (!posed) return std::unexpected(posed.error());
  auto descent = SquaresDescent::prepare(posed->problem, rows.source, pool, watch);
  if (!descent) return std::unexpected(descent.error());
  auto outcome = (*descent)->run(0, every, pool, watch);
  if (!outcome) return std::unexpected(outcome.error());
  if (outcome->interrupted) outcome->stop = clock.stop_reason();
  const std::string objective =
      objective_text({.intercept = request.options->intercept,
                      .offset = !schema.offset.empty(),
                      .penalty = request.params.contains("lambda") ? Penalty::squares : Penalty::none,
                      .standardise = request.options->standardise});
  return trace_of(request, schema, objective, *std::move(outcome));
}

} // namespace recta
