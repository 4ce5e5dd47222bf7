#include "solver/softmax/looks.hpp"

#include "stats/pass.hpp"
#include "stats/softmax/class_grams.hpp"
#include "stats/softmax/class_squares.hpp"

namespace recta {
namespace {

constexpr Index kLong = 1 << 18; // numbers of a state that is too long to have one per block
constexpr Index kStates = 8;
constexpr Index kShares = 1 << 25; // probabilities that are kept from one pass to the next

} // namespace

SoftmaxLooks::SoftmaxLooks(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
    : problem_(problem), rows_(rows), pool_(pool), watch_(watch), p_(rows.cols()), mean_(problem.mean) {
  if (!problem.intercept) mean_.assign(mean_.size(), 0.0);
  for (Index j = 0; j < p_; ++j)
    if (problem.unit[j] > 0) used_.push_back(j);
  if (const auto n = rows.rows(); n && *n <= kShares / problem.classes)
    shares_.resize(static_cast<std::size_t>(*n * problem.classes));
}

std::vector<double> SoftmaxLooks::intercepts(const ClassVector& point) const {
  std::vector<double> b = point.c;
  for (Index k = 0; k < classes(); ++k)
    for (Index j = 0; j < p_; ++j) b[k] -= mean_[j] * point.w[k * p_ + j];
  return b;
}

std::shared_ptr<SoftmaxPoint> SoftmaxLooks::placed(const ClassVector& point) const {
  auto out = std::make_shared<SoftmaxPoint>();
  out->classes = classes();
  out->w = point.w;
  out->b = intercepts(point);
  if (p_ * classes() > kLong) out->run = std::max<Index>(1, problem_.rows / block_rows(p_) / kStates);
  return out;
}

template <class Sums, class Point>
Result<Sums> SoftmaxLooks::pass(std::shared_ptr<Point> point) {
  auto sums = fresh_pass(rows_, Sums(std::move(point)), pool_, watch_, {"Newton's method", passes_});
  if (sums) ++passes_;
  return sums;
}

template <class Sums>
Result<Sums> SoftmaxLooks::sums(const ClassVector& point, Index every) {
  auto where = placed(point);
  where->every = every;
  return pass<Sums>(std::move(where));
}
template Result<ClassGrams> SoftmaxLooks::sums<ClassGrams>(const ClassVector&, Index);
template Result<ClassSquares> SoftmaxLooks::sums<ClassSquares>(const ClassVector&, Index);

Result<ClassHessian> SoftmaxLooks::hessian(const ClassVector& point, std::vector<std::vector<Index>> columns,
                                           Index every) {
  auto where = std::make_shared<HessianPoint>(*placed(point), std::move(columns));
  where->at.every = every;
  where->constants = problem_.intercept;
  if (problem_.intercept) where->mean = mean_;
  return pass<ClassHessian>(std::move(where));
}

ClassVector SoftmaxLooks::centred(const SoftmaxSums& sums, const ClassVector& point) const {
  ClassVector out = zero();
  for (Index k = 0; k < classes(); ++k) {
    out.c[k] = problem_.intercept ? sums.slope[k] / sums.weight : 0;
    for (const Index j : used_)
      out.w[k * p_ + j] = (sums.slope_of(k, j) - mean_[j] * sums.slope[k]) / sums.weight +
                          problem_.lambda2 * problem_.unit[j] * point.w[k * p_ + j];
  }
  return out;
}

Result<SoftmaxLooks::Look> SoftmaxLooks::at(const ClassVector& point) {
  auto where = placed(point);
  if (problem_.sparse) where->lay_by_column();
  kept_.reset();
  where->shares = shares_.empty() ? nullptr : shares_.data();
  const auto sums = pass<SoftmaxSums>(std::move(where));
  if (!sums) return std::unexpected(sums.error());
  if (!shares_.empty()) kept_ = point;
  double squares = 0;
  for (Index s = 0; s < p_ * classes(); ++s) squares += problem_.unit[s % p_] * point.w[s] * point.w[s];
  const double loss = sums->loss / sums->weight;
  return Look{loss, loss + problem_.lambda2 / 2 * squares, centred(*sums, point)};
}

Result<ClassVector> SoftmaxLooks::curved(const ClassVector& point, const ClassVector& along) {
  auto from = placed(point), where = placed(along);
  if (kept_ && kept_->w == point.w && kept_->c == point.c)
    from->shares = shares_.data();
  else if (problem_.sparse)
    from->lay_by_column();
  where->from = std::move(from);
  if (problem_.sparse) where->lay_by_column();
  const auto sums = pass<SoftmaxSums>(std::move(where));
  if (!sums) return std::unexpected(sums.error());
  return centred(*sums, along);
}

} // namespace recta
