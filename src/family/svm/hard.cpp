// The hard margin of two classes: of a hyperplane from the search that decides whether one separates them
// (docs/separability.md), and in the space of a kernel from the search of machines (solver/svm/hard_margin.hpp). If
// there is none, the rows and multipliers that show it.
#include "base/listening.hpp"
#include "base/sums.hpp"
#include "certificate/kernel/definite.hpp"
#include "certificate/svm/hard_margin.hpp"
#include "classes/two_classes.hpp"
#include "family/svm/fit.hpp"
#include "held/kernel_params.hpp"
#include "solver/svm/hard_margin.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::svm {
namespace {

constexpr const char* kWithLosses = "leave out hard: losses have an answer for any rows";

std::string listed(const std::vector<Multiplier>& multipliers) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> out;
  for (const Multiplier& multiplier : multipliers) {
    if (out.size() == kMost) {
      out.push_back(fmt::format("and {} more", multipliers.size() - kMost));
      break;
    }
    out.push_back(
        fmt::format("row {} ({})", multiplier.row,
                    multiplier.fraction.empty() ? fmt::format("{:.6g}", multiplier.value) : multiplier.fraction));
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

std::unexpected<Error> no_hyperplane(const Separability& separability, const Rows& rows) {
  if (separability.verdict == Separation::undecided)
    return fail(ErrorCode::bad_data, rows.name, "whether a hyperplane separates the classes could not be decided",
                kWithLosses);
  return fail(ErrorCode::bad_data, rows.name,
              "no hyperplane separates the classes: with these multipliers the rows of both cancel: " +
                  listed(separability.multipliers),
              kWithLosses);
}

std::unexpected<Error> no_margin(const HardSolution& solution, const MachineRows::Side& side, const Rows& rows) {
  if (solution.interrupted) return fail(ErrorCode::interrupted, rows.name, "stopped before a margin was found");
  double mass = 0;
  for (const double beta : solution.beta) mass += std::abs(beta);
  std::vector<Multiplier> multipliers;
  for (std::size_t k = 0; k < solution.beta.size(); ++k)
    if (const double share = std::abs(solution.beta[k]) / mass; share > 1e-6)
      multipliers.push_back({side.present[k] + 1, share, {}});
  return fail(ErrorCode::bad_data, rows.name,
              fmt::format("no hyperplane in the space of the kernel separates the classes, as far as doubles tell: "
                          "these multipliers show that no margin is wider than {:.2g}: {}",
                          solution.widest, listed(multipliers)),
              std::string("give a kernel that separates more, or ") + kWithLosses);
}

// 1 and -1 by row, 0: the row is not there.
std::vector<double> signs_of(const MachineRows::Side& side) {
  std::vector<double> out(side.target.size());
  for (const Index i : side.present) out[at(i)] = side.target[at(i)];
  return out;
}

HardClaim claim_of(const MachineBody& body, const kernel::Points& points, double tolerance) {
  const Machine& machine = body.machine();
  const Part& part = machine.parts[0];
  HardClaim out{.intercept = machine.intercept, .beta = part.beta, .b = part.b};
  for (const Index k : part.support) out.rows.push_back(machine.vectors.rows[at(k)]);
  if (machine.linear())
    out.w = part.w;
  else
    out.kernel = &body.kernel(), out.points = &points;
  out.tolerance = tolerance;
  return out;
}

struct HardJudgement : HardJudged {
  double right = 0; // weight of the rows whose class is predicted
};

Result<HardJudgement> judge(Work& work, const MachineBody& body, const MachineRows& held) {
  const auto sides = held.sides(false);
  kernel::Points room;
  const bool linear = body.machine().linear();
  const kernel::Points& points = linear ? room : body.points_of(body.machine().parts[0], room);
  auto judged = certify(claim_of(body, points, work.options().tolerance), *held.held, signs_of(sides[0]), work.pool,
                        work.watch());
  if (!judged) return std::unexpected(judged.error());
  std::vector<bool> clear(held.target.size());
  for (const Index i : judged->clear) clear[at(i)] = true;
  const auto right = right_weight(body, held, work.pool, clear);
  if (!right) return std::unexpected(right.error());
  return HardJudgement{*std::move(judged), *right};
}

// The plane as doubles. Of rows far from zero, b is a large number whose last digit may be worth more than the margin
// allows, and so are the last digits of weights beside them. Planes that are the same but for a scale of 1 + 2^-50 k
// are rounded differently: the one is taken whose nearest support vector is farthest.
class Doubles {
public:
  Doubles(const Part& part, const std::vector<Index>& rows, const MachineRows& held, bool intercept)
      : part_(part), intercept_(intercept), cols_(part.w.size()), x_(rows.size() * cols_) {
    for (std::size_t k = 0; k < rows.size(); ++k) held.write_out(rows[k], x_.data() + k * cols_);
  }

  void choose(Part& out) const {
    constexpr double kMostWork = 2e7, kEnough = 1e-12; // products; and what is as good as none, of y f = 1
    const double most = std::clamp(kMostWork / static_cast<double>(x_.size() + 1), 1.0, 0x1p13);
    double best = scaled_by(1, part_.b, out);
    Part other = out;
    for (double k = 0; k < most && best < 1 - kEnough; ++k) {
      const double nearest = scaled_by(1 + k * 0x1p-50, kNaN, other);
      if (nearest > best) best = nearest, out = other;
    }
  }

private:
  // The nearest support vector of the plane times `scale`, in units of it; b if it is given, or else halfway.
  double scaled_by(double scale, double b, Part& out) const {
    for (std::size_t j = 0; j < cols_; ++j) out.w[j] = part_.w[j] * scale;
    DoubleDouble least[2] = {kInfinity, kInfinity};
    for (std::size_t k = 0; k < part_.beta.size(); ++k) {
      const double side = part_.beta[k] > 0 ? 1 : -1;
      const DoubleDouble f = side * dot2_unrounded(out.w, std::span(x_).subspan(k * cols_, cols_));
      DoubleDouble& nearest = least[side < 0 ? 1 : 0];
      if (f < nearest) nearest = f;
    }
    if (!intercept_) return std::min(least[0].hi, least[1].hi) / scale;
    out.b = std::isnan(b) ? ((least[1] - least[0]) / 2).hi : b;
    return std::min((least[0] + out.b).hi, (least[1] - out.b).hi) / scale;
  }

  const Part& part_;
  bool intercept_;
  std::size_t cols_;
  std::vector<double> x_; // support vectors, row after row
};

// Multipliers a that add up to one give v = sum a y x with |v| the margin, and w = v / |v|^2.
Part part_of(const Separability& separability, std::span<const double> sign, Machine& machine) {
  Part part{.cost = 0};
  part.w = separability.weights;
  part.b = separability.b;
  for (const double w : part.w) part.squared += w * w;
  for (const Multiplier& multiplier : separability.multipliers) {
    if (multiplier.value == 0) continue;
    part.support.push_back(std::ssize(machine.vectors.rows));
    machine.vectors.rows.push_back(multiplier.row - 1);
    part.beta.push_back(multiplier.value * part.squared * sign[at(multiplier.row - 1)]);
  }
  return part;
}

Result<Part> linear_part(Work& work, const MachineRows& held, Machine& machine, FitSummary& summary) {
  if (auto again = work.rows.source.rewind(); !again) return std::unexpected(again.error());
  const auto two = two_classes(work.schema(), work.rows);
  if (!two) return std::unexpected(two.error());
  const auto separability = prove_separation(*two, machine.intercept, work.pool, work.watch());
  if (!separability) return std::unexpected(separability.error());
  if (separability->verdict != Separation::separable) return no_hyperplane(*separability, work.rows);
  summary.solver = "nearest-point";
  summary.reason = "a hard margin: the nearest points of the hulls of both classes";
  const Part part = part_of(*separability, two->sign, machine);
  Part out = part;
  Doubles(part, machine.vectors.rows, held, machine.intercept).choose(out);
  return out;
}

Result<Part> kernel_part(Work& work, const Prepared& prepared, Machine& machine, FitSummary& summary) {
  const auto& [held, spec] = prepared;
  const auto kernel = kernel::make_kernel(spec.kernel);
  const auto definite = is_definite(*kernel, *held.held, work.pool);
  if (!definite) return std::unexpected(definite.error());
  if (!*definite)
    return fail(ErrorCode::bad_data, work.rows.name,
                "the kernel is not known to be positive semidefinite, so that there is no space with a margin",
                "leave out hard, or give another kernel");
  const Watch watch = work.watch(); // the listening looks at it
  const Listening listening(watch, "solving");
  const MachineRows::Side side = held.sides(false)[0];
  const kernel::Points points = held.points(side.present, *kernel, false, &work.pool);
  KernelMatrix matrix(*kernel, points, spec.cache, std::min(kSmoRows, points.count()), work.pool);
  HardProblem problem{{}, machine.intercept};
  for (const Index i : side.present) problem.sign.push_back(side.target[at(i)]);
  for (Index k = 0; k < points.count(); ++k) problem.size = std::max(problem.size, points.own_value(*kernel, k));
  const HardSolution found = solve_hard_margin(problem, work.options().tolerance / 100, spec.cache, matrix, work.pool);
  if (!found.found) return no_margin(found, side, work.rows);
  summary.solver = "working-sets";
  summary.reason =
      fmt::format("a hard margin by a kernel: {} steps, with a cost that no multiplier reaches", found.steps);
  Part part{.b = found.b, .cost = 0};
  for (std::size_t k = 0; k < found.beta.size(); ++k) {
    if (found.beta[k] == 0) continue;
    part.support.push_back(std::ssize(machine.vectors.rows));
    machine.vectors.rows.push_back(side.present[k]);
    part.beta.push_back(found.beta[k]);
  }
  machine.vectors.take(held);
  return part;
}

// The classes are separable, but by no plane of doubles that is near the widest.
std::unexpected<Error> too_far_from_zero(Work& work, const Part& part, const MachineRows& held) {
  const std::string what = "a hyperplane separates the classes, but its margin is below the rounding of the numbers: ";
  if (part.w.empty())
    return fail(ErrorCode::bad_data, work.rows.name, what + "scores as doubles leave rows on the wrong side",
                "give columns about zero, or leave out hard");
  const auto [row, column, value] = held.largest(held.sides(false)[0], work.pool);
  return fail(ErrorCode::bad_data,
              fmt::format("{}, row {}, column {}", work.rows.name, row + 1,
                          places_of(work.schema(), work.rows.name).feature(column)),
              fmt::format("{}the weights that doubles have leave rows on the wrong side beside {}", what, value),
              fmt::format("subtract {} from the column, or leave out hard", value));
}

class HardSteps final : public Steps<Prepared, std::shared_ptr<const MachineBody>, HardJudgement> {
  using Draft = std::shared_ptr<const MachineBody>; // without |w|^2, which the proof finds

  Result<Prepared> pose(Work& work) const override {
    auto out = pose_machine(work);
    if (!out) return out;
    if (auto good = check_two_classes(work.schema(), work.rows); !good) return std::unexpected(good.error());
    return out;
  }

  Result<Draft> solve(Work& work, const Prepared& prepared) const override {
    const auto& [held, spec] = prepared;
    Machine machine = empty_machine(work, spec, held.sparse());
    FitSummary summary;
    summary.weights_are = work.options().weights_are;
    auto part = spec.kernel.linear() ? linear_part(work, held, machine, summary)
                                     : kernel_part(work, prepared, machine, summary);
    if (!part) return std::unexpected(part.error());
    part->b_low = part->b_high = part->b;
    machine.parts.push_back(*std::move(part));
    return std::make_shared<MachineBody>(std::move(machine), std::move(summary));
  }

  Result<Draft> stated(Work& work, const Prepared&) const override { return stated_body<MachineBody>(work); }

  Result<HardJudgement> prove(Work& work, const Prepared& prepared, const Draft& body) const override {
    return judge(work, *body, prepared.held);
  }

  Result<void> describe(Work& work, const Prepared& prepared, const Draft& body, HardJudgement& judged) const override {
    const auto& [held, spec] = prepared;
    Certificate& certificate = work.model.certificate;
    FitSummary summary = held.figures(body->summary());
    summary.classes.accuracy = judged.right / summary.weight_sum;
    work.model.objective = objective_text(spec, summary.weight_sum, body->machine().intercept);
    work.figures = summary;
    certificate.passes = work.verifies() ? 3 : 4;
    if (work.verifies()) {
      certificate.stop = work.stated->certificate.stop;
      return {};
    }
    if (!(std::get<SeparatingHyperplane>(certificate.claim).margin > 0) || summary.classes.accuracy < 1)
      return too_far_from_zero(work, body->machine().parts[0], held);
    certificate.stop = judged.exact ? "solved in whole numbers" : "solved by working sets";
    short_of_proof(certificate);
    work.model.body = body->with(std::move(summary), {&judged.squared, 1});
    return {};
  }

  Result<void> compare(Work& work, const Prepared& prepared, const Draft& body, HardJudgement& judged) const override {
    const auto& [held, spec] = prepared;
    const Machine& machine = body->machine();
    const Part& part = machine.parts[0];
    const MachineRows::Side side = held.sides(false)[0];
    const auto* const stated = std::get_if<SeparatingHyperplane>(&work.stated->certificate.claim);
    recta::svm::compare({machine.kernel, spec.kernel, stated_part(machine, part), side.positive, side.negative,
                         stated ? stated->margin : kNaN, std::ssize(machine.vectors.rows), part.support},
                        part.beta, judged);
    return {};
  }
};

} // namespace

const Procedure& hard_margin() {
  static const HardSteps steps;
  return steps;
}

} // namespace recta::svm
