// approximate=COUNT, a parameter of words with a kernel: a kernel machine for more rows than a kernel matrix can have.
// It stands for the linear machine over the features of the map nystrom(COUNT, kernel=..., ...), which this is
// rewritten to; what the landmarks keep of the kernel is among the conditions of the certificate, and the proof is that
// of the machine over these features.
#pragma once

#include "driver/first_pass.hpp"

#include <optional>

namespace recta {

// The options that a fit goes by instead; nothing: those given.
Result<std::optional<FitOptions>> over_landmarks(const ModelInfo& info, const FitOptions& options);

} // namespace recta
