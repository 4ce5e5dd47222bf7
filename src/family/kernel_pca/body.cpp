#include "family/kernel_pca/body.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::kernel_pca {

Result<void> ComponentsBody::transform(const Batch& rows, double* out) const {
  std::fill(out, out + rows.rows() * learned_.components(), kNaN);
  const std::size_t count = at(points_.count());
  std::vector<Expanded> components;
  for (std::size_t c = 0; c < learned_.b.size(); ++c)
    components.push_back({{}, std::span(learned_.alpha).subspan(c * count, count), learned_.b[c]});
  return expand(learned_.kernel, *kernel_, points_, rows, components, out);
}

Result<void> ComponentsBody::score(const Batch& rows, ScoresOf, double* out) const {
  return transform(rows, out);
}

std::vector<std::string> ComponentsBody::coordinates() const {
  std::vector<std::string> out;
  for (Index c = 0; c < learned_.components(); ++c) out.push_back(fmt::format("component {}", c + 1));
  return out;
}

Report ComponentsBody::report(const Schema&) const {
  Report out;
  out.figures.push_back({"variance", "variance of all directions", learned_.total});
  Report::Table table{"components", "components", {"component", "variance", "share", "shares together"}, {}};
  double together = 0;
  std::vector<double> shares;
  for (Index c = 0; c < learned_.components(); ++c) {
    shares.push_back(learned_.variance[at(c)] / learned_.total);
    together += shares.back();
    table.rows.push_back({fmt::format("component {}", c + 1), learned_.variance[at(c)], shares.back(), together});
  }
  out.tables.push_back(std::move(table));
  out.fields.push_back({"variances", learned_.variance});
  out.fields.push_back({"shares", shares});
  return out;
}

void ComponentsBody::write(TensorWriter& out) const {
  const Index count = std::ssize(learned_.vectors.rows), components = learned_.components();
  write_kernel(out, "kernel_pca", learned_.kernel);
  const std::vector<Index> shape{learned_.vectors.features, components, learned_.vectors.sparse ? 1 : 0,
                                 learned_.kernel.degree};
  out.add("kernel_pca.shape", shape, {std::ssize(shape)});
  learned_.vectors.write(out, "kernel_pca", false);
  out.add("kernel_pca.alpha", learned_.alpha, {components, count});
  out.add("kernel_pca.b", learned_.b, {components});
  out.add("kernel_pca.variance", learned_.variance, {components});
  out.add("kernel_pca.total", std::vector<double>{learned_.total}, {1});
}

Result<std::shared_ptr<const Body>> ComponentsBody::read(FieldReader& in, FitSummary summary, const Schema& schema) {
  Learned out;
  const auto shape = in.counts("kernel_pca.shape");
  in.require(shape.size() == 4, "its kernel is not described");
  if (!in.ok()) return in.error();
  const Index components = shape[1];
  out.kernel = read_kernel(in, "kernel_pca", shape[3]);
  in.require(shape[2] <= 1, "an answer of yes or no is neither 0 nor 1");
  out.vectors.features = shape[0], out.vectors.sparse = shape[2] != 0;
  in.require(out.vectors.features == feature::feature_count(schema), "its columns do not make the features it reads");
  if (in.ok()) out.vectors.read(in, "kernel_pca", *kernel::make_kernel(out.kernel), schema, false);
  out.alpha = in.doubles("kernel_pca.alpha");
  out.b = in.doubles("kernel_pca.b");
  out.variance = in.doubles("kernel_pca.variance");
  const auto total = in.doubles("kernel_pca.total");
  in.require(components > 0 && std::ssize(out.b) == components && std::ssize(out.variance) == components &&
                 std::ssize(out.alpha) == std::ssize(out.vectors.rows) * components,
             "its components have other sizes than its rows ask for");
  in.require(std::ranges::all_of(out.variance, [](double v) { return v > 0; }), "a component has no variance");
  in.require(total.size() == 1, "it does not say the variance of all directions");
  if (!in.ok()) return in.error();
  out.total = total[0];
  return std::make_shared<const ComponentsBody>(std::move(out), std::move(summary));
}

} // namespace recta::kernel_pca
