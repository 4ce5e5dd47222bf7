#include "family/svm/rows.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "base/sums.hpp"
#include "solver/gradient_descent/seen_row.hpp"

namespace recta::svm {
namespace {

template <class Use>
void row_numbers(const SeenRows& all, Index i, const Use& use) {
  std::visit([&](const auto& rows) { row_of(rows, i).each(use); }, all);
}

double largest_of_row(const SeenRows& all, Index i) {
  if (const auto* dense = std::get_if<DenseRows>(&all)) return simd::kernels().largest_size(row_of(*dense, i).view());
  double most = 0;
  row_numbers(all, i, [&](Index, double x) { most = std::max(most, std::abs(x)); });
  return most;
}

} // namespace

Result<MachineRows> MachineRows::hold(const Schema& schema, const Rows& rows) {
  auto data = KernelData::hold(schema, rows);
  if (!data) return std::unexpected(data.error());
  return MachineRows{*std::move(data)};
}

MachineRows::Number MachineRows::largest(const Side& side, Pool& pool) const {
  constexpr Index kRows = 4096; // of one task
  const Index count = std::ssize(side.present);
  std::vector<Number> parts(at((count + kRows - 1) / kRows));
  pool.run(std::ssize(parts), [&](Index task, int) {
    Number& out = parts[at(task)];
    for (Index k = task * kRows; k < std::min(count, (task + 1) * kRows); ++k) {
      const Index i = side.present[at(k)];
      if (largest_of_row(held->seen(), i) <= std::abs(out.value)) continue;
      row_numbers(held->seen(), i, [&](Index j, double x) {
        if (std::abs(x) > std::abs(out.value)) out = {i, j, x};
      });
    }
  });
  Number out;
  for (const Number& part : parts)
    if (std::abs(part.value) > std::abs(out.value)) out = part;
  return out;
}

std::vector<double> MachineRows::combination(const std::vector<Index>& numbers, const std::vector<double>& beta) const {
  std::vector<CompensatedSum> sum(at(held->cols()));
  for (std::size_t k = 0; k < beta.size(); ++k)
    if (beta[k] != 0)
      row_numbers(held->seen(), numbers[k], [&](Index j, double x) { sum[at(j)].add_product(beta[k], x); });
  std::vector<double> out;
  for (const CompensatedSum& one : sum) out.push_back(one.value());
  return out;
}

LinearRows MachineRows::linear_rows(const Side& side, bool centred, double constant, Pool& pool) const {
  return recta::linear_rows(*this, side.present, centred, pool, constant);
}

} // namespace recta::svm
