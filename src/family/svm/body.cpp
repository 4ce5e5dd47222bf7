#include "family/svm/body.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "base/sums.hpp"
#include "stats/row_check.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::svm {

MachineBody::MachineBody(Machine machine, FitSummary summary)
    : machine_(std::move(machine)), summary_(std::move(summary)), kernel_(kernel::make_kernel(machine_.kernel)),
      points_(machine_.linear() ? machine_.vectors.points(*kernel_, {}) : machine_.vectors.points(*kernel_)) {}

std::shared_ptr<const MachineBody> MachineBody::with(FitSummary summary, std::span<const double> squared) const {
  Machine machine = machine_;
  for (std::size_t p = 0; p < squared.size(); ++p) machine.parts[p].squared = squared[p];
  return std::make_shared<const MachineBody>(std::move(machine), std::move(summary));
}

bool MachineBody::has_all_vectors(const Part& part) const {
  if (part.support.size() != machine_.vectors.rows.size()) return false;
  for (std::size_t k = 0; k < part.support.size(); ++k)
    if (part.support[k] != static_cast<Index>(k)) return false;
  return true;
}

const kernel::Points& MachineBody::points_of(const Part& part, kernel::Points& room) const {
  if (has_all_vectors(part)) return points_;
  return room = machine_.vectors.points(*kernel_, part.support);
}

namespace {

// Scores of a hard margin keep all digits: of rows far from zero they are small differences of large terms, and no row
// of training is predicted to be on the wrong side of a plane that has it on the right one.
void careful_scores(const Batch& rows, const Part& part, double* z) {
  for (Index i = 0; i < rows.rows(); ++i) {
    CompensatedSum sum;
    sum.add(part.b);
    if (const auto* dense = std::get_if<MatrixView>(&rows.x)) {
      for (Index j = 0; j < dense->cols; ++j) sum.add_product(part.w[at(j)], element(*dense, i, j));
    } else {
      const SparseRow row = sparse_row(std::get<SparseView>(rows.x), i);
      for (Index s = 0; s < row.count; ++s) sum.add_product(part.w[at(row.column(s))], row.value[s]);
    }
    z[i] = sum.value();
  }
}

} // namespace

void MachineBody::score_linear(const Batch& rows, std::vector<double>& decisions) const {
  const std::size_t parts = machine_.parts.size();
  std::vector<double> z(at(rows.rows()));
  for (std::size_t p = 0; p < parts; ++p) {
    const Part& part = machine_.parts[p];
    if (part.cost == 0) {
      careful_scores(rows, part, z.data());
      for (std::size_t i = 0; i < z.size(); ++i) decisions[i * parts + p] = z[i];
      continue;
    }
    if (const auto* dense = std::get_if<MatrixView>(&rows.x))
      simd::kernels().row_dots(*dense, part.w.data(), z.data());
    else
      simd::kernels().sparse_row_dots(std::get<SparseView>(rows.x), part.w.data(), z.data());
    for (std::size_t i = 0; i < z.size(); ++i) decisions[i * parts + p] = z[i] + part.b;
  }
}

Result<void> MachineBody::score_kernel(const Batch& rows, std::vector<double>& decisions) const {
  std::vector<Expanded> parts;
  for (const Part& part : machine_.parts) {
    const bool all = has_all_vectors(part);
    parts.push_back({all ? std::span<const Index>() : std::span<const Index>(part.support), part.beta, part.b});
  }
  return expand(machine_.kernel, *kernel_, points_, rows, parts, decisions.data());
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
  const std::size_t parts = machine_.parts.size();
  const std::vector<Index> present = present_rows(rows);
  std::vector<double> decisions(at(rows.rows()) * parts, kNaN);
  if (machine_.linear())
    score_linear(rows, decisions);
  else if (auto good = score_kernel(rows, decisions); !good)
    return good;
  std::vector<bool> there(at(rows.rows()));
  for (const Index i : present) there[at(i)] = true;
  for (Index i = 0; i < rows.rows(); ++i, out += scores()) {
    const double* const row_decisions = decisions.data() + at(i) * parts;
    if (!there[at(i)])
      std::fill(out, out + scores(), kNaN);
    else if (parts == 1 || machine_.against_rest)
      std::copy_n(row_decisions, parts, out);
    else
      count_votes(votes(row_decisions), machine_.classes, out);
  }
  return {};
}

} // namespace recta::svm
