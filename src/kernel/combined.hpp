// Sums and products of kernels, written "rbf+linear" or "rbf*polynomial+linear": products bind tighter. Both are inner
// products again if their parts are (sums stack the features of the parts, products have the products of their
// features). Parts are kernels of <x, z>, |x| and |z|; they share gamma, degree and coef.
#pragma once

#include "kernel/kernel.hpp"

#include <optional>

namespace recta::kernel {

// The kernels that a sum or product may have as parts.
const std::vector<std::string>& combinable_kernels();

// The words of the parts: a sum of products. Nothing if the text is no sum or product of kernels.
std::optional<std::vector<std::vector<std::string>>> parts_of(const std::string& text);

std::unique_ptr<const Kernel> make_combined(const Settings& settings); // nullptr: it is none

// What the word, or a sum or product of words, is; nothing if there is no such kernel.
std::optional<KernelInfo> find_kernel(const std::string& word);

} // namespace recta::kernel
