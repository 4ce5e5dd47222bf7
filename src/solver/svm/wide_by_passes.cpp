#include "solver/svm/wide_by_passes.hpp"

#include "solver/svm/conjugate_steps.hpp"
#include "solver/svm/margin_products.hpp"
#include "solver/svm/passes_search.hpp"
#include "stats/pass.hpp"

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

// A point at which the rows were looked at.
struct WideSeen {
  Numbers at;
  double width = 1, band = 0;
  ProductSums sums;
  double primal = kInfinity, smooth = kInfinity, gap = kInfinity;

  bool holds() const { return sums.held.rows() > 0; }
};

// The search for one machine. It says what to gather; whoever reads the rows gives it the sums.
class WideSearch : public PassesSearch<ProductPoint, WideSeen> {
public:
  static constexpr Index kPasses = 1000;

  WideSearch(const PassesProblem& problem, const Sides& sides, Index most_numbers)
      : PassesSearch(problem, sides), most_numbers_(most_numbers) {}

  void take(ProductSums sums) {
    if (sums.kind == ProductSums::Kind::product) return take_product(sums.product);
    if (objective_.cost == 0 && !begin(sums)) return;
    WideSeen seen = seen_at(std::move(sums));
    if (keep(seen) <= goal_ / 2) return finish();
    if (takes_ > 0 && --takes_ == 0) return give_up();
    if (step_ == Step::newton && !newton_succeeds(seen)) return;
    if (step_ == Step::band && !band_succeeds(seen)) return;
    here_ = std::move(seen);
    next();
  }

private:
  static constexpr Index kInner = 200;        // products for one step
  static constexpr double kLeastZone = 0.02;  // of the rows: a zone with fewer tells too little
  static constexpr Index kBandRounds = 30;    // steps by held rows before the search ends without a proof
  static constexpr double kFirstWidth = 0.05; // of steps by held rows, where C |u|^2 is 1
  static constexpr double kHeldShare = 0.03;  // of the goal: how exactly the machine of held rows is solved
  static constexpr double kFlat = 1e-9;       // of the steepest curvature: what a free b without rows in the zone has

  double bend(double width) const { return objective_.cost / (smooth_loss() ? 1 : width); }

  // At most as many rows as there are columns lie within the last width.
  bool begin(const ProductSums& sums) {
    const bool goes_on = PassesSearch::begin(sums, std::min(static_cast<double>(size_), sums.rows()));
    row_numbers_ = std::max(1.0, sums.numbers / sums.rows());
    for (std::size_t j = 0; j + 1 < sums.squares.size(); ++j) row_square_ += sums.squares[j] / weight_;
    return goes_on;
  }

  WideSeen seen_at(ProductSums sums) const {
    WideSeen out{asked_.at, asked_.width, asked_.band, std::move(sums)};
    judge(out);
    return out;
  }

  // The widest band whose rows can be held.
  double band() const {
    return smooth_loss() ? 0 : here_.sums.band_of(kFilled * static_cast<double>(most_numbers_) / row_numbers_);
  }

  // Decides what to gather next from here.
  void next() {
    if (here_.holds() && takes_ == 0) return try_band();
    if (here_.sums.too_many && band() > 0 && wants_band_) { // a narrower band
      if (++band_rounds_ > kBandRounds) return widen();
      return ask(here_.at, here_.width, band());
    }
    band_failed_ = band_failed_ || here_.band > 0; // no row lies in it
    begin_newton();
  }

  void begin_newton() {
    const ProductSums& s = here_.sums;
    downhill_.resize(at(size_));
    Numbers diagonal(at(size_));
    double steepest = 1;
    for (std::size_t j = 0; j < downhill_.size(); ++j) {
      const double square = objective_.square[j];
      downhill_[j] = objective_.cost * (s.pull[0][j] + s.pull[1][j]) - square * here_.at[j];
      diagonal[j] = square + bend(here_.width) * s.squares[j];
      steepest = std::max(steepest, diagonal[j]);
    }
    if (!problem_.intercept) downhill_.back() = 0;
    flat_ = objective_.square.back() == 0 ? kFlat * steepest : 0;
    diagonal.back() += flat_;
    if (!(first_gap_ > 0)) first_gap_ = here_.gap;
    // The squared hinge ends here: as exactly as it pays. Otherwise a step is as good as settled if little is left.
    const double share = smooth_loss()
                             ? std::max(std::min(0.04, here_.gap / first_gap_), std::min(0.04, 0.1 * goal_ / here_.gap))
                             : 0.04;
    const double enough = smooth_loss() ? 0 : 0.1 * kSettled * objective_.cost * s.excess;
    inner_ = ConjugateSteps(downhill_, std::move(diagonal), share, enough, kInner);
    ask_product();
  }

  void ask_product() {
    if (inner_.done()) return take_step();
    ask(here_.at, here_.width, 0);
    asked_.along = inner_.way();
  }
  void take_product(const Numbers& product) {
    Numbers image(product.size());
    for (std::size_t j = 0; j < image.size(); ++j)
      image[j] = objective_.square[j] * inner_.way()[j] + bend(here_.width) * product[j];
    image.back() += flat_ * inner_.way().back();
    inner_.take(image);
    ask_product();
  }

  // To the end of the Newton step, at a narrower width if the steps have settled.
  void take_step() {
    Numbers to = here_.at;
    fall_ = 0;
    for (std::size_t j = 0; j < to.size(); ++j) {
      fall_ += downhill_[j] * inner_.step()[j];
      to[j] += inner_.step()[j];
    }
    const double smoothing = objective_.cost * here_.sums.excess, band_here = band();
    const bool settled = !smooth_loss() && fall_ <= kSettled * smoothing;
    wants_band_ = settled && !band_failed_ && takes_ == 0 && band_here >= kFilled * here_.width;
    double width = here_.width;
    if (settled && smoothing > goal_ / 4 && !wants_band_ && takes_ == 0) {
      const double least = here_.sums.width_of(kLeastZone * here_.sums.rows());
      width = std::max(width / kNarrower, std::min(least, kFilled * width));
      band_failed_ = false;
    }
    if (fall_ <= 1e-12 * here_.smooth && !wants_band_ && width == here_.width && ++stalls_ > kStalls) return widen();
    ask(std::move(to), width, wants_band_ ? band_here : 0, Step::newton);
  }

  // To the machine of the held rows.
  void try_band() {
    if (++band_rounds_ > kBandRounds) return widen();
    MarginRowsProblem held{here_.sums.held, objective_, problem_.intercept, here_.sums.beyond, band_width_};
    for (double& one : held.q) one *= objective_.cost;
    const MarginRowsWidths widths{here_.width, kFirstWidth * objective_.cost * row_square_};
    wants_band_ = true;
    ask(solve_margin_rows(held, here_.at, widths, std::max(kHeldShare * goal_, 1e-15 * null_)), band_width_, here_.band,
        Step::band);
  }

  // Whether the answer of the held rows is better for all rows; otherwise asks for the best point on the way to it.
  bool band_succeeds(const WideSeen& seen) {
    const double before = band_width_;
    adapt_band_width(objective_.cost * seen.sums.excess);
    if (seen.primal < here_.primal || seen.gap < here_.gap) return true;
    const bool held_all = here_.band == kInfinity;
    if (held_all) return band_width_ == before ? widen() : try_band(), false;
    const double share = objective_.best_share(here_.at, seen.at, seen.sums.loss_on_way);
    if (share > 0) return ask(towards(seen.at, share), here_.width, here_.band), false;
    wants_band_ = false, band_failed_ = true;
    here_.band = 0;
    return ask(here_.at, here_.width / kNarrower, 0), false;
  }

  Index most_numbers_;
  double flat_ = 0, first_gap_ = 0;
  double row_numbers_ = 1; // that a row stores
  double row_square_ = 0;  // the mean of |u|^2
  ConjugateSteps inner_;
  Numbers downhill_;
};

} // namespace

Result<PassesSolution> solve_wide_by_passes(const PassesProblem& problem, RowSource& rows, Pool& pool,
                                            const Watch& watch) {
  const Index each = problem.most_numbers / std::ssize(problem.machines);
  std::vector<WideSearch> searches;
  for (const Sides& sides : problem.machines) searches.emplace_back(problem, sides, each);
  PassesSolution out;
  for (; !std::ranges::all_of(searches, &WideSearch::done); ++out.passes) {
    if (out.passes == WideSearch::kPasses) {
      for (WideSearch& one : searches)
        if (!one.done()) one.give_up();
      break;
    }
    auto question = std::make_shared<ProductQuestion>();
    question->loss = problem.loss, question->constant = problem.intercept, question->centre = problem.centre;
    question->most_held = each;
    for (const WideSearch& one : searches) question->points.push_back(one.done() ? ProductPoint{} : one.question());
    auto sums = fresh_pass(rows, MarginProducts(question), pool, watch, {"Newton's method", out.passes});
    if (!sums && sums.error().code == ErrorCode::interrupted &&
        std::ranges::all_of(searches, &WideSearch::has_answer)) {
      out.interrupted = true;
      break;
    }
    if (!sums) return std::unexpected(sums.error());
    for (std::size_t k = 0; k < searches.size(); ++k)
      if (!searches[k].done()) searches[k].take(std::move(sums->machines[k]));
  }
  for (const WideSearch& one : searches) out.machines.push_back(one.answer());
  return out;
}

} // namespace recta::svm
