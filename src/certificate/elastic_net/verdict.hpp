// The verdict on a lasso or elastic net once the bound on F - F* is known.
#pragma once

#include "certificate/elastic_net/judge.hpp"

namespace recta {

// `merged`: the rows were not read again.
Certificate written(const ElasticNetClaimed& claimed, const Evidence& evidence, const Judge& judge,
                    const Conclusion& conclusion, bool merged);

} // namespace recta
