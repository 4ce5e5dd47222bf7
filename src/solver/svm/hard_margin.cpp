#include "solver/svm/hard_margin.hpp"

#include "objective/separation/exact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::svm {
namespace {

constexpr double kFirst = 100, kGrowth = 100, kLast = 1e17; // of C, in units of 1 / k(x, x)
constexpr double kNothing = 1e-15;                          // of |v|^2 beside k(x, x): rounding
constexpr double kRough = 1e-2;                             // of the objective, while C is looked for

double mass_of(const Solution& solution) {
  double out = 0;
  for (const double beta : solution.state.beta) out += std::abs(beta);
  return out;
}
double square_of(const Solution& solution) {
  const State& s = solution.state;
  return std::max(0.0, std::inner_product(s.beta.begin(), s.beta.end(), s.f.begin(), 0.0));
}

// y f = 1 in the nearest row of each class.
void scale(const std::vector<double>& sign, bool intercept, const std::vector<double>& f, HardSolution& out) {
  double above = kInfinity, below = kInfinity;
  for (std::size_t i = 0; i < sign.size(); ++i) {
    double& nearest = sign[i] > 0 ? above : below;
    nearest = std::min(nearest, sign[i] * f[i]);
  }
  const double half = intercept ? (above + below) / 2 : std::min(above, below);
  out.found = half > 0;
  if (!out.found) return;
  for (double& beta : out.beta) beta /= half;
  out.b = intercept ? (below - above) / 2 / half : 0;
}

// Solves for the multipliers of few support vectors as fractions, from the kernel's values as they are:
// [G E; E' 0] (a, -mu) = (0, 1) with G_ij = y_i y_j k_ij, E the classes; y f = mu of its class on them before b, and
// half the sum of both is scaled to 1.
void solve_in_whole_numbers(const std::vector<double>& sign, bool intercept, KernelMatrix& matrix, HardSolution& out) {
  constexpr double kMostWork = 3e7; // operations on words: a tenth of a second
  constexpr std::size_t kMost = 100;
  std::vector<Index> support;
  for (std::size_t i = 0; i < sign.size(); ++i)
    if (out.beta[i] != 0) support.push_back(static_cast<Index>(i));
  const std::size_t k = support.size(), groups = intercept ? 2 : 1;
  if (k > kMost) return;
  const auto& rows = matrix.exact().rows(support);
  std::vector<std::vector<double>> gram(k, std::vector<double>(k));
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j)
      gram[i][j] = sign[at(support[i])] * sign[at(support[j])] * rows[std::min(i, j)][support[std::max(i, j)]];
  const separation::WholeRows whole(gram);
  if (separation::work_of(k + groups, k + groups, whole.bits) > kMostWork) return;
  std::vector<std::vector<separation::Integer>> system(k + groups, std::vector<separation::Integer>(k + groups + 1));
  for (std::size_t i = 0; i < k; ++i) {
    std::ranges::copy(whole.row[i], system[i].begin());
    const std::size_t group = intercept && sign[at(support[i])] < 0 ? 1 : 0;
    system[i][k + group] = -1, system[k + group][i] = 1;
  }
  for (std::size_t g = 0; g < groups; ++g) system[k + g].back() = 1;
  const auto found = separation::solve_whole(std::move(system));
  if (!found) return;
  const auto& a = found->numerator;
  const separation::Integer first = a[k], second = intercept ? a[k + 1] : a[k], both = first + second;
  if (both <= 0 ||
      std::any_of(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(k), [](const auto& x) { return x < 0; }))
    return;
  for (std::size_t i = 0; i < k; ++i)
    out.beta[at(support[i])] = sign[at(support[i])] * separation::quotient(2 * a[i], both, -whole.exponent);
  if (intercept) out.b = separation::quotient(second - first, both);
}

} // namespace

HardSolution solve_hard_margin(const HardProblem& asked, double precision, std::uint64_t cache, KernelMatrix& matrix,
                               Pool& pool) {
  const auto& [sign, intercept, size] = asked;
  HardSolution out;
  out.beta.resize(sign.size());
  SmoSettings settings{.cache = cache};
  Problem problem{{Loss::hinge}, intercept, sign, {}};
  double objective = 0; // 1/2 |w|^2 of the machine before
  bool rough = true;
  for (double cost = kFirst; cost <= kLast && size > 0;) {
    problem.cost.assign(sign.size(), cost / size);
    settings.tolerance = rough ? kRough * (objective > 0 ? objective : null_cost(problem)) : precision * objective;
    Solution solution = solve_by_smo(problem, matrix, settings, pool);
    out.steps += solution.steps;
    const double mass = mass_of(solution), square = square_of(solution);
    out.beta = solution.state.beta, out.interrupted = solution.interrupted;
    out.widest = mass > 0 ? std::sqrt(square) / mass : std::sqrt(size);
    const double most = std::abs(*std::ranges::max_element(out.beta, {}, [](double beta) { return std::abs(beta); }));
    const bool free = most > 0 && most < 0.999 * cost / size;
    if (!rough && free) scale(sign, intercept, solution.state.f, out);
    if (out.found) solve_in_whole_numbers(sign, intercept, matrix, out);
    if (out.found || out.interrupted || out.widest * out.widest <= kNothing * size) break;
    settings.start = std::move(solution.state.beta);
    objective = square / 2;
    // The last one is not disturbed by C.
    cost *= free ? 10 : kGrowth;
    rough = !free;
  }
  return out;
}

} // namespace recta::svm
