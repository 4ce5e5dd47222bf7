// The neighbours that decided a row, and their votes.
#include "family/neighbours/body.hpp"
#include "stats/dense_copy.hpp"

#include <numeric>

namespace recta::neighbours {

Result<Report> NeighbourBody::explain(const Batch& row, const Schema& schema) const {
  DenseCopy copy;
  copy.take(row);
  std::vector<double> query(copy.x.begin(), copy.x.begin() + rows_.cols);
  if (auto good = map(query, row.first_row); !good) return std::unexpected(good.error());
  Pool pool(1);
  const Neighbourhoods found = find(query, {settings_.k, settings_.radius}, {}, pool);
  const auto list = found.of(0);
  if (auto good = check_comparable(list, row.first_row); !good) return std::unexpected(good.error());
  std::vector<Voter> voters;
  count_votes(list, points_, settings_, settings_.k, [&](Index one) { return target(one, 0); }, voters);
  double total = 0;
  for (const Voter& voter : voters) total += voter.votes;
  Report::Table table{"neighbours", "Training rows that decided", {"training row", "distance", "share of votes"}, {}};
  for (Index t = 0; t < rows_.targets; ++t) table.columns.push_back(schema.targets.at(at(t)));
  for (std::size_t i = 0; i < voters.size(); ++i) {
    const Index one = list[i].row;
    table.rows.push_back({static_cast<double>(rows_.number[at(one)] + 1), voters[i].distance, voters[i].votes / total});
    for (Index t = 0; t < rows_.targets; ++t) {
      if (classes_ > 0)
        table.rows.back().emplace_back(schema.classes.labels.at(static_cast<std::size_t>(target(one, t))));
      else
        table.rows.back().emplace_back(target(one, t));
    }
  }
  Report out;
  if (voters.empty()) out.remarks.push_back({"knn.no_voters"});
  out.tables.push_back(std::move(table));
  return out;
}

} // namespace recta::neighbours
