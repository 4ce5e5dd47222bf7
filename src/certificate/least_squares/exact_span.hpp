// Whether all columns of some rows are combinations of a few of them, and of the constant with an intercept: exactly,
// over the numbers as they are. Columns that look like combinations of others, but by factors that are no small whole
// numbers (powers of a few distinct values, designs of few distinct rows), are told from columns that hold a rounding
// of their own.
//
// Every number is a whole number times a power of two, and a power of two is invertible modulo an odd prime. So rows
// are reduced modulo primes p near 2^61, without rounding; the rank modulo p is never above the rank. A minor of size
// r + 1 that is not zero is divisible by every p that sees rank r at most. With column j of b_j bits it is below
//
//   (r + 1)^((r + 1) / 2) prod_j 2^b_j       (Hadamard),
//
// so once the primes multiply to more than that, all such minors are zero and the rank is r at most. If r columns are
// independent modulo some p, they are independent, and all others are combinations of them.
#pragma once

#include "stats/reduce.hpp"
#include "stats/row_reader.hpp"

namespace recta {

struct SpanLooked {
  bool all = false; // false: another column is none, or these are not independent, or it would take seconds to say
  Index passes = 0;
};

// `some`: columns. `count`: rows.
Result<SpanLooked> look_at_span(const std::vector<Index>& some, bool constant, Index count, const RowReader& reader,
                                const ReduceOptions& pass);

} // namespace recta
