// From covariances to scores, where they can be had.
#pragma once

#include "family/discriminant/body.hpp"

namespace recta::discriminant {

// lda: directions in which the rows do not vary inside the classes have no part. qda: columns that are combinations of
// earlier ones in all rows have none, and a class that varies in fewer directions than the rows do is widened. An error
// if no column varies.
Result<void> derive_scores(Learned& learned, const Sums& sums, const std::string& source);

} // namespace recta::discriminant
