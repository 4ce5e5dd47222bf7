// Certificates of answers that were not checked against rows.
#pragma once

#include <recta/certificate.hpp>

namespace recta {

// A search was stopped with it, and nobody had the time to check it.
Certificate unmeasured(const Stop& why, double tolerance);
// Another program fitted it, and its file says nothing of the rows.
Certificate converted_from(const std::string& program, std::vector<std::string> notes);

} // namespace recta
