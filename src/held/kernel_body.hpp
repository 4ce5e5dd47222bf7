// The body of a kernel model: what it learned, with its kernel, and the rows that it keeps as the kernel reads them.
#pragma once

#include "held/kernel_data.hpp"

#include <recta/model.hpp>

namespace recta {

template <class Learned> // has `kernel`, its settings, and `vectors`
class KernelBody : public Body {
public:
  KernelBody(Learned learned, FitSummary summary)
      : learned_(std::move(learned)), summary_(std::move(summary)), kernel_(kernel::make_kernel(learned_.kernel)),
        points_(learned_.vectors.points(*kernel_)) {}

  const Learned& learned() const { return learned_; }
  const kernel::Kernel& kernel() const { return *kernel_; }
  const kernel::Points& points() const { return points_; }

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return learned_.vectors.features; }

protected:
  const Learned learned_;
  const FitSummary summary_;
  const std::unique_ptr<const kernel::Kernel> kernel_;
  const kernel::Points points_;
};

} // namespace recta
