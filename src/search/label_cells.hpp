// Labels in the cells of one column as columns of 0 and 1, so that every split knows every label: one that only rows
// left out have is wrong on these rows, and not unknown there.
#pragma once

#include "search/known_rows.hpp"

namespace recta::search {

class LabelCells {
public:
  // Does nothing unless the options ask for labels in cells.
  LabelCells(const Dataset& data, const FitOptions& options, const LabelSet& labels);

  bool has_cells() const { return !cells_.empty(); }
  FitOptions options(FitOptions asked) const; // the same fit of the columns
  void split(Dataset& rows) const;            // columns in the place of the cells

private:
  const std::string& column(const std::string& label) const;

  std::string cells_{}; // the column that holds them; empty: labels have columns already
  LabelSet labels_;
  std::vector<std::string> columns_{}; // one per label, named after it unless a column has that name already
};

// Labels that some splits train on no row of, or leave out no row of.
std::vector<std::string> label_notes(const KnownRows& known, const Splits& splits);

} // namespace recta::search
