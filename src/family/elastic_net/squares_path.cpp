#include "family/elastic_net/squares_path.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "family/elastic_net/ridge_check.hpp"
#include "family/elastic_net/squares_figures.hpp"
#include "feature/schema.hpp"
#include "held/column_data.hpp"
#include "params/params.hpp"
#include "select/criteria.hpp"
#include "select/ridge_factor.hpp"
#include "select/ridge_path.hpp"
#include "solver/least_squares.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace recta {
namespace {

// One request, from rows to points.
class SquaresPath {
public:
  SquaresPath(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
              const Clock& clock)
      : request_(request), schema_(schema), rows_(rows), how_(how), clock_(clock), pool_(request.options->threads) {}

  Result<Path> run() {
    if (rows_.source.targets() != 1)
      return refuse(rows_.name, fmt::format("there are {} targets", rows_.source.targets()),
                    "a path has one target at a time");
    if (auto good = ridge() ? Result<void>{} : select::check_no_closed_form(request_.info->word, how_); !good)
      return std::unexpected(good.error());
    path_.word = request_.info->word;
    path_.target = schema_.targets.empty() ? "y" : schema_.targets[0];
    path_.features = feature::feature_names(schema_);
    lambdas_ = how_.lambdas;
    std::ranges::sort(lambdas_, std::greater());
    auto net = net_without_strengths();
    if (!net) return std::unexpected(net.error());
    const Watch watch = clock_.watch();
    const Listening listening(watch, "decomposing");
    const auto by_gram = from_products();
    if (!by_gram) return std::unexpected(by_gram.error());
    auto done = *by_gram ? from_statistics(*net) : from_columns(*net);
    if (!done) return std::unexpected(done.error());
    path_.rows = figures_.rows;
    for (PathPoint& point : path_.points) {
      if (!ridge()) point.degrees_of_freedom = static_cast<double>(point.nonzero);
      if (how_.folds == 0) point.cv_error = point.cv_standard_error = kNaN;
      if (!loo_) point.loo_mse = kNaN;
      figures_.finish(point, *net);
    }
    return std::move(path_);
  }

private:
  static constexpr Index kPathGramCols = 2000; // Gram matrices of a dozen folds: half a gigabyte

  bool ridge() const { return request_.info->word == "ridge"; }

  // Whether the path is made from the products of columns, gathered in one pass, rather than from the columns
  // themselves.
  Result<bool> from_products() const {
    const bool streamed = rows_.single_pass || !rows_.source.rows();
    const Index p = rows_.source.cols(), n = rows_.source.rows().value_or(p);
    const std::string solver = word(request_.params, "solver");
    if (ridge() && solver != "auto")
      return refuse("ridge", "a path of ridge is solved from one decomposition of its own", "leave out the solver");
    if (streamed && solver == "columns")
      return refuse(rows_.name, "the solver columns needs all rows in memory, and these stream past",
                    "choose the solver gram");
    const bool by_gram = streamed || solver == "gram" || (solver == "auto" && n >= p && p <= kPathGramCols);
    if (by_gram && p > kGramCols)
      return refuse(rows_.name, fmt::format("{} columns are too many for sums of their products", p),
                    "read the rows into memory and leave out the solver");
    return by_gram;
  }

  // The objective without its strengths.
  Result<NetRequest> net_without_strengths() {
    const FitOptions& options = *request_.options;
    if (ridge()) {
      NetRequest out;
      out.l1_share = path_.l1_share = 0;
      out.objective.intercept = options.intercept;
      out.objective.standardise = options.standardise;
      path_.objective = objective_text({.intercept = options.intercept,
                                        .offset = !schema_.offset.empty(),
                                        .penalty = Penalty::squares,
                                        .standardise = options.standardise});
      return out;
    }
    auto out = net_request(request_.info->word, request_.params, schema_, options.intercept, options.standardise);
    if (!out) return out;
    path_.l1_share = out->l1_share;
    path_.objective = net_objective_text(*out, request_.info->word, !schema_.offset.empty());
    return out;
  }

  Folds folds() const {
    Folds out{.count = how_.folds, .seed = how_.seed};
    if (!how_.fold_of.empty()) {
      out.kind = Folds::Kind::given;
      out.of = std::make_shared<const std::vector<std::int32_t>>(how_.fold_of);
    } else if (how_.contiguous) {
      out.kind = Folds::Kind::contiguous;
      out.rows = rows_.source.rows().value_or(0);
    }
    return out;
  }

  Result<void> check_folds(const std::function<Index(Index)>& rows_in) const {
    for (Index k = 0; k < how_.folds; ++k)
      if (rows_in(k) == 0)
        return fail(ErrorCode::bad_data, rows_.name, fmt::format("no row is in fold {}", k), "ask for fewer folds");
    return {};
  }

  Result<void> check_fold_rows() const {
    const auto n = rows_.source.rows();
    if (how_.folds == 0) return {};
    if (!n && (how_.contiguous || !how_.fold_of.empty()))
      return refuse(rows_.name, "rows that stream past are dealt into folds as they come",
                    "leave out how the folds are made, or read the rows into memory");
    if (n && !how_.fold_of.empty() && static_cast<Index>(how_.fold_of.size()) != *n)
      return refuse(rows_.name, fmt::format("{} rows and the folds of {}", *n, how_.fold_of.size()),
                    "give every row its fold");
    return {};
  }

  std::vector<double> grid(double largest, Index rows, double weight) const {
    std::vector<double> lambdas = lambdas_;
    for (double& lambda : lambdas) lambda /= how_.summed ? weight : 1;
    if (!lambdas.empty()) return lambdas;
    return select::lambda_grid(largest, ratio(rows), how_.count);
  }
  double ratio(Index rows) const {
    if (how_.ratio > 0) return how_.ratio;
    return ridge() ? 1e-10 : rows > rows_.source.cols() ? 1e-4 : 1e-3;
  }

  select::ElasticNetPathProblem problem(const NetRequest& net, Index rows) const {
    return {.objective = net.objective,
            .l1_share = net.l1_share,
            .tolerance = request_.options->tolerance,
            .lambdas = lambdas_,
            .count = how_.count,
            .ratio = ratio(rows)};
  }
  select::RidgePathProblem ridge_problem(const NetRequest& net, std::vector<double> lambdas) const {
    return {.objective = squares(net), .lambdas = std::move(lambdas), .summed = how_.summed};
  }
  static LeastSquaresObjective squares(const NetRequest& net) {
    return {
        .lambda2 = 1, .factors = {}, .intercept = net.objective.intercept, .standardise = net.objective.standardise};
  }

  // As precise as the number of rows allows; how many stream past is known only afterwards, and few are read again.
  Result<FoldGrams> gather(Precision precision) {
    const FoldGrams empty(rows_.source.cols(), 1, precision, folds());
    auto partial = reduce(rows_.source, empty, pool_, clock_.watch(), reading_rows(rows_, schema_));
    if (!partial) return std::unexpected(partial.error());
    ++path_.passes;
    FoldGrams grams = partial->total(&pool_);
    const Precision affordable = gram_precision(grams.total().rows, rows_.source.cols(), 1);
    if (precision == affordable || precision == Precision::extended || rows_.single_pass) return grams;
    if (auto again = rows_.source.rewind(); !again) return std::unexpected(again.error());
    return gather(Precision::extended);
  }

  Result<void> from_statistics(const NetRequest& net) {
    if (auto good = check_fold_rows(); !good) return good;
    const Index p = rows_.source.cols();
    auto gathered = gather(gram_precision(rows_.source.rows(), p, 1));
    if (!gathered) return std::unexpected(gathered.error());
    const FoldGrams grams = *std::move(gathered);
    FirstPass pass;
    pass.gram = std::make_shared<const Gram>(grams.total());
    const Gram& all = *pass.gram;
    pass.fingerprint.rows = all.rows;
    pass.fingerprint.weight = all.weight;
    if (auto good = check_rows(pass, schema_, rows_); !good) return good;
    if (auto good = check_folds([&](Index k) { return grams.fold[static_cast<std::size_t>(k)].rows; }); !good)
      return good;
    figures_ = SquaresFigures::of(all, net);
    if (ridge()) return ridge_from(grams, net);
    if (auto good = take(select::solve_path(problem(net, all.rows), grams, 0, pool_, clock_.watch())); !good)
      return good;
    if (!path_.stopped && all.rows > p + 1)
      figures_.sigma2 = residual_variance(select::RidgeDecomposition(all, 0, squares(net)), all, net);
    return {};
  }

  Result<void> ridge_from(const FoldGrams& grams, const NetRequest& net) {
    const Gram all = grams.total();
    const select::RidgeDecomposition whole(all, 0, squares(net));
    const auto lambdas = grid(10 * whole.largest(), all.rows, whole.weight());
    if (careful(whole, lambdas) && all.precision == Precision::standard && can_be_careful(all.rows)) {
      if (auto again = rows_.source.rewind(); !again) return again;
      const auto better = gather(Precision::extended);
      return better ? ridge_from(*better, net) : std::unexpected(better.error());
    }
    figures_ = SquaresFigures::of(all, net);
    if (auto good = take(select::ridge_path(ridge_problem(net, lambdas), grams, 0, pool_, clock_.watch())); !good)
      return good;
    if (!path_.stopped) figures_.sigma2 = residual_variance(whole, all, net);
    return finish_ridge(whole, lambdas, &all, net);
  }

  // Penalties that the decomposition does not carry.
  static bool careful(const select::RidgeDecomposition& whole, const std::vector<double>& lambdas) {
    return !std::ranges::all_of(lambdas, [&](double lambda) { return whole.carries(lambda); });
  }
  bool can_be_careful(Index rows) const {
    return !rows_.single_pass && extended_is_affordable(rows, rows_.source.cols(), 1);
  }

  Result<void> from_columns(const NetRequest& net) {
    if (auto good = check_fold_rows(); !good) return good;
    auto pass = first_pass(rows_, schema_, {}, pool_, clock_.watch());
    if (!pass) return std::unexpected(pass.error());
    if (auto good = check_rows(*pass, schema_, rows_); !good) return good;
    auto data = ColumnData::make(rows_, pool_, clock_.watch());
    if (!data) return std::unexpected(data.error());
    path_.passes = 1 + data->passes();
    const select::ColumnProblem columns{data->x(), data->y(0), data->weight()};
    const Index n = static_cast<Index>(columns.y.size());
    const auto of = how_.folds > 0 ? folds().assign(0, n) : std::vector<std::int32_t>{};
    if (auto good = check_folds([&](Index k) { return std::ranges::count(of, static_cast<std::int32_t>(k)); }); !good)
      return good;
    figures_ = SquaresFigures::of(columns, rows_.source.cols(), net);
    if (!std::isfinite(figures_.null_mse))
      return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows_.name, path_.target),
                  "the numbers are so large that their squares are not doubles", "divide the column by a power of ten");
    if (ridge()) {
      const select::RidgeDecomposition whole(columns, columns.weight, squares(net));
      const auto lambdas = grid(10 * whole.largest(), n, whole.weight());
      if (careful(whole, lambdas) && can_be_careful(n)) {
        if (auto again = rows_.source.rewind(); !again) return again;
        const auto grams = gather(Precision::extended);
        return grams ? ridge_from(*grams, net) : std::unexpected(grams.error());
      }
      auto solved = select::ridge_path(ridge_problem(net, lambdas), columns, of, how_.folds, clock_.watch());
      if (auto good = take(std::move(solved)); !good) return good;
      return finish_ridge(whole, lambdas, nullptr, net);
    }
    return take(select::solve_path(problem(net, n), columns, of, how_.folds, pool_, clock_.watch()));
  }

  Result<void> take(select::SolvedPath solved) {
    path_.lambda_max = solved.lambda_max;
    path_.points = std::move(solved.points);
    planned_ = solved.planned;
    if (solved.stopped_at) return stop(PathStop::Stage::points, *solved.stopped_at);
    if (solved.folds_stopped) return stop(PathStop::Stage::folds);
    return {};
  }

  // An error if there is no point.
  Result<void> stop(PathStop::Stage stage, double lambda = kNaN) {
    if (path_.points.empty())
      return fail(ErrorCode::interrupted, rows_.name,
                  "stopped before there was a point: " + clock_.stop_reason().text());
    path_.stopped = PathStop{clock_.stop_reason(), stage, lambda, planned_};
    return {};
  }

  // Counts the points that stand: those that the decomposition does not carry stand only if they were checked; since
  // lambda descends, they come last.
  Result<void> check_points(const select::RidgeDecomposition& whole, const LeastSquaresObjective& objective,
                            const Gram* all, std::size_t& done) {
    const auto carried = [&](const PathPoint& point) { return whole.carries(point.lambda); };
    if (path_.stopped) {
      done = static_cast<std::size_t>(std::ranges::count_if(path_.points, carried));
      return {};
    }
    try {
      auto good = RidgeCheck(request_, rows_, pool_, clock_).check(whole, objective, all, path_, done);
      return good || good.error().code == ErrorCode::interrupted ? Result<void>{} : good;
    } catch (const Interrupted&) {
      return {};
    }
  }

  Result<void> finish_ridge(const select::RidgeDecomposition& whole, const std::vector<double>& lambdas,
                            const Gram* all, const NetRequest& net) {
    std::size_t done = 0;
    if (auto good = check_points(whole, squares(net), all, done); !good) return good;
    if (done < path_.points.size()) {
      const double at = path_.points[done].lambda;
      path_.points.resize(done);
      for (PathPoint& point : path_.points) select::forget_folds(point);
      return stop(PathStop::Stage::points, at);
    }
    if (path_.stopped || !how_.leave_one_out) return {};
    auto left_out = leave_one_out(whole, lambdas, all, net);
    if (left_out || left_out.error().code != ErrorCode::interrupted) return left_out;
    for (PathPoint& point : path_.points) point.loo_mse = kNaN;
    return stop(PathStop::Stage::rows_left_out);
  }

  Result<void> leave_one_out(const select::RidgeDecomposition& whole, const std::vector<double>& lambdas,
                             const Gram* all, const NetRequest& net) {
    if (rows_.single_pass)
      return refuse(rows_.name, "leaving one row out needs the rows again, and these can be read only once",
                    "save them to a file first");
    loo_ = true;
    const LeaveOneOut empty(whole.directions(lambdas, 0));
    const auto errors = fresh_pass(rows_.source, empty, pool_, clock_.watch(), {"leaving rows out", path_.passes});
    if (!errors) return std::unexpected(errors.error());
    ++path_.passes;
    for (std::size_t l = 0; l < lambdas.size(); ++l)
      path_.points[l].loo_mse = whole.carries(lambdas[l]) ? errors->sum[l] : kNaN;
    if (!careful(whole, lambdas) || all == nullptr || all->precision != Precision::extended) return {};
    return careful_leave_one_out(whole, *all, net);
  }

  Result<void> careful_leave_one_out(const select::RidgeDecomposition& whole, const Gram& all, const NetRequest& net) {
    std::vector<PathPoint*> points;
    std::vector<double> lambdas;
    for (PathPoint& point : path_.points)
      if (!whole.carries(point.lambda)) points.push_back(&point), lambdas.push_back(point.lambda);
    const LeaveOneOutByFactor empty(select::ridge_factors(all, 0, squares(net), lambdas));
    const auto errors = fresh_pass(rows_.source, empty, pool_, clock_.watch(), {"leaving rows out", path_.passes});
    if (!errors) return std::unexpected(errors.error());
    ++path_.passes;
    for (std::size_t l = 0; l < points.size(); ++l) points[l]->loo_mse = errors->sum[l];
    return {};
  }

  // The residual variance of the fit without a penalty, if it is known.
  double residual_variance(const select::RidgeDecomposition& whole, const Gram& all, const NetRequest& net) const {
    if (!whole.carries(0) && all.precision == Precision::standard) return kNaN;
    const PathPoint unpenalised = select::ridge_point(whole, all, 0, squares(net), 0);
    const double d = unpenalised.degrees_of_freedom + (request_.options->intercept ? 1 : 0);
    const auto n = static_cast<double>(all.rows);
    return n > d ? mean_square(all, 0, unpenalised.coefficients, unpenalised.intercept) * n / (n - d) : kNaN;
  }

  const Request& request_;
  const Schema& schema_;
  const Rows& rows_;
  const PathOptions& how_;
  const Clock& clock_;
  Pool pool_;
  Path path_;
  std::vector<double> lambdas_;
  Index planned_ = 0; // points of the whole path
  SquaresFigures figures_;
  bool loo_ = false;
};

} // namespace

Result<Path> squares_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                          const Clock& clock) {
  return SquaresPath(request, schema, rows, how, clock).run();
}

} // namespace recta
