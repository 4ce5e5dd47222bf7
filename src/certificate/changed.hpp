// The text of a certificate's `stop` for coefficients that someone set after the fit. Nothing is claimed of them.
#pragma once

#include <string_view>

namespace recta {

inline constexpr std::string_view kChangedByHand = "changed by hand";

} // namespace recta
