// The proof when there are too many columns for their products: see certify.hpp.
#pragma once

#include "certificate/least_squares/certify.hpp"

namespace recta {

Result<Checked> certify_without_gram(const Claimed& claimed, RowSource& rows, Pool& pool, const Watch& watch);

} // namespace recta
