#include "solver/svm/by_passes.hpp"

#include "base/blas.hpp"
#include "solver/svm/held_problem.hpp"
#include "solver/svm/passes_search.hpp"
#include "stats/pass.hpp"

#include <optional>

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

constexpr Index kPasses = 200;
constexpr double kBold = 100;     // the same if the rows of the zone were followed to the last one without a detour
constexpr double kZoneRows = 10;  // per column, within a width, before a narrower one is taken
constexpr double kBunched = 0.1;  // of the rows in the zone within a fifth of it: fewer, and they are bunched
constexpr double kReach = 0.3;    // a first step that moves scores by so much brings rows to the margin
constexpr double kMove = 0.5;     // of the band: rows outside it move no further, root mean square
constexpr Index kBandRounds = 15; // steps by held rows before the search ends without a proof

// Rows held in one pass: a few dozen per column tell where the margin lies, and bytes are bounded.
Index most_held(Index size) {
  return std::max<Index>(2048, std::min(40 * size, 4'000'000 / size));
}

// A point at which the rows were looked at.
struct Seen {
  Numbers at;
  double width = 1;
  MarginSums sums;
  double primal = kInfinity, smooth = kInfinity, gap = kInfinity;
  bool banded = false; // its held rows are to be solved for
};

// The search for one machine. It says where to look; whoever reads the rows gives it the sums.
class Search : public PassesSearch<PassPoint, Seen> {
public:
  Search(const PassesProblem& problem, const Sides& sides) : PassesSearch(problem, sides) {}

  // A search for the proof that w = 0 is optimal, as it is if the rows of a class lie among the others: all rows of the
  // larger side are then on the margin, their coefficients are a linear function of the row, and a few steps at one
  // small width find it.
  static Search for_null(const PassesProblem& problem, const Sides& sides, const MarginSums& first) {
    constexpr double kWidth = 1e-5; // scores are rounded far below it, and |w| is about as small
    Search out(problem, sides);
    if (!out.begin(first)) return out;
    const double larger = std::max(first.weight[0], first.weight[1]), share = (out.weight_ - larger) / larger;
    Numbers start(at(out.size_));
    start.back() = (1 - kWidth * share) * out.primal_at_.back();
    out.ask(std::move(start), kWidth, 0);
    out.takes_ = 30; // they cost no pass of their own
    if (!out.free_intercept() || out.smooth_loss() || share > 0.98) out.give_up();
    return out;
  }

  bool proved() const { return done_ && !gave_up_; }

  void take(MarginSums sums) {
    if (objective_.cost == 0 && !begin(sums)) return;
    Seen seen = seen_at(std::move(sums));
    if (keep(seen) <= goal_ / 2) return finish();
    if (takes_ > 0 && --takes_ == 0) return give_up();
    if (step_ == Step::newton && !newton_succeeds(seen)) return;
    if (step_ == Step::band && !band_succeeds(seen)) return;
    here_ = std::move(seen);
    next();
  }

private:
  // About as many rows as there are columns lie within the last width.
  bool begin(const MarginSums& sums) { return PassesSearch::begin(sums, static_cast<double>(size_)); }

  Seen seen_at(MarginSums sums) const {
    Seen out{asked_.at, asked_.width, std::move(sums), 0, 0, 0, false};
    judge(out);
    out.banded = asked_.band > 0 && out.sums.has_band() && (wants_band_ || out.sums.holds_all());
    return out;
  }

  static Numbers sum_of(const Numbers (&sides)[2]) {
    Numbers out = sides[0];
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += sides[1][j];
    return out;
  }

  // Decides where to look next from here.
  void next() {
    if (here_.banded && takes_ == 0) return try_band();
    const auto room = kFilled * static_cast<double>(most_held(size_));
    const double band = smooth_loss() ? 0 : here_.sums.band_of(room);
    const bool too_many = wants_band_ && asked_.band > 0 && !here_.sums.has_band();
    if (too_many && band > 0) { // the rows of the band could not be held: a narrower one
      if (++band_rounds_ > kBandRounds) return widen();
      return ask(here_.at, here_.width, band);
    }
    try_newton(band);
  }

  void try_newton(double band) {
    Numbers to = here_.at;
    fall_ = newton_step(to, here_.width);
    if (!(fall_ >= 0)) return stalled();
    const double smoothing = objective_.cost * here_.sums.excess;
    const bool settled = !smooth_loss() && fall_ <= kSettled * smoothing;
    const bool band_fits = band >= here_.width && !band_failed_;
    double width = here_.width;
    if (settled && smoothing > goal_ / 4 && !band_fits && takes_ == 0) {
      width = narrower(to);
      const bool again = follows_ && !shortened_;
      follows_ = (again || shortened_) && bunched();
      shortened_ = false;
      if (follows_) {
        width = here_.width / (again ? kBold : kNarrower);
        to = here_.at;
        newton_step(to, width);
      }
    }
    wants_band_ = settled && !band_failed_ && takes_ == 0 && band >= kFilled * here_.width;
    if (width < here_.width) band_failed_ = false;
    if (fall_ <= 1e-12 * here_.smooth && !wants_band_ && width == here_.width && ++stalls_ > kStalls) return widen();
    ask(std::move(to), width, wants_band_ ? band : 0, Step::newton);
  }

  // Whether the rows of the zone lie together within it, far from its lower end: a narrower zone would lose them all.
  bool bunched() const {
    return here_.sums.short_within(here_.width / kNarrower) < kBunched * here_.sums.short_within(here_.width);
  }

  // The next width, from the distances of the rows at the point: a zone without rows would have no curvature. If there
  // is none much narrower, the one of now, until its steps promise nothing more.
  double narrower(const Numbers& to) const {
    const double rows = here_.sums.rows(), next = here_.width / kNarrower;
    const double least = here_.sums.width_of(std::min(kZoneRows * static_cast<double>(size_), rows / 20));
    const double width = std::max(next, least);
    if (width <= kFilled * here_.width) return width;
    const bool reaches = penalty(here_.at) == 0 && root_mean_square(here_.sums.products, to, weight_) >= kReach;
    return reaches || fall_ <= 1e-3 * kSettled * objective_.cost * here_.sums.excess ? next : here_.width;
  }

  // Adds the step of Newton's method to the point; returns what it promises twice, or NaN if there is none. For another
  // width than that of the point the same rows are taken to stay in the zone.
  double newton_step(Numbers& to, double width) const {
    const MarginSums& s = here_.sums;
    const std::size_t size = objective_.square.size();
    const Numbers in_zone = sum_of(s.zone);
    Numbers h = s.products, step = sum_of(s.pull);
    for (double& one : h) one *= objective_.cost / (smooth_loss() ? 1 : width);
    for (std::size_t j = 0; j < size; ++j) {
      h[j * size + j] += objective_.square[j];
      if (h[j * size + j] == 0) h[j * size + j] = 1;
      step[j] = objective_.cost * (step[j] + (here_.width / width - 1) * in_zone[j]) - objective_.square[j] * to[j];
    }
    const Numbers downhill = step;
    if (blas::potrf({h.data(), size_}) != 0) return kNaN;
    blas::potrs({h.data(), size_}, {step.data(), size_, 1});
    double fall = 0;
    for (std::size_t j = 0; j < size; ++j) fall += downhill[j] * step[j], to[j] += step[j];
    return fall;
  }

  bool newton_succeeds(const Seen& seen) {
    const bool succeeds = PassesSearch::newton_succeeds(seen);
    shortened_ = shortened_ || !succeeds;
    return succeeds;
  }

  void try_band() {
    if (++band_rounds_ > kBandRounds) return widen();
    newton_width_ = std::max(newton_width_, here_.width);
    if (band_rounds_ == 1) band_width_ = std::min(band_width_, here_.width / kNarrower);
    double heaviest = 0;
    for (std::size_t row = 0; row < here_.sums.held.size(); row += at(size_) + 2)
      heaviest = std::max(heaviest, here_.sums.held[row + at(size_) + 1]);
    if (band_rounds_ == 1 && heaviest > 0)
      band_width_ = std::max(kLeastWidth, band_width_ * (here_.sums.heaviest / heaviest)); // equal rows are one
    const auto room = kFilled * static_cast<double>(most_held(size_));
    const bool all = here_.sums.holds_all();
    wants_band_ = true;
    ask(band_answer(), band_width_, all ? kInfinity : here_.sums.band_of(room), Step::band);
  }

  // The machine of the held rows, with a penalty on moves of the rows outside that grows until they are short.
  Numbers band_answer() const {
    const MarginSums& s = here_.sums;
    const std::size_t size = objective_.square.size();
    HeldProblem held{.size = size_, .a = {}, .k = {}, .q = {}, .square = Numbers(size * size)};
    for (std::size_t row = 0; row < s.held.size(); row += size + 2) {
      for (std::size_t j = 0; j < size; ++j) held.a.push_back(s.held[row] * s.held[row + 1 + j]);
      held.k.push_back(objective_.cost * s.held[row + size + 1]);
    }
    held.width = band_width_;
    constexpr int kTrusts = 12;
    Numbers to;
    double trust = 0;
    for (int tries = 0; tries < kTrusts; ++tries, trust = std::max(0.03, 4 * trust)) {
      const double factor = trust > 0 ? trust * objective_.cost / (2 * asked_.band) : 0;
      held.q.assign(size, 0.0);
      for (std::size_t e = 0; e < held.square.size(); ++e) held.square[e] = factor > 0 ? factor * s.outside[e] : 0;
      if (factor > 0) blas::symv(factor, {s.outside.data(), size_}, here_.at.data(), 0, held.q.data());
      for (std::size_t j = 0; j < size; ++j) {
        held.square[j * size + j] += objective_.square[j];
        held.q[j] += objective_.cost * s.beyond[j];
      }
      to = solve_held(held, here_.at, std::max(1e-5 * goal_, 1e-15 * null_));
      if (root_mean_square(s.outside, to, s.outside_weight) <= kMove * asked_.band) break;
    }
    return to;
  }

  // How much the scores of the rows change, from the sums of the rows' products.
  double root_mean_square(const Numbers& products, const Numbers& to, double weight) const {
    if (!(weight > 0)) return 0;
    Numbers change = to, times(to.size());
    for (std::size_t j = 0; j < to.size(); ++j) change[j] -= here_.at[j];
    blas::symv(1, {products.data(), size_}, change.data(), 0, times.data());
    double sum = 0;
    for (std::size_t j = 0; j < to.size(); ++j) sum += change[j] * times[j];
    return std::sqrt(std::max(0.0, sum) / weight);
  }

  // Whether the answer of the held rows is better for all rows; otherwise asks for the best point on the way to it.
  bool band_succeeds(const Seen& seen) {
    // Coefficients are coarse by the rounding of scores over the width: a wider one if smoothing costs little beside
    // it.
    const double before = band_width_;
    adapt_band_width(objective_.cost * seen.sums.excess);
    if (seen.primal < here_.primal || seen.gap < here_.gap) return true;
    if (here_.sums.holds_all()) return band_width_ == before ? widen() : try_band(), false;
    const double share = objective_.best_share(here_.at, seen.at, seen.sums.loss_on_way);
    if (share > 0) return ask(towards(seen.at, share), here_.width, asked_.band), false;
    here_.banded = wants_band_ = false, band_failed_ = true;
    here_.width = std::max(here_.width, newton_width_);
    return ask(here_.at, here_.width / kNarrower, 0), false;
  }

  double newton_width_ = 0;
  bool shortened_ = false; // a step was, since the width changed last
  bool follows_ = false;   // the point followed the rows of the zone to the last width
};

} // namespace

namespace {

// The searches of one machine, in the same passes.
struct Searches {
  Search search;
  std::optional<Search> null = {};

  bool done() const { return search.done() || (null && null->proved()); }
  bool has_answer() const { return search.has_answer(); }
  PassesMachine answer() const { return null && null->proved() ? null->answer() : search.answer(); }
  void ask(std::vector<PassPoint>& points) const {
    points.push_back(done() ? PassPoint{} : search.question());
    points.push_back(done() || !null || null->done() ? PassPoint{} : null->question());
  }
  void take(const PassesProblem& problem, const Sides& sides, MarginSums own, MarginSums of_null) {
    if (done()) return;
    if (!null)
      null.emplace(Search::for_null(problem, sides, own));
    else if (!null->done())
      null->take(std::move(of_null));
    search.take(std::move(own));
  }
};

} // namespace

Result<PassesSolution> solve_by_passes(const PassesProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  std::vector<Searches> searches;
  for (const Sides& sides : problem.machines) searches.push_back({Search(problem, sides)});
  PassesSolution out;
  for (; !std::ranges::all_of(searches, &Searches::done); ++out.passes) {
    if (out.passes == kPasses) {
      for (Searches& one : searches)
        if (!one.done()) one.search.give_up();
      break;
    }
    auto question = std::make_shared<MarginQuestion>();
    question->loss = problem.loss, question->constant = problem.intercept, question->centre = problem.centre;
    question->most_held = most_held(std::ssize(problem.centre) + 1);
    for (const Searches& one : searches) one.ask(question->points);
    auto sums = fresh_pass(rows, ManyMargins(question), pool, watch, {"Newton's method", out.passes});
    if (!sums && sums.error().code == ErrorCode::interrupted && std::ranges::all_of(searches, &Searches::has_answer)) {
      out.interrupted = true;
      break;
    }
    if (!sums) return std::unexpected(sums.error());
    auto found = sums->machines.begin();
    for (std::size_t k = 0; k < searches.size(); ++k, found += 2)
      searches[k].take(problem, problem.machines[k], std::move(found[0]), std::move(found[1]));
  }
  for (const Searches& one : searches) out.machines.push_back(one.answer());
  return out;
}

} // namespace recta::svm
