#include "solver/svm/kernel_matrix.hpp"

namespace recta::svm {

void KernelMatrix::use(Pool& pool) {
  pool_ = &pool;
  if (rounded_) rounded_->use(pool);
  if (exact_) exact_->use(pool);
}

KernelRows<float>& KernelMatrix::rounded() {
  if (!rounded_) rounded_ = std::make_unique<KernelRows<float>>(kernel_, points_, bytes_, at_once_, *pool_);
  return *rounded_;
}

KernelRows<double>& KernelMatrix::exact() {
  rounded_.reset();
  if (!exact_) exact_ = std::make_unique<KernelRows<double>>(kernel_, points_, bytes_, at_once_, *pool_);
  return *exact_;
}

} // namespace recta::svm
