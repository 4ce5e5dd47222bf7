// A request as a user made it, checked against what its word and its family take.
#pragma once

#include "driver/first_pass.hpp"

namespace recta {

// The purpose of a request: in trace() newton takes the parameters of descents too, and fit() takes sets of labels.
enum class Purpose : std::uint8_t { other, fit, trace };
Result<Request> checked_request(const std::string& word, const FitOptions& options, Purpose purpose = Purpose::other);

// What models of the classes' centres and spreads have no use for: to leave out the intercept, to standardise (`why`
// not, and what to do instead), an offset.
Result<void> check_class_options(const Request& request, const std::string& why, const std::string& instead);
// Factors of the classes act on priors that are learned.
Result<void> check_priors_learned(const Request& request);

} // namespace recta
