// add_centred_row() over registers, compiled once per instruction set by the file that includes this one after naming
// its namespace in RECTA_CENTRED_LEVEL. Operation by operation as two_sum() of base/double_double.hpp.
#define HWY_COMPILE_ONLY_STATIC
#include "certificate/discriminant/centred_row.hpp"

#include <hwy/highway.h>

namespace recta::discriminant::RECTA_CENTRED_LEVEL {

void add_centred_row(const CentredRow& row, Index columns, double* high, double* low, double* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 8> tag;
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  const auto weight = hn::Set(tag, row.weight), root = hn::Set(tag, row.root);
  Index j = 0;
  for (; j + lanes <= columns; j += lanes) {
    const auto apart = hn::Sub(hn::LoadU(tag, row.x + j), hn::LoadU(tag, row.mean + j));
    const auto term = hn::Mul(weight, apart), before = hn::LoadU(tag, high + j);
    const auto sum = hn::Add(before, term), from_before = hn::Sub(sum, term), from_term = hn::Sub(sum, from_before);
    const auto error = hn::Add(hn::Sub(before, from_before), hn::Sub(term, from_term));
    hn::StoreU(sum, tag, high + j);
    hn::StoreU(hn::Add(hn::LoadU(tag, low + j), error), tag, low + j);
    hn::StoreU(hn::Mul(root, apart), tag, out + j);
  }
  for (; j < columns; ++j) {
    const double apart = row.x[j] - row.mean[j], term = row.weight * apart, before = high[j];
    const double sum = before + term, from_before = sum - term, from_term = sum - from_before;
    high[j] = sum;
    low[j] += (before - from_before) + (term - from_term);
    out[j] = row.root * apart;
  }
}

} // namespace recta::discriminant::RECTA_CENTRED_LEVEL
