#include "stats/softmax/class_grams.hpp"

#include "stats/state_bytes.hpp"

namespace recta {

ClassGrams::ClassGrams(std::shared_ptr<const SoftmaxPoint> at) : point(std::move(at)) {
  const Index cols = static_cast<Index>(point->w.size()) / point->classes;
  grams.assign(static_cast<std::size_t>(point->classes), Gram(cols, 0));
}

void ClassGrams::accumulate(const Batch& batch) {
  PresentBlock block;
  block.take(batch, 0);
  const Index n = block.rows(), classes = point->classes, cols = grams[0].cols;
  std::vector<double> z(static_cast<std::size_t>(n * classes)), own(static_cast<std::size_t>(n));
  for (Index k = 0; k < classes; ++k) {
    block.row_dots(point->w.data() + k * cols, own.data());
    for (Index i = 0; i < n; ++i) z[i * classes + k] = own[i] + point->b[k];
  }
  for (Index i = 0; i < n; ++i) softmax_of(z.data() + i * classes, classes);
  Gram::Workspace room;
  for (Index k = 0; k < classes; ++k) {
    for (Index i = 0; i < n; ++i) own[i] = block.v[i] * z[i * classes + k] * (1 - z[i * classes + k]);
    grams[k].accumulate(block.with(own, nullptr), room);
  }
}

void ClassGrams::merge(const ClassGrams& other) {
  for (std::size_t k = 0; k < grams.size(); ++k) grams[k].merge(other.grams[k]);
}

std::string ClassGrams::to_bytes() const {
  StateWriter out("cgra");
  out.put(static_cast<Index>(grams.size()));
  for (const Gram& gram : grams) out.put(std::string_view(gram.to_bytes()));
  return out.take();
}

Result<ClassGrams> ClassGrams::from_bytes(std::string_view bytes) {
  StateReader in("cgra", bytes);
  ClassGrams out;
  const Index count = in.index();
  in.require(count >= 0 && count <= static_cast<Index>(bytes.size()));
  for (Index k = 0; in.good() && k < count; ++k) {
    auto gram = Gram::from_bytes(in.text());
    if (!gram) return std::unexpected(gram.error());
    out.grams.push_back(*std::move(gram));
  }
  if (!in.done()) return damaged_state("curvatures of softmax regression");
  return out;
}

} // namespace recta
