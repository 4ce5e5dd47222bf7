// The rows and the kernel of a body, and both in a model file. Nothing that is read is believed before it is compared
// with everything it points into.
#include "base/numbers.hpp"
#include "family/kernel_data.hpp"
#include "kernel/expansion.hpp"
#include "stats/from_zero_up.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {

void KernelVectors::take(const KernelData& from) {
  features = from.held->cols(), sparse = from.sparse();
  std::vector<double> x(at(features));
  if (sparse) start = {0};
  for (const Index i : rows) {
    from.write_out(i, x.data());
    if (!sparse) {
      dense.insert(dense.end(), x.begin(), x.end());
      continue;
    }
    for (Index j = 0; j < features; ++j)
      if (x[at(j)] != 0) index.push_back(j), value.push_back(x[at(j)]);
    start.push_back(std::ssize(index));
  }
}

void KernelVectors::add_to(kernel::Points& points, Index k) const {
  if (!sparse) {
    points.add(dense.data() + k * features, rows[at(k)]);
    return;
  }
  std::vector<double> x(at(features));
  for (Index s = start[at(k)]; s < start[at(k) + 1]; ++s) x[at(index[at(s)])] = value[at(s)];
  points.add(x.data(), rows[at(k)]);
}

std::vector<double> KernelVectors::centre(const kernel::Kernel& kernel) const {
  const auto count = std::ssize(rows);
  if (!kernel.centred() || sparse || count == 0) return {};
  std::vector<double> out(at(features));
  for (Index k = 0; k < count; ++k)
    for (Index j = 0; j < features; ++j) out[at(j)] += dense[at(k * features + j)] / static_cast<double>(count);
  return out;
}

void KernelVectors::write(TensorWriter& out, const std::string& prefix, bool numbers_only) const {
  const auto count = std::ssize(rows);
  out.add(prefix + ".rows", rows, {count});
  if (numbers_only) return;
  if (!sparse) {
    out.add(prefix + ".vectors", dense, {count, features});
    return;
  }
  out.add(prefix + ".vectors.start", start, {std::ssize(start)});
  out.add(prefix + ".vectors.index", index, {std::ssize(index)});
  out.add(prefix + ".vectors.value", value, {std::ssize(value)});
}

void KernelVectors::read(FieldReader& in, const std::string& prefix, const kernel::Kernel& kernel, bool numbers_only) {
  rows = in.counts(prefix + ".rows");
  if (!in.ok() || numbers_only) return;
  const auto count = std::ssize(rows);
  in.require(!kernel.by_place() || std::ranges::all_of(rows, [&](Index row) { return row < features; }),
             fmt::format("\"{}.rows\" points beyond the columns of its kernel", prefix));
  if (!in.ok()) return;
  if (!sparse) {
    dense = in.doubles(prefix + ".vectors");
    in.require(std::ssize(dense) == count * features, fmt::format("\"{}.vectors\" has another size", prefix));
    return;
  }
  start = in.counts(prefix + ".vectors.start");
  index = in.counts(prefix + ".vectors.index");
  value = in.doubles(prefix + ".vectors.value");
  if (!in.ok()) return;
  in.require(std::ssize(start) == count + 1 && start.front() == 0 && start.back() == std::ssize(index) &&
                 std::ranges::is_sorted(start) && index.size() == value.size() &&
                 std::ranges::all_of(index, [&](Index j) { return j < features; }),
             fmt::format("\"{}.vectors\" are no rows of these features", prefix));
}

Result<void> expand(const kernel::Settings& settings, const kernel::Kernel& kernel, const kernel::Points& points,
                    const Batch& rows, std::span<const Expanded> expansions, double* out) {
  constexpr std::size_t kTile = 64; // rows that pass over all points together
  Batch features = rows;
  features.target = MatrixView{nullptr, rows.rows(), 0, 0, 1};
  if (auto good = check_numbers(features); !good) return good;
  if (kernel.from_zero_up())
    if (auto good = check_from_zero_up(features, "the kernel " + settings.word); !good) return good;
  const std::vector<Index> present = present_rows(rows);
  const std::size_t count = at(points.count());
  std::vector<double> values(std::min(kTile, present.size()) * count), some(count);
  for (std::size_t from = 0; from < present.size(); from += kTile) {
    const std::size_t held = std::min(kTile, present.size() - from);
    kernel::Queries queries;
    for (std::size_t q = 0; q < held; ++q)
      std::visit([&](const auto& view) { points.ask(view, present[from + q], queries); }, rows.x);
    points.values(kernel, queries, values.data(), points.count());
    for (std::size_t q = 0; q < held; ++q) {
      double* const scores = out + at(present[from + q]) * expansions.size();
      const double* const own = values.data() + q * count;
      for (std::size_t p = 0; p < expansions.size(); ++p) {
        const Expanded& one = expansions[p];
        for (std::size_t s = 0; s < one.support.size(); ++s) some[s] = own[at(one.support[s])];
        scores[p] = kernel::expansion(one.beta, one.support.empty() ? own : some.data()).value + one.b;
      }
    }
  }
  return {};
}

void write_kernel(TensorWriter& out, const std::string& prefix, const kernel::Settings& kernel) {
  out.add(prefix + ".kernel", std::vector<std::string>{kernel.word});
  out.add(prefix + ".kernel_numbers", std::vector<double>{kernel.gamma, kernel.coef}, {2});
}

kernel::Settings read_kernel(FieldReader& in, const std::string& prefix, Index degree) {
  const auto words = in.strings(prefix + ".kernel");
  const auto numbers = in.doubles(prefix + ".kernel_numbers");
  in.require(words.size() == 1 && numbers.size() == 2, "its kernel is not described");
  if (!in.ok()) return {};
  kernel::Settings out{words[0], numbers[0], numbers[1], degree};
  in.require(kernel::make_kernel(out) != nullptr, "this Recta has no kernel \"" + words[0] + "\"");
  in.require(out.degree <= 1000, "the degree of its kernel is beyond all bounds");
  return out;
}

std::vector<std::string> kernel_differences(const kernel::Settings& stored, const kernel::Settings& asked) {
  std::vector<std::string> out;
  const auto compare = [&](const char* what, double one, double other) {
    if (std::abs(one - other) <= 1e-9 * std::abs(other)) return;
    out.push_back(fmt::format("{} {} in the file, {} by the rows", what, one, other));
  };
  if (stored.word != asked.word)
    out.push_back(fmt::format("the kernel {} in the file, {} by the parameters", stored.word, asked.word));
  compare("gamma", stored.gamma, asked.gamma);
  compare("the kernel's constant", stored.coef, asked.coef);
  compare("the kernel's degree", static_cast<double>(stored.degree), static_cast<double>(asked.degree));
  return out;
}

} // namespace recta
