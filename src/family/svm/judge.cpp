#include "family/svm/judge.hpp"

#include "family/svm/nu.hpp"

#include <algorithm>

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

// The machine of nu of the rows without the weights of their classes; nothing if the part has none. `points`: room for
// its rows.
std::optional<Claimed> claim_of_nu(const MachineBody& body, const Part& part, const MachineSpec& spec,
                                   const MachineRows& rows, double tolerance, kernel::Points& points) {
  const Witness& witness = part.of_nu;
  if (witness.rows.empty() || witness.rows.back() >= *rows.held->rows()) return {};
  Claimed out{.terms = spec.terms, .cost = part.cost, .rows = witness.rows, .beta = witness.beta, .b = witness.b};
  out.tolerance = tolerance;
  points = rows.points(witness.rows, body.kernel());
  if (body.machine().linear())
    out.w = rows.combination(witness.rows, witness.beta);
  else
    out.kernel = &body.kernel(), out.points = &points;
  return out;
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

StatedPart stated_part(const Machine& machine, const Part& part) {
  return {part.positive, part.negative, part.cost, part.squared, part.b, part.b_low, part.b_high, machine.intercept};
}

std::vector<std::span<const Index>> supports_of(const Machine& machine) {
  std::vector<std::span<const Index>> out;
  for (const Part& part : machine.parts) out.emplace_back(part.support);
  return out;
}

Result<Judged> judge_machine(Work& work, const MachineSpec& spec, const MachineRows& rows, const Draft& draft,
                             const Watch& watch) {
  const MachineBody& body = *draft.body;
  const Machine& machine = body.machine();
  const double tolerance = work.options().tolerance;
  const auto sides = rows.sides(machine.against_rest);
  ClearRows clear(std::ssize(rows.target), machine.against_rest ? rows.classes : rows.classes - 1);
  const bool weighs_classes = spec.finds_margin() && rows.weighs_classes();
  const auto drawn = weighs_classes ? rows.sides(machine.against_rest, rows.drawn) : std::vector<MachineRows::Side>{};
  MachineJudge judge({body.kernel(), tolerance, ended_of(draft), spec.nu, machine.against_rest, weighs_classes},
                     *rows.held, work.pool, watch);
  for (std::size_t p = 0; p < sides.size(); ++p) {
    const Part& part = machine.parts[p];
    const MachineRows::Side& side = sides[p];
    kernel::Points room, room_of_nu;
    const kernel::Points& points = machine.linear() ? room : body.points_of(part, room);
    // C of a row of weight 1: asked for, or found with the machine and shown to be that of nu by its multipliers.
    const double cost = spec.finds_margin() ? part.cost : spec.cost(side.total);
    PartClaim claim{claim_of(body, part, spec, cost, points, tolerance),
                    stated_part(machine, part),
                    side.positive,
                    side.negative,
                    side.target,
                    side.weight,
                    spec_of_side(spec, rows, weighs_classes ? drawn[p] : side).nu};
    if (weighs_classes) {
      claim.of_nu = claim_of_nu(body, part, spec, rows, tolerance, room_of_nu);
      claim.drawn_target = drawn[p].target, claim.drawn_weight = drawn[p].weight;
    }
    const auto rows_clear = judge.add(claim);
    if (!rows_clear) return std::unexpected(rows_clear.error());
    clear.add(*rows_clear);
  }
  auto judged = judge.take(std::ssize(machine.vectors.rows), supports_of(machine));
  if (!judged) return judged;
  if (rows.classes == 0) judged->right = kNaN;
  if (rows.classes == 0 || (sides.size() == 1 && !machine.linear())) return judged; // scored already, as the model does
  const auto right = right_weight(body, rows, work.pool, clear.known());
  if (!right) return std::unexpected(right.error());
  judged->right = *right;
  return judged;
}

} // namespace recta::svm
