// Mathematics as it is written in an objective, "sum_i s_i |x_i|^2", as TeX.
#pragma once

#include <string>
#include <string_view>

namespace recta::report {

std::string mathematics(std::string_view text);

} // namespace recta::report
