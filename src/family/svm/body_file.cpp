// A machine in a model file. Nothing that is read is believed before it is compared with everything it points into.
#include "base/numbers.hpp"
#include "family/svm/body.hpp"
#include "feature/schema.hpp"

#include <algorithm>

namespace recta::svm {
namespace {

constexpr Index kPartNumbers = 5; // b, b_low, b_high, cost, squared
constexpr Index kPartCounts = 3;  // positive, negative, support vectors

// The rule that gives the coefficients of the rows, if they are not listed.
void write_rule(const Machine& machine, TensorWriter& out) {
  if (!machine.by_rule()) return;
  std::vector<double> rule;
  for (const Part& part : machine.parts) rule.insert(rule.end(), part.rule.begin(), part.rule.end());
  out.add("svm.rule", rule, {std::ssize(machine.parts), machine.vectors.features + 2});
  out.add("svm.centre", machine.centre, {std::ssize(machine.centre)});
}

void read_rule(FieldReader& in, Machine& machine) {
  if (!in.ok() || !in.has("svm.rule")) return;
  const auto rule = in.doubles("svm.rule");
  machine.centre = in.doubles("svm.centre");
  const std::size_t each = at(machine.vectors.features + 2);
  in.require(machine.linear() && machine.classes > 0 && machine.vectors.rows.empty() && !machine.centre.empty() &&
                 std::ssize(machine.centre) == machine.vectors.features && rule.size() == each * machine.parts.size(),
             "\"svm.rule\" does not belong to its parts");
  for (std::size_t p = 0; p < machine.parts.size() && in.ok(); ++p) {
    const auto first = rule.begin() + static_cast<std::ptrdiff_t>(p * each);
    machine.parts[p].rule.assign(first, first + static_cast<std::ptrdiff_t>(each));
    in.require(machine.parts[p].rule.back() > 0, "a width in \"svm.rule\" is not above 0");
  }
}

// The machines of nu without the weights of classes.
void write_witnesses(const Machine& machine, TensorWriter& out) {
  std::vector<Index> counts, rows;
  std::vector<double> beta, b;
  for (const auto& part : machine.parts) {
    const Witness& witness = part.of_nu;
    counts.push_back(std::ssize(witness.rows)), b.push_back(witness.b);
    rows.insert(rows.end(), witness.rows.begin(), witness.rows.end());
    beta.insert(beta.end(), witness.beta.begin(), witness.beta.end());
  }
  if (rows.empty()) return;
  out.add("svm.nu_counts", counts, {std::ssize(counts)});
  out.add("svm.nu_rows", rows, {std::ssize(rows)});
  out.add("svm.nu_beta", beta, {std::ssize(beta)});
  out.add("svm.nu_intercepts", b, {std::ssize(b)});
}

void write_parts(const Machine& machine, TensorWriter& out) {
  std::vector<double> numbers, beta, w;
  std::vector<Index> counts, support;
  for (const Part& part : machine.parts) {
    numbers.insert(numbers.end(), {part.b, part.b_low, part.b_high, part.cost, part.squared});
    counts.insert(counts.end(), {part.positive, part.negative, std::ssize(part.support)});
    beta.insert(beta.end(), part.beta.begin(), part.beta.end());
    support.insert(support.end(), part.support.begin(), part.support.end());
    w.insert(w.end(), part.w.begin(), part.w.end());
  }
  const auto parts = std::ssize(machine.parts);
  out.add("svm.part_numbers", numbers, {parts, kPartNumbers});
  out.add("svm.part_counts", counts, {parts, kPartCounts});
  out.add("svm.beta", beta, {std::ssize(beta)});
  out.add("svm.support", support, {std::ssize(support)});
  if (machine.linear()) out.add("svm.weights", w, {parts, machine.vectors.features});
  write_rule(machine, out);
  write_witnesses(machine, out);
  if (machine.finds_tube) out.add("svm.epsilon", std::vector<double>{machine.parts[0].epsilon}, {1});
}

bool ascends(const std::vector<Index>& numbers, std::size_t first, std::size_t count) {
  for (std::size_t k = first + 1; k < first + count; ++k)
    if (numbers[k] <= numbers[k - 1]) return false;
  return true;
}

void read_witnesses(FieldReader& in, Machine& machine) {
  if (!in.ok() || !in.has("svm.nu_counts")) return;
  const auto counts = in.counts("svm.nu_counts"), rows = in.counts("svm.nu_rows");
  const auto beta = in.doubles("svm.nu_beta"), b = in.doubles("svm.nu_intercepts");
  in.require(machine.classes >= 2 && counts.size() == machine.parts.size() && b.size() == counts.size() &&
                 rows.size() == beta.size(),
             "\"svm.nu_counts\" does not belong to its parts");
  std::size_t from = 0;
  for (std::size_t p = 0; p < counts.size() && in.ok(); ++p) {
    in.require(at(counts[p]) <= rows.size() - from && ascends(rows, from, at(counts[p])),
               "\"svm.nu_rows\" does not belong to its parts");
    if (!in.ok()) return;
    const auto first = static_cast<std::ptrdiff_t>(from), end = first + counts[p];
    machine.parts[p].of_nu = {
        {rows.begin() + first, rows.begin() + end}, {beta.begin() + first, beta.begin() + end}, b[p]};
    from += at(counts[p]);
  }
  in.require(from == rows.size(), "\"svm.nu_rows\" is too long");
}

void read_parts(FieldReader& in, Machine& machine) {
  const auto numbers = in.doubles("svm.part_numbers");
  const auto counts = in.counts("svm.part_counts");
  const auto beta = in.doubles("svm.beta");
  const auto support = in.counts("svm.support");
  const auto w = machine.linear() ? in.doubles("svm.weights") : std::vector<double>{};
  if (!in.ok()) return;
  const auto parts = std::ssize(counts) / kPartCounts, pairs = machine.classes * (machine.classes - 1) / 2;
  const Index expected = machine.classes < 3 ? 1 : machine.against_rest ? machine.classes : pairs;
  in.require(parts == expected && std::ssize(counts) == parts * kPartCounts &&
                 std::ssize(numbers) == parts * kPartNumbers && beta.size() == support.size() &&
                 (!machine.linear() || std::ssize(w) == parts * machine.vectors.features),
             "the parts of the machine have other sizes than its classes ask for");
  std::size_t from = 0;
  for (Index p = 0; p < parts && in.ok(); ++p) {
    Part part;
    part.positive = counts[at(p * kPartCounts)], part.negative = counts[at(p * kPartCounts + 1)];
    const std::size_t size = at(counts[at(p * kPartCounts + 2)]);
    in.require(part.positive < std::max<Index>(1, machine.classes) && part.negative <= machine.classes &&
                   (machine.classes < 3 || machine.against_rest || part.negative < machine.classes),
               "a part is of a class that is not there");
    in.require(size <= beta.size() - from, "\"svm.beta\" is too short");
    if (!in.ok()) return;
    in.require(ascends(support, from, size) &&
                   (size == 0 || support[from + size - 1] < std::ssize(machine.vectors.rows)),
               "\"svm.support\" points beyond the vectors");
    part.support.assign(support.begin() + static_cast<std::ptrdiff_t>(from),
                        support.begin() + static_cast<std::ptrdiff_t>(from + size));
    part.beta.assign(beta.begin() + static_cast<std::ptrdiff_t>(from),
                     beta.begin() + static_cast<std::ptrdiff_t>(from + size));
    from += size;
    const double* const part_numbers = numbers.data() + p * kPartNumbers;
    part.b = part_numbers[0], part.b_low = part_numbers[1], part.b_high = part_numbers[2], part.cost = part_numbers[3],
    part.squared = part_numbers[4];
    if (machine.linear())
      part.w.assign(w.begin() + p * machine.vectors.features, w.begin() + (p + 1) * machine.vectors.features);
    machine.parts.push_back(std::move(part));
  }
  in.require(from == beta.size(), "\"svm.beta\" is too long");
  machine.finds_tube = in.has("svm.epsilon");
  if (!machine.finds_tube || !in.ok()) return;
  const auto tube = in.doubles("svm.epsilon");
  in.require(machine.classes == 0 && tube.size() == 1 && tube[0] >= 0,
             "\"svm.epsilon\" is not half the width of a tube");
  if (in.ok()) machine.parts[0].epsilon = tube[0];
}

} // namespace

void MachineBody::write(TensorWriter& out) const {
  write_kernel(out, "svm", machine_.kernel);
  const std::vector<Index> shape{machine_.vectors.features,       machine_.classes,
                                 machine_.intercept ? 1 : 0,      machine_.against_rest ? 1 : 0,
                                 machine_.vectors.sparse ? 1 : 0, machine_.kernel.degree};
  out.add("svm.shape", shape, {std::ssize(shape)});
  machine_.vectors.write(out, "svm", machine_.linear());
  write_parts(machine_, out);
}

Result<std::shared_ptr<const Body>> MachineBody::read(FieldReader& in, FitSummary summary, const Schema& schema) {
  Machine machine;
  const auto shape = in.counts("svm.shape");
  in.require(shape.size() == 6, "its kernel is not described");
  if (!in.ok()) return in.error();
  machine.kernel = read_kernel(in, "svm", shape[5]);
  in.require(shape[2] <= 1 && shape[3] <= 1 && shape[4] <= 1, "an answer of yes or no is neither 0 nor 1");
  KernelVectors& vectors = machine.vectors;
  vectors.features = shape[0], vectors.sparse = shape[4] != 0;
  machine.classes = shape[1], machine.intercept = shape[2] != 0, machine.against_rest = shape[3] != 0;
  in.require(vectors.features == feature::feature_count(schema), "its columns do not make the features it reads");
  in.require(machine.classes == schema.classes.count(), "it has another number of classes than its target");
  if (in.ok()) vectors.read(in, "svm", *kernel::make_kernel(machine.kernel), schema, machine.linear());
  if (in.ok()) read_parts(in, machine);
  read_rule(in, machine);
  read_witnesses(in, machine);
  if (!in.ok()) return in.error();
  return std::make_shared<const MachineBody>(std::move(machine), std::move(summary));
}

} // namespace recta::svm
