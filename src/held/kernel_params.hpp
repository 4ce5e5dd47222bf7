// The kernel of a model as its parameters ask for it, for every family that has one.
#pragma once

#include "driver/first_pass.hpp"
#include "kernel/kernel.hpp"

namespace recta {

// kernel, and the parameters of all kernels.
std::vector<ParamInfo> kernel_params();
// Leaves out the parameters of kernels of texts that the kernel asked for does not take, if there is a kernel.
void keep_kernel_params(Params& params);
// An error unless the kernel takes what was given, and the columns are to be taken as they are.
Result<void> check_kernel(const Request& request);
// gamma is NaN if it is to be taken from the rows.
kernel::Settings kernel_settings(const Params& params);
// "<w, x>", or "<w, phi(x)>" and what the kernel is.
std::string score_text(const kernel::Settings& kernel, bool intercept);

} // namespace recta
