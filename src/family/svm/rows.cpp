#include "family/svm/rows.hpp"

#include "base/numbers.hpp"
#include "solver/gradient_descent/seen_row.hpp"

namespace recta::svm {
namespace {

template <class Use>
void row_numbers(const SeenRows& seen, Index i, const Use& use) {
  std::visit([&](const auto& rows) { row_of(rows, i).each(use); }, seen);
}

} // namespace

Result<MachineRows> MachineRows::hold(const Schema& schema, const Rows& rows) {
  auto data = KernelData::hold(schema, rows);
  if (!data) return std::unexpected(data.error());
  return MachineRows{*std::move(data)};
}

LinearRows MachineRows::linear_rows(const Side& side, bool intercept, Pool& pool) const {
  LinearRows out(held->cols(), sparse());
  std::vector<double> x(at(sparse() ? 0 : held->cols()));
  for (const Index i : side.present) {
    if (sparse()) {
      out.add_sparse([&](const auto& use) { row_numbers(held->seen(), i, use); });
    } else {
      write_out(i, x.data());
      out.add_dense(x.data());
    }
  }
  if (intercept) out.move_to_centre(pool);
  return out;
}

} // namespace recta::svm
