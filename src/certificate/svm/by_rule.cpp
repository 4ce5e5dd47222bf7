#include "certificate/svm/by_rule.hpp"

#include "base/sums.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <numeric>

namespace recta::svm {
namespace {

// The numbers of one row and their columns: all of them, or those that a sparse row stores. About a centre that is not
// zero the others count as well.
class StoredRow {
public:
  StoredRow(const PresentBlock& block, const std::vector<double>& centre)
      : block_(block), whole_(std::ranges::any_of(centre, [](double c) { return c != 0; })) {}

  std::vector<double> x;
  std::vector<std::size_t> column;

  void take(Index i) {
    const auto* dense = std::get_if<MatrixView>(&block_.x());
    if (dense || whole_) {
      x.assign(at(block_.cols()), 0.0), column.resize(x.size());
      std::iota(column.begin(), column.end(), std::size_t{0});
    }
    if (dense) {
      for (std::size_t j = 0; j < x.size(); ++j) x[j] = element(*dense, i, static_cast<Index>(j));
      return;
    }
    if (!whole_) x.clear(), column.clear();
    const SparseRow row = sparse_row(std::get<SparseView>(block_.x()), i);
    for (Index s = 0; s < row.count; ++s)
      if (whole_)
        x[at(row.column(s))] = row.value[s];
      else
        x.push_back(row.value[s]), column.push_back(at(row.column(s)));
  }

private:
  const PresentBlock& block_;
  bool whole_;
};

struct RuleScore {
  double z = 0, off = 0; // off: how far the exact score can be
};

RuleScore score(const RuleMachine& machine, const StoredRow& row) {
  CompensatedSum sum;
  double size = std::abs(machine.b);
  sum.add(machine.b);
  for (std::size_t s = 0; s < row.x.size(); ++s) {
    const double x = row.x[s], w = machine.w[row.column[s]];
    sum.add_product(x, w);
    size += std::abs(x * w);
  }
  const auto terms = static_cast<double>(row.x.size() + 2);
  return {sum.value(), 0x1p-53 * std::abs(sum.value()) + terms * terms * 0x1p-104 * size};
}

// d of the rule. It is what it is computed to be: any number inside the box is a coefficient.
double coefficient(const RuleClaim& claim, const RuleMachine& machine, const StoredRow& row, double t) {
  CompensatedSum sum;
  sum.add(machine.rule.back());
  for (std::size_t s = 0; s < row.x.size(); ++s) {
    const std::size_t j = row.column[s];
    const DoubleDouble from_centre = two_sum(row.x[s], -claim.centre[j]);
    sum.add_product(from_centre.hi, machine.rule[j]);
    sum.add(from_centre.lo * machine.rule[j]);
  }
  const double d = (1 - t * sum.value()) / machine.width;
  if (!(d > 0)) return 0;
  if (squared(claim.terms.loss)) return std::isfinite(d) ? d : 0;
  return std::min(d, 1.0);
}

void add_row(const RuleClaim& claim, const RuleMachine& machine, const StoredRow& row, double t, double v,
             RuleSums& sums) {
  const RowTerms& terms = claim.terms;
  const RuleScore scored = score(machine, row);
  const double d = coefficient(claim, machine, row, t), share = v * d, lack = std::abs(terms.beyond(t, scored.z));
  const bool inside = d > 0 && (squared(terms.loss) || d < 1);
  RuleSums::Group& group = sums.groups[(t > 0 ? 2 : 0) + (inside ? 1 : 0)];
  group.mass = group.mass + share;
  group.gap = group.gap + two_prod(v, terms.fenchel_young(t, scored.z, t * d));
  group.loss = group.loss + two_prod(v, terms.value(t, scored.z));
  // 1 - t z is rounded once more; v d is rounded where d is not 0 or 1, and FY was computed for d itself.
  const double off = scored.off + 0x1p-52 * (std::abs(scored.z) + 2);
  sums.slack += v * off * terms.steepness(t, scored.z, d, off) + (inside ? 0x1p-52 * share * (lack + d) : 0);
  sums.weight[t > 0] = sums.weight[t > 0] + v;
  ++sums.count;
  if (share == 0) return;
  for (std::size_t s = 0; s < row.x.size(); ++s) {
    const double x = row.x[s];
    const std::size_t j = row.column[s];
    if (x == 0) continue;
    group.pull[j] = group.pull[j] + two_prod(t * share, x);
    group.sizes[j] += std::abs(share * x);
  }
}

// The groups of one side scaled down by 1 - eta, so that the coefficients add up to zero.
struct Balance {
  std::array<double, 4> eta{}, off{}; // off: how far the exact eta can be
};

Balance balance(const RuleSums& sums) {
  const auto mass = [&](std::size_t side) { return sums.groups[2 * side].mass + sums.groups[2 * side + 1].mass; };
  const DoubleDouble apart = mass(1) - mass(0);
  const std::size_t larger = apart.hi > 0;
  const double excess = std::abs(apart.hi), inside = sums.groups[2 * larger + 1].mass.hi, all = mass(larger).hi;
  Balance out;
  if (excess == 0) return out;
  const bool enough = inside > 0 && excess <= inside;
  const double scaled = enough ? inside : all, eta = std::min(1.0, excess / scaled);
  // The quotient is rounded a few times; masses are sums in double-double over blocks of at most 2^13 rows.
  const double off = 0x1p-50 * eta + 0x1p-90 * (all / scaled);
  for (std::size_t zone = enough ? 1 : 0; zone < 2; ++zone)
    out.eta[2 * larger + zone] = eta, out.off[2 * larger + zone] = off;
  return out;
}

double null_of(const RuleClaim& claim, const RuleSums& sums, double cost) {
  const double minus = sums.weight[0].hi, plus = sums.weight[1].hi, all = minus + plus;
  const bool square = squared(claim.terms.loss), free = claim.intercept && claim.intercept_scale == 0;
  if (!free) return cost * all / (square ? 2 : 1);
  return 2 * cost * (square ? minus * (plus / all) : std::min(minus, plus));
}

// 1/2 |w - sum beta x|^2 and the penalty, summed up column by column.
class Residual {
public:
  Residual(const RuleSums& sums, const Balance& balance, double cost) : sums_(sums), balance_(balance), cost_(cost) {}

  void add_column(std::size_t j, double w) {
    DoubleDouble sum;
    double size = 0, scaled = 0;
    for (std::size_t g = 0; g < 4; ++g) {
      const RuleSums::Group& group = sums_.groups[g];
      const double eta = balance_.eta[g];
      sum = sum + (eta > 0 ? group.pull[j] * (DoubleDouble(1) - eta) : group.pull[j]);
      size += group.sizes[j];
      scaled += balance_.off[g] * group.sizes[j];
    }
    add(w, sum, size, scaled, 0);
  }
  // The column of an intercept that is penalised: the number `scale` in every row.
  void add_intercept(double b, double scale) {
    DoubleDouble sum;
    double size = 0;
    for (std::size_t g = 0; g < 4; ++g) {
      const DoubleDouble mass = sums_.groups[g].mass * scale;
      sum = g < 2 ? sum - mass : sum + mass;
      size += mass.hi;
    }
    add(b / scale, sum, size, 0, 0x1p-53 * std::abs(b / scale));
  }
  double gap() const { return residual_.value() / 2; }
  double slack() const { return slack_ / 2; }
  double squares() const { return squares_.value(); }

private:
  void add(double w, DoubleDouble sum, double size, double scaled, double rounded) {
    const double short_of = (DoubleDouble(w) - sum * cost_).hi;
    const double off = 0x1p-52 * std::abs(short_of) + 0x1p-80 * (cost_ * size + std::abs(w)) + cost_ * scaled + rounded;
    residual_.add_product(short_of, short_of);
    slack_ += off * (2 * std::abs(short_of) + off);
    squares_.add_product(w, w);
  }

  const RuleSums& sums_;
  const Balance& balance_;
  double cost_, slack_ = 0;
  CompensatedSum residual_, squares_;
};

template <class Number, class Use>
void each_number(Number& sums, const Use& use) {
  for (auto& group : sums.groups) {
    for (auto* one : {&group.mass, &group.gap, &group.loss}) use(one->hi), use(one->lo);
    for (auto& pull : group.pull) use(pull.hi), use(pull.lo);
    for (auto& one : group.sizes) use(one);
  }
  for (auto& class_weight : sums.weight) use(class_weight.hi), use(class_weight.lo);
  use(sums.slack);
}

RuleSums empty_sums(std::size_t cols) {
  RuleSums out;
  for (auto& group : out.groups) group.pull.resize(cols), group.sizes.resize(cols);
  return out;
}

} // namespace

RuleJudge::RuleJudge(std::shared_ptr<const RuleClaim> claimed)
    : claim(std::move(claimed)), machines(claim->machines.size(), empty_sums(claim->centre.size())) {}

void RuleJudge::accumulate(const Batch& batch) {
  PresentBlock block;
  block.take(batch, 0);
  StoredRow row(block, claim->centre);
  for (Index i = 0; i < block.rows(); ++i) {
    row.take(i);
    for (std::size_t k = 0; k < machines.size(); ++k) {
      const RuleMachine& machine = claim->machines[k];
      const double t = machine.sides.of(block.y[at(i)]);
      if (t != 0) add_row(*claim, machine, row, t, block.v[at(i)], machines[k]);
    }
  }
}

void RuleJudge::merge(const RuleJudge& other) {
  for (std::size_t k = 0; k < machines.size(); ++k) {
    RuleSums& to = machines[k];
    const RuleSums& from = other.machines[k];
    for (std::size_t g = 0; g < 4; ++g) {
      RuleSums::Group& ours = to.groups[g];
      const RuleSums::Group& theirs = from.groups[g];
      ours.mass = ours.mass + theirs.mass, ours.gap = ours.gap + theirs.gap, ours.loss = ours.loss + theirs.loss;
      for (std::size_t j = 0; j < ours.pull.size(); ++j) {
        ours.pull[j] = ours.pull[j] + theirs.pull[j];
        ours.sizes[j] += theirs.sizes[j];
      }
    }
    for (std::size_t side = 0; side < 2; ++side) to.weight[side] = to.weight[side] + from.weight[side];
    to.slack += from.slack, to.count += from.count;
  }
}

std::string RuleJudge::to_bytes() const {
  StateWriter out("rule");
  out.put(std::ssize(machines));
  for (const RuleSums& machine_sums : machines) {
    out.put(std::ssize(machine_sums.groups[0].pull));
    out.put(machine_sums.count);
    each_number(machine_sums, [&](double number) { out.put(number); });
  }
  return out.take();
}

Result<RuleJudge> RuleJudge::from_bytes(std::string_view bytes) {
  StateReader in("rule", bytes);
  RuleJudge out;
  const Index count = in.index();
  in.require(count >= 0 && count <= std::ssize(bytes));
  for (Index k = 0; k < count && in.good(); ++k) {
    const Index cols = in.index();
    in.require(cols >= 0 && cols <= std::ssize(bytes));
    if (!in.good()) break;
    RuleSums machine_sums = empty_sums(at(cols));
    machine_sums.count = in.index();
    in.require(machine_sums.count >= 0);
    each_number(machine_sums, [&](double& number) { number = in.number(); });
    out.machines.push_back(std::move(machine_sums));
  }
  if (!in.done()) return damaged_state("the proof of machines");
  return out;
}

bool RuleJudge::same_kind(const RuleJudge& other) const {
  if (machines.size() != other.machines.size()) return false;
  for (std::size_t k = 0; k < machines.size(); ++k)
    if (machines[k].groups[0].pull.size() != other.machines[k].groups[0].pull.size()) return false;
  return true;
}

Proof RuleJudge::proof(std::size_t k) const {
  const RuleMachine& machine = claim->machines[k];
  const RuleSums& sums = machines[k];
  const bool free = claim->intercept && claim->intercept_scale == 0;
  const Balance scaled = free ? balance(sums) : Balance{};
  DoubleDouble gap, loss;
  double slack = sums.slack;
  for (std::size_t g = 0; g < 4; ++g) {
    const double eta = scaled.eta[g];
    const RuleSums::Group& group = sums.groups[g];
    gap = gap + group.gap * (DoubleDouble(1) - eta) + group.loss * eta;
    loss = loss + group.loss;
    slack += scaled.off[g] * (group.gap.hi + group.loss.hi);
  }
  Residual residual(sums, scaled, machine.cost);
  for (std::size_t j = 0; j < machine.w.size(); ++j) residual.add_column(j, machine.w[j]);
  Proof out;
  out.squared = residual.squares();
  if (claim->intercept_scale > 0) residual.add_intercept(machine.b, claim->intercept_scale);
  out.primal = machine.cost * loss.hi + residual.squares() / 2;
  out.gap = machine.cost * gap.hi + residual.gap();
  out.slack = machine.cost * slack + residual.slack() + 0x1p-50 * out.gap; // the terms of FY, each rounded a few times
  out.null = null_of(*claim, sums, machine.cost);
  out.weight = (sums.weight[0] + sums.weight[1]).hi;
  out.count = sums.count;
  if (!(machine.width > 0) || !std::isfinite(machine.width)) out.gap = kInfinity;
  return out;
}

RuleJudged certify(const RuleJudge& sums, const RuleStated& stated) {
  RuleJudged out;
  Joined all(stated.tolerance, stated.ended);
  for (std::size_t p = 0; p < stated.parts.size(); ++p) {
    const StatedPart& part = stated.parts[p];
    const Proof proof = sums.proof(p);
    const double cost = stated.cost(proof.weight);
    all.add(proof, 1 / (cost * proof.weight));
    all.differences.compare("C", part.cost, cost, kStatedSums * cost);
    all.differences.compare("|w|^2", part.squared, proof.squared, kStatedSums * proof.squared);
    all.differences.compare("the lower end of the intercept", part.b_low, part.b, 0);
    all.differences.compare("the upper end of the intercept", part.b_high, part.b, 0);
    compare_part(part, {}, all.differences);
    out.weight = std::max(out.weight, proof.weight);
  }
  out.certificate = all.certificate(true);
  auto& conditions = out.certificate.conditions;
  conditions.emplace_back("the multiplier of every row was computed again by the rule of the model");
  if (stated.parts.size() > 1) conditions.push_back(machines_text(stated.parts.size(), stated.against_rest));
  return out;
}

} // namespace recta::svm
