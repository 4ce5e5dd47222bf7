// From covariances to scores, where they can be had.
#pragma once

#include "family/discriminant/body.hpp"

namespace recta::discriminant {

// lda: directions in which the rows do not vary inside the classes have no part. qda: columns that are combinations of
// earlier ones in all rows have none; an error if a class varies in fewer directions than the rows do.
Result<void> derive_scores(Learned& learned, const Schema& schema, const std::string& source);

} // namespace recta::discriminant
