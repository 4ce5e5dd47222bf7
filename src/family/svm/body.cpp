#include "family/svm/body.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "kernel/expansion.hpp"
#include "stats/from_zero_up.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::svm {
MachineBody::MachineBody(Machine machine, FitSummary summary)
    : machine_(std::move(machine)), summary_(std::move(summary)), kernel_(kernel::make_kernel(machine_.kernel)),
      points_(machine_.vectors.features, machine_.vectors.sparse, machine_.vectors.centre(*kernel_)) {
  if (machine_.linear()) return;
  for (Index k = 0; k < std::ssize(machine_.vectors.rows); ++k) machine_.vectors.add_to(points_, k);
}

kernel::Points MachineBody::points_of(const Part& part) const {
  kernel::Points out(points_.cols(), points_.sparse(), points_.centre());
  for (const Index k : part.support) machine_.vectors.add_to(out, k);
  return out;
}

void MachineBody::score_linear(const Batch& rows, std::vector<double>& decisions) const {
  const std::size_t parts = machine_.parts.size();
  std::vector<double> z(at(rows.rows()));
  for (std::size_t p = 0; p < parts; ++p) {
    const Part& part = machine_.parts[p];
    if (const auto* dense = std::get_if<MatrixView>(&rows.x))
      simd::kernels().row_dots(*dense, part.w.data(), z.data());
    else
      simd::kernels().sparse_row_dots(std::get<SparseView>(rows.x), part.w.data(), z.data());
    for (std::size_t i = 0; i < z.size(); ++i) decisions[i * parts + p] = z[i] + part.b;
  }
}

// Some rows at a time against all support vectors.
void MachineBody::score_kernel(const Batch& rows, const std::vector<Index>& present,
                               std::vector<double>& decisions) const {
  constexpr std::size_t kTile = 64;
  const Index count = points_.count();
  std::vector<double> values(kTile * at(count)), some(at(count));
  for (std::size_t from = 0; from < present.size(); from += kTile) {
    const std::size_t held = std::min(kTile, present.size() - from);
    kernel::Queries queries;
    for (std::size_t k = 0; k < held; ++k)
      std::visit([&](const auto& view) { points_.ask(view, present[from + k], queries); }, rows.x);
    points_.values(*kernel_, queries, values.data(), count);
    for (std::size_t k = 0; k < held; ++k)
      for (std::size_t p = 0; p < machine_.parts.size(); ++p) {
        const Part& part = machine_.parts[p];
        for (std::size_t s = 0; s < part.support.size(); ++s) some[s] = values[k * at(count) + at(part.support[s])];
        decisions[at(present[from + k]) * machine_.parts.size() + p] =
            kernel::expansion(part.beta, some.data()).value + part.b;
      }
  }
}

std::vector<PairVote> MachineBody::votes(const double* decisions) const {
  std::vector<PairVote> out;
  for (const Part& part : machine_.parts) out.push_back({part.positive, part.negative, decisions[out.size()]});
  return out;
}

Result<void> MachineBody::score(const Batch& rows, ScoresOf, double* out) const {
  Batch features = rows;
  features.target = MatrixView{nullptr, rows.rows(), 0, 0, 1};
  if (auto good = check_numbers(features); !good) return good;
  if (kernel_->from_zero_up())
    if (auto good = check_from_zero_up(features, "the kernel " + machine_.kernel.word); !good) return good;
  const std::size_t parts = machine_.parts.size();
  const std::vector<Index> present = present_rows(rows);
  std::vector<double> decisions(at(rows.rows()) * parts, kNaN);
  machine_.linear() ? score_linear(rows, decisions) : score_kernel(rows, present, decisions);
  std::vector<bool> there(at(rows.rows()));
  for (const Index i : present) there[at(i)] = true;
  for (Index i = 0; i < rows.rows(); ++i, out += scores()) {
    const double* const own = decisions.data() + at(i) * parts;
    if (!there[at(i)])
      std::fill(out, out + scores(), kNaN);
    else if (parts == 1 || machine_.against_rest)
      std::copy_n(own, parts, out);
    else
      count_votes(votes(own), machine_.classes, out);
  }
  return {};
}

} // namespace recta::svm
