#include "family/svm/hard.hpp"

#include "family/params.hpp"
#include "family/two_classes.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::svm {
namespace {

std::unexpected<Error> no_hyperplane(const Separability& separability, const Rows& rows) {
  std::vector<std::string> witness;
  for (const Multiplier& multiplier : separability.multipliers) {
    if (witness.size() == 12) {
      witness.push_back(fmt::format("and {} more", separability.multipliers.size() - 12));
      break;
    }
    witness.push_back(
        fmt::format("row {} ({})", multiplier.row,
                    multiplier.fraction.empty() ? fmt::format("{:.6g}", multiplier.value) : multiplier.fraction));
  }
  if (separability.verdict == Separation::undecided)
    return fail(ErrorCode::bad_data, rows.name, "whether a hyperplane separates the classes could not be decided",
                "leave out hard: losses have an answer for any rows");
  return fail(ErrorCode::bad_data, rows.name,
              fmt::format("no hyperplane separates the classes: with these multipliers the rows of both cancel: {}",
                          fmt::join(witness, ", ")),
              "leave out hard: losses have an answer for any rows");
}

// Multipliers a that add up to one give v = sum a y x with |v| the margin, and w = v / |v|^2.
Part part_of(const Separability& separability, const MachineRows& held, Machine& machine) {
  Part part{.cost = 0};
  part.w = separability.weights;
  part.b = part.b_low = part.b_high = separability.b;
  for (const double w : part.w) part.squared += w * w;
  for (const Multiplier& multiplier : separability.multipliers) {
    if (multiplier.value == 0) continue;
    part.support.push_back(std::ssize(machine.vectors.rows));
    machine.vectors.rows.push_back(multiplier.row - 1);
    part.beta.push_back(multiplier.value * part.squared * held.target[at(multiplier.row - 1)]);
  }
  return part;
}

// The hyperplane as it is: the smallest y f(x) and the margin it has, against the widest there is.
Certificate judged(const Part& part, const MachineRows& held, const Separability& separability, double tolerance) {
  double nearest = kInfinity;
  std::vector<double> x(at(held.held->cols()));
  for (std::size_t i = 0; i < held.target.size(); ++i) {
    if (!(held.weight[i] > 0)) continue;
    held.write_out(static_cast<Index>(i), x.data());
    double f = part.b;
    for (std::size_t j = 0; j < x.size(); ++j) f += part.w[j] * x[j];
    nearest = std::min(nearest, held.target[i] * f);
  }
  double squared = 0;
  for (const double w : part.w) squared += w * w;
  Certificate out;
  const double margin = nearest / std::sqrt(squared);
  const double widest = separability.margin_upper;
  out.claim = SeparatingHyperplane{margin, std::max(0.0, (1 / (margin * margin) - 1 / (widest * widest)) / 2)};
  out.objective = squared / 2, out.null_objective = out.objective;
  out.tolerance = tolerance;
  out.passes = separability.looks + 3;
  out.stop = separability.exact ? "solved in whole numbers" : "solved by working sets";
  const bool is_widest = margin >= widest * (1 - 1e-9) && std::abs(nearest - 1) <= 1e-9;
  out.verdict = !is_widest ? Verdict::refuted : separability.proved ? Verdict::proved : Verdict::within_tolerance;
  out.conditions.push_back(fmt::format("no margin is wider than {:.15g}{}", widest,
                                       separability.exact ? ", exactly as multipliers in whole numbers show" : ""));
  if (std::abs(part.squared - squared) > 1e-9 * squared || part.b_low != part.b || part.b_high != part.b ||
      part.cost != 0 || part.positive != 0 || part.negative != 0) {
    out.verdict = Verdict::refuted;
    out.conditions.emplace_back("the figures of its hyperplane are not those of its weights");
  }
  return out;
}

// The multipliers are those of the weights: none pulls away from its class, they cancel, and sum beta x is w.
bool are_multipliers_of(const Part& part, const Machine& machine, const MachineRows& held) {
  std::vector<double> x(part.w.size()), sum(part.w.size()), size(part.w.size());
  double all = 0, of_all = 0;
  for (std::size_t k = 0; k < part.support.size(); ++k) {
    const Index row = machine.vectors.rows[at(part.support[k])];
    if (row >= std::ssize(held.target) || !(part.beta[k] * held.target[at(row)] > 0)) return false;
    held.write_out(row, x.data());
    for (std::size_t j = 0; j < x.size(); ++j) sum[j] += part.beta[k] * x[j], size[j] += std::abs(part.beta[k] * x[j]);
    all += part.beta[k], of_all += std::abs(part.beta[k]);
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    if (std::abs(sum[j] - part.w[j]) > 1e-6 * (size[j] + std::abs(part.w[j]))) return false;
  return !machine.intercept || std::abs(all) <= 1e-6 * of_all;
}

} // namespace

Result<Model> fit_hard(const Request& request, Schema schema, const Rows& rows, const MachineRows& held, Model model,
                       Pool& pool, const Clock& clock) {
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  const auto two = two_classes(schema, rows);
  if (!two) return std::unexpected(two.error());
  const auto separability = prove_separation(*two, request.options->intercept, pool, clock.watch());
  if (!separability) return std::unexpected(separability.error());
  if (separability->verdict != Separation::separable) return no_hyperplane(*separability, rows);
  Machine machine{.kernel = {},
                  .classes = 2,
                  .intercept = request.options->intercept,
                  .against_rest = false,
                  .vectors = {},
                  .parts = {}};
  machine.vectors.features = held.held->cols(), machine.vectors.sparse = held.sparse();
  machine.parts.push_back(part_of(*separability, held, machine));
  FitSummary summary;
  summary.solver = "nearest-point";
  summary.reason = "a hard margin: the nearest points of the hulls of both classes";
  for (const double v : held.weight) summary.rows += v > 0 ? 1 : 0, summary.weight_sum += v;
  summary.weights_are = request.options->weights_are;
  summary.classes.accuracy = 1;
  model.certificate = judged(machine.parts[0], held, *separability, request.options->tolerance);
  short_of_proof(model.certificate);
  model.objective = objective_text(spec_of(request.params, true), summary.weight_sum);
  model.body = std::make_shared<MachineBody>(std::move(machine), std::move(summary));
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_hard(const Model& model, const MachineBody& body, const Rows& rows, const MachineRows& held,
                                Pool& pool, const Clock& clock) {
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  const auto two = two_classes(model.schema, rows);
  if (!two) return std::unexpected(two.error());
  const auto separability = prove_separation(*two, body.machine().intercept, pool, clock.watch());
  if (!separability) return std::unexpected(separability.error());
  const Part& part = body.machine().parts[0];
  Certificate out = judged(part, held, *separability, model.certificate.tolerance);
  const auto refute_unless = [&](bool holds, const char* why) {
    if (holds) return;
    out.verdict = Verdict::refuted;
    out.conditions.emplace_back(why);
  };
  refute_unless(are_multipliers_of(part, body.machine(), held), "the multipliers are not those of its weights");
  FitSummary again;
  for (const double v : held.weight) again.rows += v > 0 ? 1 : 0, again.weight_sum += v;
  const FitSummary& stated = body.summary();
  refute_unless(stated.rows == again.rows && std::abs(stated.weight_sum - again.weight_sum) <= 1e-9 * again.weight_sum,
                "the rows or the sum of their weights are not those of the file");
  refute_unless(body.machine().kernel == kernel::Settings{}, "a hard margin is that of the linear kernel");
  return out;
}

} // namespace recta::svm
