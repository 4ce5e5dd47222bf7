#include "family/kernel_perceptron/body.hpp"

#include "feature/schema.hpp"
#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>

namespace recta::kernel_perceptron {
namespace {

constexpr const char* kPrefix = "kernel_perceptron";
constexpr Index kPartNumbers = 6; // b, mistakes, presented, norm, least, bound

std::string part_name(const Learned& learned, std::size_t p, const Schema& schema) {
  const auto& labels = schema.classes.labels;
  const Index positive = learned.parts.size() == 1 ? schema.classes.positive : static_cast<Index>(p);
  if (learned.parts.size() > 1) return labels[at(positive)] + " against the rest";
  return labels[at(positive)] + " against " + labels[at(1 - positive)];
}

} // namespace

Result<void> PerceptronBody::score(const Batch& rows, ScoresOf, double* out) const {
  std::fill(out, out + rows.rows() * scores(), kNaN);
  std::vector<Expanded> parts;
  for (const Part& part : learned_.parts) parts.push_back({part.support, part.beta, part.b});
  return expand(learned_.kernel, *kernel_, points_, rows, parts, out);
}

Report PerceptronBody::report(const Schema& schema) const {
  Report out;
  out.figures.push_back(
      {"support_vectors", "rows that were mistakes", static_cast<double>(learned_.vectors.rows.size())});
  Report::Table parts{
      "parts", "perceptrons", {"part", "rows", "mistakes", "presented", "intercept", "margin", "bound"}, {}};
  Report::Table support{"support", "rows that were mistakes", {"row", "part", "coefficient"}, {}};
  for (std::size_t p = 0; p < learned_.parts.size(); ++p) {
    const Part& part = learned_.parts[p];
    const std::string name = part_name(learned_, p, schema);
    parts.rows.push_back({name, static_cast<double>(part.support.size()), part.mistakes, part.presented, part.b,
                          part.norm > 0 ? part.least / part.norm : kNaN, part.bound});
    for (std::size_t k = 0; k < part.support.size(); ++k)
      support.rows.push_back({static_cast<double>(learned_.vectors.rows[at(part.support[k])] + 1), name, part.beta[k]});
  }
  out.tables.push_back(std::move(parts));
  out.tables.push_back(std::move(support));
  return out;
}

void PerceptronBody::write(TensorWriter& out) const {
  const std::string prefix = kPrefix;
  write_kernel(out, prefix, learned_.kernel);
  const std::vector<Index> shape{learned_.vectors.features, learned_.classes, learned_.intercept ? 1 : 0,
                                 learned_.vectors.sparse ? 1 : 0, learned_.kernel.degree};
  out.add(prefix + ".shape", shape, {std::ssize(shape)});
  learned_.vectors.write(out, prefix, false);
  std::vector<double> numbers, beta;
  std::vector<Index> counts, support;
  for (const Part& part : learned_.parts) {
    numbers.insert(numbers.end(), {part.b, part.mistakes, part.presented, part.norm, part.least, part.bound});
    counts.push_back(std::ssize(part.support));
    beta.insert(beta.end(), part.beta.begin(), part.beta.end());
    support.insert(support.end(), part.support.begin(), part.support.end());
  }
  put(out, prefix + ".numbers", numbers, {std::ssize(counts), kPartNumbers});
  out.add(prefix + ".counts", counts, {std::ssize(counts)});
  out.add(prefix + ".support", support, {std::ssize(support)});
  out.add(prefix + ".beta", beta, {std::ssize(beta)});
}

Result<std::shared_ptr<const Body>> PerceptronBody::read(FieldReader& in, FitSummary summary, const Schema& schema) {
  const std::string prefix = kPrefix;
  Learned out;
  const auto shape = in.counts(prefix + ".shape");
  in.require(shape.size() == 5, "its kernel is not described");
  if (!in.ok()) return in.error();
  out.kernel = read_kernel(in, prefix, shape[4]);
  in.require(shape[2] <= 1 && shape[3] <= 1, "an answer of yes or no is neither 0 nor 1");
  out.vectors.features = shape[0], out.classes = shape[1];
  out.intercept = shape[2] != 0, out.vectors.sparse = shape[3] != 0;
  in.require(out.vectors.features == feature::feature_count(schema), "its columns do not make the features it reads");
  in.require(out.classes >= 2 && out.classes == schema.classes.count(), "it has other classes than its target");
  if (in.ok()) out.vectors.read(in, prefix, *kernel::make_kernel(out.kernel), schema, false);
  const Index parts = out.classes == 2 ? 1 : out.classes;
  const auto counts = in.counts(prefix + ".counts"), support = in.counts(prefix + ".support");
  const auto beta = in.doubles(prefix + ".beta");
  const auto numbers = in.doubles_or_nan(prefix + ".numbers", {parts, kPartNumbers});
  in.require(std::ssize(counts) == parts && std::ssize(numbers) == parts * kPartNumbers &&
                 beta.size() == support.size(),
             "it does not have one perceptron per class");
  std::size_t from = 0;
  for (Index p = 0; p < parts && in.ok(); ++p) {
    const std::size_t size = at(counts[at(p)]);
    in.require(size <= support.size() - from, "a perceptron has more rows than there are");
    if (!in.ok()) break;
    Part part;
    const auto first = static_cast<std::ptrdiff_t>(from), last = static_cast<std::ptrdiff_t>(from + size);
    part.support.assign(support.begin() + first, support.begin() + last);
    part.beta.assign(beta.begin() + first, beta.begin() + last);
    in.require(std::ranges::all_of(part.support, [&](Index k) { return k < std::ssize(out.vectors.rows); }) &&
                   std::ranges::is_sorted(part.support, std::less_equal<>()),
               "a perceptron points beyond the rows");
    const double* const part_numbers = numbers.data() + p * kPartNumbers;
    part.b = part_numbers[0], part.mistakes = part_numbers[1], part.presented = part_numbers[2];
    part.norm = part_numbers[3], part.least = part_numbers[4], part.bound = part_numbers[5];
    from += size;
    out.parts.push_back(std::move(part));
  }
  in.require(from == support.size(), "rows are left over");
  if (!in.ok()) return in.error();
  return std::make_shared<const PerceptronBody>(std::move(out), std::move(summary));
}

} // namespace recta::kernel_perceptron
