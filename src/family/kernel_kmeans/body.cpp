#include "family/kernel_kmeans/body.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::kernel_kmeans {

ClustersBody::ClustersBody(Learned learned, FitSummary summary)
    : KernelBody(std::move(learned), std::move(summary)), members_(learned_.square.size()),
      shares_(learned_.square.size()) {
  for (Index k = 0; k < std::ssize(learned_.vectors.rows); ++k) {
    members_[at(learned_.of_row[at(k)])].push_back(k);
    shares_[at(learned_.of_row[at(k)])].push_back(learned_.share[at(k)]);
  }
}

Result<void> ClustersBody::measure(const Batch& rows, std::vector<double>& apart, std::vector<double>& self) const {
  const Index clusters = learned_.clusters();
  apart.assign(at(rows.rows() * clusters), kNaN);
  self.assign(at(rows.rows()), kNaN);
  std::vector<Expanded> means;
  for (std::size_t c = 0; c < members_.size(); ++c) means.push_back({members_[c], shares_[c], 0});
  if (auto done = expand(learned_.kernel, *kernel_, points_, rows, means, apart.data()); !done) return done;
  for (const Index i : present_rows(rows)) {
    for (Index c = 0; c < clusters; ++c)
      apart[at(i * clusters + c)] = learned_.square[at(c)] - 2 * apart[at(i * clusters + c)];
    if (kernel_->by_place()) continue;
    kernel::Points row_point = points_.of_texts() ? learned_.vectors.points(*kernel_, {})
                                                  : kernel::Points(points_.cols(), points_.sparse(), points_.centre());
    std::visit([&](const auto& view) { row_point.add(view, i); }, rows.x);
    self[at(i)] = row_point.own_value(*kernel_, 0);
  }
  return {};
}

Result<void> ClustersBody::score(const Batch& rows, ScoresOf, double* out) const {
  std::vector<double> apart, self;
  if (auto done = measure(rows, apart, self); !done) return done;
  const Index clusters = learned_.clusters();
  for (Index i = 0; i < rows.rows(); ++i, out += 2) {
    const double* const first = apart.data() + i * clusters;
    const double* const nearest = std::min_element(first, first + clusters);
    out[0] = std::isnan(*first) ? kNaN : static_cast<double>(nearest - first + 1);
    out[1] = std::isnan(self[at(i)]) ? kNaN : std::sqrt(std::max(0.0, self[at(i)] + *nearest));
  }
  return {};
}

std::vector<std::string> ClustersBody::coordinates() const {
  std::vector<std::string> out;
  for (Index c = 0; c < learned_.clusters(); ++c) out.push_back(fmt::format("distance from cluster {}", c + 1));
  return out;
}

Result<void> ClustersBody::transform(const Batch& rows, double* out) const {
  if (kernel_->by_place())
    return fail(ErrorCode::usage, "transform", "the matrix of a kernel that was given does not say k(x, x) of new rows",
                "ask for their clusters: recta predict");
  std::vector<double> apart, self;
  if (auto done = measure(rows, apart, self); !done) return done;
  const Index clusters = learned_.clusters();
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index c = 0; c < clusters; ++c) {
      const double square = self[at(i)] + apart[at(i * clusters + c)];
      *out++ = std::isnan(square) ? kNaN : std::sqrt(std::max(0.0, square));
    }
  return {};
}

Report ClustersBody::report(const Schema&) const {
  Report out;
  const double cost = std::accumulate(learned_.cost.begin(), learned_.cost.end(), 0.0);
  out.figures.push_back({"cost", "mean squared distance from the mean of the cluster", cost});
  out.figures.push_back({"best_start", "the start that cost least", static_cast<double>(learned_.best)});
  out.figures.push_back({"steps", "its steps", static_cast<double>(learned_.steps)});
  Report::Table table{"clusters", "clusters", {"cluster", "rows", "weight", "mean squared distance"}, {}};
  const double total = std::accumulate(learned_.weight.begin(), learned_.weight.end(), 0.0);
  for (Index c = 0; c < learned_.clusters(); ++c)
    table.rows.push_back({static_cast<double>(c + 1), static_cast<double>(members_[at(c)].size()),
                          learned_.weight[at(c)], learned_.cost[at(c)] / (learned_.weight[at(c)] / total)});
  out.tables.push_back(std::move(table));
  std::vector<double> of_row;
  for (const Index c : learned_.of_row) of_row.push_back(static_cast<double>(c + 1));
  out.fields.push_back({"cluster_of_row", of_row});
  return out;
}

void ClustersBody::write(TensorWriter& out) const {
  const Index count = std::ssize(learned_.vectors.rows), clusters = learned_.clusters();
  write_kernel(out, "kernel_kmeans", learned_.kernel);
  const std::vector<Index> shape{learned_.vectors.features, clusters, learned_.vectors.sparse ? 1 : 0,
                                 learned_.kernel.degree};
  out.add("kernel_kmeans.shape", shape, {std::ssize(shape)});
  learned_.vectors.write(out, "kernel_kmeans", false);
  out.add("kernel_kmeans.of_row", learned_.of_row, {count});
  out.add("kernel_kmeans.share", learned_.share, {count});
  out.add("kernel_kmeans.square", learned_.square, {clusters});
  out.add("kernel_kmeans.weight", learned_.weight, {clusters});
  out.add("kernel_kmeans.cost", learned_.cost, {clusters});
  out.add("fit.kernel_kmeans", std::vector<Index>{learned_.starts, learned_.steps, learned_.best}, {3});
}

Result<std::shared_ptr<const Body>> ClustersBody::read(FieldReader& in, FitSummary summary, const Schema& schema) {
  Learned out;
  const auto shape = in.counts("kernel_kmeans.shape");
  in.require(shape.size() == 4, "its kernel is not described");
  if (!in.ok()) return in.error();
  const Index clusters = shape[1];
  out.kernel = read_kernel(in, "kernel_kmeans", shape[3]);
  in.require(shape[2] <= 1, "an answer of yes or no is neither 0 nor 1");
  out.vectors.features = shape[0], out.vectors.sparse = shape[2] != 0;
  in.require(out.vectors.features == feature::feature_count(schema), "its columns do not make the features it reads");
  if (in.ok()) out.vectors.read(in, "kernel_kmeans", *kernel::make_kernel(out.kernel), schema, false);
  out.of_row = in.counts("kernel_kmeans.of_row");
  out.share = in.doubles("kernel_kmeans.share");
  out.square = in.doubles("kernel_kmeans.square");
  out.weight = in.doubles("kernel_kmeans.weight");
  out.cost = in.doubles("kernel_kmeans.cost");
  const auto how = in.counts("fit.kernel_kmeans");
  const auto rows = out.vectors.rows.size();
  in.require(clusters > 0 && std::ssize(out.square) == clusters && std::ssize(out.weight) == clusters &&
                 std::ssize(out.cost) == clusters && out.of_row.size() == rows && out.share.size() == rows,
             "its clusters have other sizes than its rows ask for");
  in.require(std::ranges::all_of(out.of_row, [&](Index c) { return c < clusters; }), "a row is of no cluster");
  in.require(how.size() == 3, "it does not say how it was found");
  if (!in.ok()) return in.error();
  out.starts = how[0], out.steps = how[1], out.best = how[2];
  return std::make_shared<const ClustersBody>(std::move(out), std::move(summary));
}

} // namespace recta::kernel_kmeans
