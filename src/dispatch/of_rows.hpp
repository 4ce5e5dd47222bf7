// A fit and a proof of rows that are ready to be read, wherever they come from.
#pragma once

#include "data/split/table_view.hpp"
#include "driver/first_pass.hpp"

namespace recta {

Result<Model> fit_rows(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_rows(const Model& model, const Rows& rows, const Clock& clock);

// Refuses what no rows can prove: an empty model, parameters that no fit has, a field that no rule covers.
Result<void> check_provable(const Model& model);

// fit() and verify() of some rows of a table.
Result<Model> fit(const std::string& word, const TableView& data, const FitOptions& options, const Watch& watch = {});
Result<Certificate> verify(const Model& model, const TableView& data, const Watch& watch);

} // namespace recta
