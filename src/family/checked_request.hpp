// A request as a user made it, checked against what its word and its family take.
#pragma once

#include "driver/first_pass.hpp"

namespace recta {

// The purpose of a request: in trace() newton takes the parameters of descents too, and fit() takes sets of labels.
enum class Purpose : std::uint8_t { other, fit, trace };
Result<Request> checked_request(const std::string& word, const FitOptions& options, Purpose purpose = Purpose::other);

} // namespace recta
