// What is said of a lasso or elastic net after the bound on F - F* is known.
#pragma once

#include "certificate/elastic_net/judge.hpp"

namespace recta {

// `merged`: nobody looked at the rows again.
Certificate written(const ElasticNetClaimed& claimed, const Evidence& seen, const Judge& judge, const Conclusion& found,
                    bool merged);

} // namespace recta
