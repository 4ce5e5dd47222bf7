#include "stats/softmax/class_grams.hpp"

#include "stats/state_bytes.hpp"

namespace recta {

ClassGrams::ClassGrams(std::shared_ptr<const SoftmaxPoint> at) : point(std::move(at)) {
  const Index cols = static_cast<Index>(point->w.size()) / point->classes;
  grams.assign(static_cast<std::size_t>(point->classes), Gram(cols, 0));
}

void ClassGrams::accumulate(const Batch& batch) {
  Pool alone(1);
  accumulate(batch, alone);
}

void ClassGrams::accumulate(const Batch& batch, Pool& pool) {
  PresentBlock block;
  block.take(batch, 0);
  const Index n = block.rows(), classes = point->classes;
  std::vector<double> z(static_cast<std::size_t>(n * classes));
  block.row_products(point->w.data(), classes, z.data());
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < classes; ++k) z[i * classes + k] += point->b[k];
    softmax_of(z.data() + i * classes, classes);
    if ((block.first_row + block.number[i]) % point->every != 0) block.v[i] = 0;
    weight += block.v[i];
  }
  pool.run(classes, [&](Index k, int) {
    std::vector<double> class_weight(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i)
      class_weight[i] = block.v[i] * z[i * classes + k] * other_shares(&z[i * classes], classes, k);
    grams[k].accumulate(block.with(class_weight, nullptr));
  });
}

void ClassGrams::merge(const ClassGrams& other, Pool& pool) {
  weight += other.weight;
  pool.run(static_cast<Index>(grams.size()), [&](Index k, int) { grams[k].merge(other.grams[k]); });
}

void ClassGrams::merge(const ClassGrams& other) {
  Pool alone(1);
  merge(other, alone);
}

} // namespace recta
