#include "family/memory_need.hpp"

#include "base/pool.hpp"
#include "evaluate/checkup/cost.hpp"
#include "family/family.hpp"
#include "solver/least_squares.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kManyRows = Index{1} << 30; // assumed if the number of rows is unknown

std::string size_text(std::uint64_t bytes) {
  const auto b = static_cast<double>(bytes);
  return b < 1e6   ? fmt::format("{:.3g} kB", b / 1e3)
         : b < 1e9 ? fmt::format("{:.3g} MB", b / 1e6)
                   : fmt::format("{:.3g} GB", b / 1e9);
}

} // namespace

Result<void> check_memory(const Request& request, const Rows& rows) {
  const std::uint64_t limit = request.options->max_memory;
  const Index p = rows.source.cols(), n = rows.source.rows().value_or(kManyRows);
  if (limit == 0 || p > kGramCols || !family_of(request.info->word).gathers_products()) return {};
  const Pool pool(request.options->threads);
  const std::uint64_t products = checkup::fit_bytes(n, p, rows.source.targets(), pool.threads());
  const std::uint64_t kept = request.info->bytes_a_row * static_cast<std::uint64_t>(rows.source.rows().value_or(0));
  if (products + kept <= limit) return {};
  return fail(
      ErrorCode::failure, rows.name,
      fmt::format("the fit would take about {} beside the rows ({} for products of {} columns on {} threads{}), "
                  "more than the limit of {}",
                  size_text(products + kept), size_text(products), p, pool.threads(),
                  kept > 0 ? fmt::format(", {} for numbers that it keeps of every row", size_text(kept)) : "",
                  size_text(limit)),
      "raise --max-memory, or pass --threads 1, which takes less");
}

} // namespace recta
