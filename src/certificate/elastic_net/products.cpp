#include "certificate/elastic_net/products.hpp"

#include "certificate/pass.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta {
namespace {

std::unique_ptr<LeastSquaresObjective> plain(const ElasticNetObjective& objective) {
  return std::make_unique<LeastSquaresObjective>(LeastSquaresObjective{
      .lambda2 = 0, .factors = {}, .intercept = objective.intercept, .standardise = objective.standardise});
}

// Some columns of a source, without its targets, block by block as they come.
class ChosenColumns final : public RowSource {
public:
  ChosenColumns(RowSource& rows, const std::vector<Index>& chosen) : rows_(rows), chosen_(chosen) {
    place_.assign(static_cast<std::size_t>(rows.cols()), -1);
    for (std::size_t s = 0; s < chosen.size(); ++s) place_[chosen[s]] = static_cast<Index>(s);
  }
  Index cols() const override { return static_cast<Index>(chosen_.size()); }
  Index targets() const override { return 0; }
  std::optional<Index> rows() const override { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override {
    auto made = std::make_unique<Scratch>();
    made->inner = rows_.scratch();
    return made;
  }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override {
    return rows_.claim(*static_cast<Scratch&>(scratch).inner);
  }
  Result<Batch> load(BlockScratch& scratch) const override {
    auto& own = static_cast<Scratch&>(scratch);
    auto batch = rows_.load(*own.inner);
    if (!batch) return batch;
    const bool low = copy(*batch, own.x, own.low);
    MatrixView x = MatrixView::row_major(own.x.data(), batch->rows(), cols());
    if (low) x.low = own.low.data();
    batch->x = x;
    batch->target = {};
    batch->target.rows = batch->rows();
    return batch;
  }
  Result<void> rewind() override { return rows_.rewind(); }

private:
  struct Scratch : BlockScratch {
    std::unique_ptr<BlockScratch> inner;
    std::vector<double> x, low;
  };

  // Whether there are low parts.
  bool copy(const Batch& batch, std::vector<double>& out, std::vector<double>& out_low) const {
    const Index p = cols();
    const auto* view = std::get_if<MatrixView>(&batch.x);
    const bool low = view != nullptr && view->low != nullptr;
    if (low) out_low.assign(static_cast<std::size_t>(batch.rows() * p), 0.0);
    out.assign(static_cast<std::size_t>(batch.rows() * p), 0.0);
    for (Index i = 0; i < batch.rows(); ++i) {
      if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
        for (Index s = 0; s < p; ++s) {
          out[i * p + s] = element(*dense, i, chosen_[s]);
          if (low) out_low[i * p + s] = element_low(*dense, i, chosen_[s]);
        }
        continue;
      }
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < row.count; ++s)
        if (const Index at = place_[row.column(s)]; at >= 0) out[i * p + at] = row.value[s];
    }
    return low;
  }

  RowSource& rows_;
  const std::vector<Index>& chosen_;
  std::vector<Index> place_;
};

// Double-double where it costs little: it is what keeps the digits of columns that are alike.
Precision precision_for(std::optional<Index> rows, std::size_t cols) {
  const double d = static_cast<double>(cols);
  return rows && static_cast<double>(*rows) * d * d <= 2e7 ? Precision::extended : Precision::standard;
}

} // namespace

Products::Products(const ElasticNetObjective& objective, const Gram& gram)
    : plain_(plain(objective)), quadratic_(std::make_unique<Quadratic>(*plain_, gram)) {}

Result<Products> Products::gather(const ElasticNetObjective& objective, RowSource& rows, std::vector<Index> chosen,
                                  Pool& pool, const Watch& watch) {
  ChosenColumns some(rows, chosen);
  const Gram empty(some.cols(), 0, precision_for(rows.rows(), chosen.size()));
  auto gram = fresh_pass(some, empty, pool, watch, {.stage = "certifying"});
  if (!gram) return std::unexpected(gram.error());
  Products out;
  out.chosen_ = std::move(chosen);
  out.plain_ = plain(objective);
  out.own_ = std::make_shared<const Gram>(*std::move(gram));
  out.quadratic_ = std::make_unique<Quadratic>(*out.plain_, *out.own_);
  return out;
}

Index Products::place(Index j) const {
  if (chosen_.empty()) return j;
  return std::ranges::lower_bound(chosen_, j) - chosen_.begin();
}

} // namespace recta
