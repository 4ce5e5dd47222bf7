#include "certificate/svm/machine.hpp"

#include "certificate/kernel/definite.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/svm/nu.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::svm {
namespace {

// The intercept of a part, then the ends of the interval that it states if they are others.
std::vector<double> intercepts_of(const StatedPart& part) {
  std::vector<double> out{part.b};
  for (const double end : {part.b_low, part.b_high})
    if (end != part.b) out.push_back(end);
  return out;
}

// nu lies between them.
std::string shares_text(const Proof& proof, double nu, bool margin) {
  return fmt::format("nu = {:.10g}: a share of {:.6g} of the rows is {}, and {:.6g} are support vectors", nu,
                     proof.beyond / proof.weight, margin ? "short of the margin" : "outside the tube",
                     proof.support / proof.weight);
}

} // namespace

Result<std::vector<Index>> MachineJudge::add(const PartClaim& part) {
  const double cost = part.machine.cost;
  const bool margin = labelled(part.machine.terms.loss), is_of_nu = !std::isnan(part.nu) && !claim_.weighs_classes;
  ++parts_;
  out_.squared.push_back(kNaN);
  if (!(cost > 0)) {
    joined_.differences.add(fmt::format("C is {}", cost));
    return std::vector<Index>();
  }
  const std::vector<double> intercepts = intercepts_of(part.stated);
  const JudgedRows rows{source_, part.target, part.weight};
  auto proofs = certify(part.machine, intercepts, rows, pool_, watch_);
  if (!proofs) return std::unexpected(proofs.error());
  Proof& proof = proofs->front();
  joined_.add(!is_of_nu ? proof
              : margin  ? proof_for_margin(proof, part.nu, cost)
                        : proof_for_tube(proof, part.nu, cost, part.machine.terms.epsilon, rows),
              1 / (cost * proof.weight));
  if (claim_.weighs_classes)
    if (auto good = add_machine_of_nu(part); !good) return std::unexpected(good.error());
  lesser_nu_ += part.nu < claim_.nu ? 1 : 0;
  if (is_of_nu) shares_ = shares_text(proof, part.nu, margin);
  out_.right = proof.right, out_.squared.back() = proof.squared;
  compare(part, intercepts, *proofs);
  return std::move(proof.clear);
}

// That C is the one of nu, if the part has weights of classes: by the machine of nu of the rows without them.
Result<void> MachineJudge::add_machine_of_nu(const PartClaim& part) {
  lacks_nu_ = lacks_nu_ || !part.of_nu;
  if (!part.of_nu) return {};
  const auto proof = certify(*part.of_nu, {source_, part.drawn_target, part.drawn_weight}, pool_, watch_);
  if (!proof) return std::unexpected(proof.error());
  const double cost = part.of_nu->cost;
  gap_of_nu_ += joined_.add_beside(proof_for_margin(*proof, part.nu, cost), 1 / (cost * proof->weight));
  return {};
}

// Figures that a part states of itself besides its dual point. Every intercept between the two that it states is as
// good as its own: the objective is convex in it, so that the ends are enough. `proofs` are those of the intercepts.
void MachineJudge::compare(const PartClaim& part, std::span<const double> intercepts, std::span<const Proof> proofs) {
  const StatedPart& stated = part.stated;
  Differences& differences = joined_.differences;
  const double cost = part.machine.cost;
  differences.compare("the place of a class", static_cast<double>(stated.positive), static_cast<double>(part.positive),
                      0);
  differences.compare("the place of a class", static_cast<double>(stated.negative), static_cast<double>(part.negative),
                      0);
  differences.compare("C", stated.cost, cost, kStatedSums * cost);
  compare_part(stated, part.machine.beta, differences);
  if (stated.b_low > stated.b || stated.b_high < stated.b)
    differences.add(fmt::format("the intercept {} is not between {} and {}", stated.b, stated.b_low, stated.b_high));
  const Proof& proof = proofs.front();
  for (std::size_t k = 1; k < proofs.size(); ++k)
    if (proofs[k].primal - proof.primal > claim_.tolerance * proofs[k].null + proofs[k].slack + proof.slack)
      differences.add(fmt::format("the intercept {} is not as good as {}", intercepts[k], stated.b));
}

Result<Judged> MachineJudge::take(Index vectors, std::span<const std::span<const Index>> supports) {
  if (lacks_nu_) joined_.differences.add("the machine of nu without the weights of the classes is missing");
  compare_vectors(vectors, supports, joined_.differences);
  const auto definite = is_definite(claim_.kernel, source_, pool_);
  if (!definite) return std::unexpected(definite.error());
  Certificate& certificate = out_.certificate = joined_.certificate(*definite);
  certificate.passes = 2 + static_cast<Index>(claim_.weighs_classes ? 2 * parts_ : parts_);
  auto& conditions = certificate.conditions;
  if (parts_ == 1 && !shares_.empty()) conditions.push_back(shares_);
  if (parts_ > 1) conditions.push_back(machines_text(parts_, claim_.against_rest));
  if (claim_.weighs_classes)
    conditions.push_back(fmt::format("C is that of nu = {:.10g} without the weights of the classes, by a gap of {:.2g}",
                                     claim_.nu, gap_of_nu_));
  if (lesser_nu_ > 0 && parts_ > 1)
    conditions.push_back(fmt::format("nu is less than {:.10g} in {} of them, as the weights of their classes allow",
                                     claim_.nu, lesser_nu_));
  return std::move(out_);
}

void compare(const StatedMachine& stated, Judged& judged) {
  Differences differences;
  const auto close = [&](const char* what, double one, double other) {
    if (!std::isnan(one)) differences.compare(what, one, other, kStatedSums * std::abs(other));
  };
  for (std::size_t p = 0; p < judged.squared.size(); ++p)
    close("|w|^2", std::max(0.0, stated.squared[p]), judged.squared[p]);
  if (stated.finds_tube != stated.finds_tube_asked) close("the tube", kInfinity, stated.epsilon_asked);
  compare_kernels(stated.kernel, stated.kernel_asked, differences);
  if (stated.against_rest != stated.against_rest_asked)
    close("machines, against the rest or not", stated.against_rest, stated.against_rest_asked);
  differences.refute(judged.certificate);
}

} // namespace recta::svm
