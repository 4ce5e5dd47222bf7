#include "family/one_class/body.hpp"

#include "feature/schema.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::one_class {

Result<void> OneClassBody::score(const Batch& rows, ScoresOf, double* out) const {
  std::vector<double> f(at(rows.rows()), kNaN);
  const Expanded expanded{{}, learned_.beta, 0};
  if (auto done = expand(learned_.kernel, *kernel_, points_, rows, {&expanded, 1}, f.data()); !done) return done;
  constexpr double kBorder = 1e-10; // a score that is nearer to the level is on the border, but for its rounding
  for (Index i = 0; i < rows.rows(); ++i, out += 2) {
    out[1] = std::abs(f[at(i)] - 1) <= kBorder ? 0 : learned_.offset * f[at(i)] - learned_.offset;
    out[0] = std::isnan(out[1]) ? kNaN : out[1] >= 0 ? 1 : -1;
  }
  return {};
}

Report OneClassBody::report(const Schema&) const {
  Report out;
  out.figures.push_back({"support_vectors", "support vectors", static_cast<double>(learned_.beta.size())});
  out.figures.push_back({"offset", "level of the scores at the border", learned_.offset});
  Report::Table table{"support", "support vectors", {"row", "multiplier"}, {}};
  std::vector<double> rows, multipliers;
  for (std::size_t k = 0; k < learned_.beta.size(); ++k) {
    rows.push_back(static_cast<double>(learned_.vectors.rows[k] + 1));
    multipliers.push_back(learned_.offset * learned_.beta[k]);
    table.rows.push_back({rows.back(), multipliers.back()});
  }
  out.tables.push_back(std::move(table));
  out.fields = {{"support", std::move(rows)},
                {"multipliers", std::move(multipliers)},
                {"offset", learned_.offset},
                {"intercept", -learned_.offset}};
  if (std::isnan(learned_.squared)) return out;
  const double margin = 1 / std::sqrt(learned_.squared);
  out.figures.push_back({"margin", "distance of the border from the origin, rho / |w|", margin});
  out.fields.push_back({"margin", margin});
  out.fields.push_back({"intercept_interval", std::vector<double>{-learned_.highest, -learned_.lowest}});
  if (learned_.lowest < learned_.highest)
    out.remarks.push_back({"one-class.levels", {{"lowest", learned_.lowest}, {"highest", learned_.highest}}});
  return out;
}

void OneClassBody::write(TensorWriter& out) const {
  write_kernel(out, "one_class", learned_.kernel);
  const std::vector<Index> shape{learned_.vectors.features, learned_.vectors.sparse ? 1 : 0, learned_.kernel.degree};
  out.add("one_class.shape", shape, {std::ssize(shape)});
  learned_.vectors.write(out, "one_class", false);
  out.add("one_class.beta", learned_.beta, {std::ssize(learned_.beta)});
  out.add("one_class.offset", std::vector<double>{learned_.offset}, {1});
  if (!std::isnan(learned_.squared))
    out.add("one_class.border", std::vector<double>{learned_.lowest, learned_.highest, learned_.squared}, {3});
}

Result<std::shared_ptr<const Body>> OneClassBody::read(FieldReader& in, FitSummary summary, const Schema& schema) {
  Learned out;
  const auto shape = in.counts("one_class.shape");
  in.require(shape.size() == 3, "its kernel is not described");
  if (!in.ok()) return in.error();
  out.kernel = read_kernel(in, "one_class", shape[2]);
  in.require(shape[1] <= 1, "an answer of yes or no is neither 0 nor 1");
  out.vectors.features = shape[0], out.vectors.sparse = shape[1] != 0;
  in.require(out.vectors.features == feature::feature_count(schema), "its columns do not make the features it reads");
  if (in.ok()) out.vectors.read(in, "one_class", *kernel::make_kernel(out.kernel), schema, false);
  out.beta = in.doubles("one_class.beta");
  const auto offset = in.doubles("one_class.offset");
  if (!in.ok()) return in.error();
  in.require(out.beta.size() == out.vectors.rows.size(), "it has another number of coefficients than of vectors");
  in.require(offset.size() == 1 && offset[0] > 0, "its level is not a number above zero");
  in.require(std::ranges::adjacent_find(out.vectors.rows, std::greater_equal{}) == out.vectors.rows.end(),
             "its vectors do not ascend");
  if (!in.ok()) return in.error();
  out.offset = offset[0];
  if (in.has("one_class.border")) {
    const auto border = in.doubles("one_class.border");
    in.require(border.size() == 3 && border[2] > 0, "its border is not described");
    if (!in.ok()) return in.error();
    out.lowest = border[0], out.highest = border[1], out.squared = border[2];
  }
  return std::make_shared<const OneClassBody>(std::move(out), std::move(summary));
}

} // namespace recta::one_class
