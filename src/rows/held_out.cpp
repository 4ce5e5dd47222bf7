// Rows a model has not seen: those that its fit set aside, once the others are known to be its training rows.
#include "data/checked_table.hpp"
#include "data/split/row_hash.hpp"
#include "data/split/table_view.hpp"
#include "rows/sources.hpp"

#include <recta/split.hpp>

#include <fmt/format.h>

namespace recta {
namespace {

Result<void> check_trained_on(const Model& model, const TableView& data) {
  const auto rows = TableRows::make(model.schema, data);
  if (!rows) return std::unexpected(rows.error());
  Pool pool;
  const auto pass = recognise(model, (*rows)->rows(), {}, pool, Clock({}, 0));
  if (pass) return {};
  if (pass.error().code != ErrorCode::bad_data) return std::unexpected(pass.error());
  return fail(ErrorCode::bad_data, data.table().source,
              fmt::format("the rows left when --holdout {} --seed {} sets the others aside are not those the model was "
                          "trained on",
                          model.holdout.share, model.holdout.seed),
              "give the file that the model was fitted from; every row of another file is scored without --holdout");
}

} // namespace

Result<Dataset> held_out_rows(const Model& model, const Dataset& data) {
  return guarded(data, cure::kStream, [&]() -> Result<Dataset> {
    if (!(model.holdout.share > 0))
      return fail(ErrorCode::usage, "holdout", "the model was fitted on all rows of its data: it set none aside",
                  "fit with a holdout, or score the rows of another file");
    const Split split = cut_by_hash(data.rows, model.holdout.share, model.holdout.seed);
    if (auto good = check_trained_on(model, TableView(data, split.train)); !good) return std::unexpected(good.error());
    return copy_rows(data, split.held_out);
  });
}

} // namespace recta
