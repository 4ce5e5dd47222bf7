#include "certificate/least_squares/left_out.hpp"

#include "stats/pass.hpp"

namespace recta {
namespace {

constexpr double kMostWork = 1e9; // additions without rounding

double work_of(const std::vector<Combination>& combinations, Index rows) {
  double terms = 0;
  for (const Combination& combination : combinations) terms += static_cast<double>(1 + std::ssize(combination.terms));
  return terms * static_cast<double>(rows);
}

} // namespace

std::vector<Combination> guesses_at(const std::vector<Index>& constants, const std::vector<DroppedColumn>& dropped,
                                    const std::vector<double>& spread) {
  std::vector<Combination> out;
  for (const Index j : constants) out.push_back({j, 1, {}});
  for (const DroppedColumn& dropped_column : dropped) {
    const std::vector<Combination> some = guesses(dropped_column, spread);
    if (some.empty()) return {};
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

Result<LeftOut> look_at_left_out(std::vector<Combination> combinations, bool constant_allowed, Index count,
                                 const RowReader& reader, const ReduceOptions& pass) {
  LeftOut out;
  if (combinations.empty() || work_of(combinations, count) > kMostWork) return out;
  const auto claims = std::make_shared<const std::vector<Combination>>(std::move(combinations));
  const auto dependence = fresh_pass(reader, ExactDependence(claims, constant_allowed), pass);
  if (!dependence) return std::unexpected(dependence.error());
  out.looked = out.exact = true;
  for (std::size_t at = 0; at < claims->size();) {
    const Index column = (*claims)[at].column;
    bool equation_holds = false;
    for (; at < claims->size() && (*claims)[at].column == column; ++at) {
      if (equation_holds || !dependence->holds[at]) continue;
      const auto& constant = dependence->constant[at];
      out.equations.push_back({(*claims)[at], constant ? constant->rounded() : 0});
      equation_holds = true;
    }
    out.exact = out.exact && equation_holds;
  }
  return out;
}

Result<LeftOut> look_for_left_out(bool constant_allowed, const RowReader& reader, const ReduceOptions& pass) {
  const auto gram = fresh_pass(reader, Gram(reader.rows.cols(), reader.rows.targets()), pass);
  if (!gram) return std::unexpected(gram.error());
  const LeastSquaresObjective objective{.intercept = constant_allowed};
  const Quadratic quadratic(objective, *gram);
  std::vector<Index> constants;
  for (Index j = 0; j < quadratic.cols(); ++j)
    if (quadratic.constant(j)) constants.push_back(j);
  const auto dropped = dropped_columns(quadratic, reader.pool);
  return look_at_left_out(guesses_at(constants, dropped, quadratic.sizes(false).spread), constant_allowed,
                          quadratic.rows(), reader, pass);
}

std::string are_combinations(Index columns) {
  return columns == 1 ? "1 column is a combination of others"
                      : std::to_string(columns) + " columns are combinations of others";
}

std::string listed(const LeftOut& left_out, const std::function<std::string(Index)>& feature) {
  constexpr int kMost = 3;
  const auto name = [&](Index j) { return feature ? feature(j) : "column " + std::to_string(j + 1); };
  std::string line;
  int count = 0;
  for (const auto& [combination, constant] : left_out.equations) {
    if (combination.terms.empty()) continue;
    if (count == kMost) return line + ", ...";
    line += (count++ == 0 ? ": " : ", ") + equation_text(combination, constant, name);
  }
  return line;
}

} // namespace recta
