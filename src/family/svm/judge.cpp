#include "family/svm/judge.hpp"

#include "family/svm/nu.hpp"

#include <fmt/format.h>

namespace recta::svm {
namespace {

Claimed claim_of(const MachineBody& body, const Part& part, const MachineSpec& spec, double cost,
                 const kernel::Points& points, double tolerance) {
  const Machine& machine = body.machine();
  RowTerms terms = spec.terms;
  if (spec.finds_tube()) terms.epsilon = part.epsilon;
  Claimed out{.terms = terms, .intercept = machine.intercept, .cost = cost, .beta = part.beta, .b = part.b};
  out.tolerance = tolerance;
  out.penalty = spec.penalty, out.intercept_scale = spec.intercept_scale;
  if (spec.intercept_scale > 0) out.intercept = false; // it is one more weight
  for (const Index k : part.support) out.rows.push_back(machine.vectors.rows[at(k)]);
  if (machine.linear())
    out.w = part.w;
  else
    out.kernel = &body.kernel(), out.points = &points;
  return out;
}

// C of a row of weight 1: asked for, or found with the machine and shown to be that of nu by its multipliers.
double cost_of(const Part& part, const MachineSpec& spec, const MachineRows::Side& side) {
  return spec.finds_margin() ? part.cost : spec.cost(side.total);
}

// Checks against the rows what a part claims about itself besides its dual point.
void compare_part(const Part& part, const MachineRows::Side& side, double cost, std::vector<std::string>& differences) {
  const auto compare = [&](const char* what, double stored, double computed, double within) {
    if (std::abs(stored - computed) <= within) return;
    differences.push_back(fmt::format("{} {} in the file, {} by the rows", what, stored, computed));
  };
  compare("the place of a class", static_cast<double>(part.positive), static_cast<double>(side.positive), 0);
  compare("the place of a class", static_cast<double>(part.negative), static_cast<double>(side.negative), 0);
  compare("C", part.cost, cost, 1e-9 * cost);
}

// nu lies between them.
std::string shares_text(const Proof& proof, const MachineSpec& spec) {
  return fmt::format("nu = {:.10g}: a share of {:.6g} of the rows is {}, and {:.6g} are support vectors", spec.nu,
                     proof.beyond / proof.weight, spec.finds_margin() ? "short of the margin" : "outside the tube",
                     proof.support / proof.weight);
}

} // namespace

void join(const Proof& proof, double strength, double tolerance, Joined& all) {
  // No objective is below zero: an answer that costs nothing is optimal, whatever rounding there was.
  const bool nothing = proof.primal == 0;
  const double gap = nothing ? 0 : proof.gap, slack = nothing ? 0 : proof.slack;
  all.objective += strength * proof.primal, all.null += strength * proof.null;
  all.gap += strength * gap, all.slack += strength * slack;
  all.violation = std::max(all.violation, proof.violation);
  all.holds = all.holds && gap + slack <= tolerance * proof.null;
  // A bound beyond the cost of no weights at all tells nothing, whatever part of it is rounding.
  all.near = all.near &&
             (gap <= tolerance * proof.null || (gap <= tolerance * proof.null + slack && gap + slack < proof.null));
  all.same_rows = all.same_rows && proof.same_rows;
}

Certificate certificate_of(const Joined& all, bool definite, double tolerance, const Stopped& stopped) {
  Certificate out;
  out.objective = all.objective, out.null_objective = all.null;
  out.tolerance = tolerance;
  out.stop = stopped.why;
  const Verdict falls_short = stopped.early || stopped.gave_up ? Verdict::stopped_early : Verdict::refuted;
  if (!definite) {
    out.claim = Stationary{all.violation};
    out.verdict = all.violation <= 1e-3 ? Verdict::within_tolerance : falls_short; // as the search is asked for
    out.conditions.emplace_back(
        "the kernel is not known to be positive semidefinite: the dual need not be concave, and this is a stationary "
        "point");
  } else {
    out.claim = DualityGap{all.objective, all.objective - all.gap, all.gap, false};
    out.slack = all.slack;
    out.verdict = all.holds ? Verdict::proved : all.near ? Verdict::within_tolerance : falls_short;
    if (all.holds && stopped.gave_up && !stopped.early) out.stop = Stop::tolerance_reached;
    if (out.verdict == Verdict::within_tolerance)
      out.conditions.emplace_back("the rounding of the check can cost as much as the tolerance");
  }
  if (!all.differences.empty()) {
    out.verdict = Verdict::refuted;
    out.conditions.insert(out.conditions.end(), all.differences.begin(), all.differences.end());
  }
  if (!all.same_rows) {
    out.verdict = Verdict::refuted;
    out.conditions.emplace_back("its support vectors are not the rows it says");
  }
  return out;
}

namespace {

// The intercept of a part, then the ends of the interval that it states if they are others.
std::vector<double> intercepts_of(const Part& part) {
  std::vector<double> out{part.b};
  for (const double end : {part.b_low, part.b_high})
    if (end != part.b) out.push_back(end);
  return out;
}

// Every intercept between the two that a part states is as good as its own: the objective is convex in it, so that the
// ends are enough. `proofs` are those of the intercepts.
void compare_interval(const Part& part, const std::vector<double>& intercepts, const std::vector<Proof>& proofs,
                      double tolerance, std::vector<std::string>& differences) {
  if (part.b_low > part.b || part.b_high < part.b)
    differences.push_back(fmt::format("the intercept {} is not between {} and {}", part.b, part.b_low, part.b_high));
  const Proof& stated = proofs.front();
  for (std::size_t k = 1; k < proofs.size(); ++k) {
    const Proof& proof = proofs[k];
    if (proof.primal - stated.primal > tolerance * proof.null + proof.slack + stated.slack)
      differences.push_back(fmt::format("the intercept {} is not as good as {}", intercepts[k], part.b));
  }
}

// That C is the one of nu, if the part has weights of classes: by the machine of nu of the rows without them.
Result<void> compare_cost(const Part& part, const MachineSpec& spec, const MachineRows& rows,
                          const MachineRows::Side& side, double rounding, double tolerance, Pool& pool,
                          const Watch& watch, Joined& of_nu) {
  const Witness& witness = part.of_nu;
  if (witness.rows.empty() || witness.rows.back() >= *rows.held->rows()) {
    of_nu.differences.emplace_back("the machine of nu without the weights of the classes is missing");
    return {};
  }
  const auto kernel = kernel::make_kernel(spec.kernel);
  const kernel::Points points = rows.points(witness.rows, *kernel);
  Claimed claimed{.terms = spec.terms, .cost = part.cost, .rows = witness.rows, .beta = witness.beta, .b = witness.b};
  claimed.tolerance = tolerance;
  if (spec.kernel.linear())
    claimed.w = rows.combination(witness.rows, witness.beta);
  else
    claimed.kernel = kernel.get(), claimed.points = &points;
  auto proof = certify(claimed, {*rows.held, side.target, side.weight}, pool, watch);
  if (!proof) return std::unexpected(proof.error());
  Proof bounded = proof_for_nu(*std::move(proof), spec, side, part.cost, 0);
  for (const double beta : witness.beta) bounded.slack += rounding * beta * beta;
  join(bounded, 1 / (part.cost * side.total), tolerance, of_nu);
  return {};
}

// A row that is clearly on its class's side in all machines that know its class is predicted right: it has a vote more
// than any other class can have, or the only score above zero.
class ClearRows {
public:
  ClearRows(Index rows, Index machines) : clear_in_(at(rows)), machines_(machines) {}
  void add(std::span<const Index> rows) {
    for (const Index i : rows) ++clear_in_[at(i)];
  }
  std::vector<bool> known() const {
    std::vector<bool> out;
    for (const Index count : clear_in_) out.push_back(count == machines_);
    return out;
  }

private:
  std::vector<Index> clear_in_;
  Index machines_;
};

} // namespace

Result<Judgement> judge_machine(const MachineBody& body, const MachineSpec& spec, const MachineRows& rows,
                                double tolerance, const Stopped& stopped, Pool& pool, const Watch& watch) {
  Judgement out;
  Joined all, of_nu;
  double right_of_one = 0;
  Index smaller_nu = 0;
  const Definite kernel = definite(body.kernel(), rows);
  const bool against_rest = body.machine().against_rest;
  const auto sides = rows.sides(against_rest);
  ClearRows clear(std::ssize(rows.target), against_rest ? rows.classes : rows.classes - 1);
  const bool weighs_classes = spec.finds_margin() && rows.weighs_classes();
  const auto drawn = weighs_classes ? rows.sides(against_rest, rows.drawn) : std::vector<MachineRows::Side>{};
  for (std::size_t p = 0; p < sides.size(); ++p) {
    const Part& part = body.machine().parts[p];
    kernel::Points room;
    const kernel::Points& points = body.machine().linear() ? room : body.points_of(part, room);
    const double cost = cost_of(part, spec, sides[p]);
    out.squared.push_back(kNaN);
    if (!(cost > 0)) all.differences.push_back(fmt::format("C is {}", cost));
    if (!(cost > 0)) continue;
    const std::vector<double> intercepts = intercepts_of(part);
    const auto proofs = certify(claim_of(body, part, spec, cost, points, tolerance), intercepts,
                                {*rows.held, sides[p].target, sides[p].weight}, pool, watch);
    if (!proofs) return std::unexpected(proofs.error());
    const Proof* const proof = &proofs->front();
    right_of_one = proof->right;
    clear.add(proof->clear);
    const MachineSpec of_side = spec_of_side(spec, rows, weighs_classes ? drawn[p] : sides[p]);
    const bool is_of_nu = !std::isnan(spec.nu) && !weighs_classes;
    Proof bounded = is_of_nu ? proof_for_nu(*proof, of_side, sides[p], cost, part.epsilon) : *proof;
    for (const double beta : part.beta) bounded.slack += kernel.rounding * beta * beta;
    join(bounded, 1 / (cost * sides[p].total), tolerance, all);
    if (weighs_classes)
      if (auto good = compare_cost(part, of_side, rows, drawn[p], kernel.rounding, tolerance, pool, watch, of_nu);
          !good)
        return std::unexpected(good.error());
    smaller_nu += of_side.nu < spec.nu ? 1 : 0;
    if (is_of_nu && sides.size() == 1) all.shares = shares_text(*proof, of_side);
    compare_part(part, sides[p], cost, all.differences);
    out.squared.back() = proof->squared;
    compare_interval(part, intercepts, *proofs, tolerance, all.differences);
  }
  all.holds = all.holds && of_nu.holds, all.near = all.near && of_nu.near;
  all.same_rows = all.same_rows && of_nu.same_rows, all.violation = std::max(all.violation, of_nu.violation);
  all.differences.insert(all.differences.end(), of_nu.differences.begin(), of_nu.differences.end());
  out.certificate = certificate_of(all, kernel.holds, tolerance, stopped);
  if (!all.shares.empty()) out.certificate.conditions.push_back(all.shares);
  out.certificate.passes = 2 + static_cast<Index>(sides.size() + drawn.size());
  if (sides.size() > 1)
    out.certificate.conditions.push_back(
        fmt::format("{} machines, {}; figures are their sums", sides.size(),
                    against_rest ? "each class against the rest" : "all classes against all"));
  if (weighs_classes)
    out.certificate.conditions.push_back(fmt::format(
        "C is that of nu = {:.10g} without the weights of the classes, by a gap of {:.2g}", spec.nu, of_nu.gap));
  if (smaller_nu > 0 && sides.size() > 1)
    out.certificate.conditions.push_back(fmt::format(
        "nu is less than {:.10g} in {} of them, as the weights of their classes allow", spec.nu, smaller_nu));
  if (rows.classes == 0) return out;
  if (sides.size() == 1 && !body.machine().linear()) { // scored already, as the model does
    out.right = right_of_one;
    return out;
  }
  const auto right = right_weight(body, rows, pool, clear.known());
  if (!right) return std::unexpected(right.error());
  out.right = *right;
  return out;
}

} // namespace recta::svm
