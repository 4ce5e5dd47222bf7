// A certificate whose answer, or a file of it, says of itself what is not so: it is refuted, and the reason is one of
// its conditions.
#pragma once

#include <recta/certificate.hpp>

#include <string>
#include <vector>

namespace recta {

void contradict(Certificate& certificate, std::string why);
void contradict(Certificate& certificate, const std::vector<std::string>& whys);

} // namespace recta
