// Fitting naive Bayes in two passes, one that counts and one that proves the counts, and proving it again.
#pragma once

#include "family/first_pass.hpp"

namespace recta::naive_bayes {

Result<Model> fit_naive_bayes(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_naive_bayes(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::naive_bayes
