// Three shards of one table: each is summed up where it lies, the sums travel as bytes and are merged in order.
#include <recta/recta.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr recta::Index kColumns = 4;

struct Table {
  std::vector<double> x, y;
};

Table make_table(recta::Index rows) {
  Table table;
  for (recta::Index i = 0; i < rows; ++i) {
    double y = 1;
    for (recta::Index j = 0; j < kColumns; ++j) {
      const double x = std::fmod(static_cast<double>((i + 1) * (2 * j + 7919) % 1009), 97) / 97;
      table.x.push_back(x);
      y += static_cast<double>(j + 1) * x;
    }
    table.y.push_back(y + std::fmod(static_cast<double>(i * 31), 17) / 1000);
  }
  return table;
}

recta::Arrays rows_of(const Table& table, recta::Index from, recta::Index to) {
  return {.dense = recta::MatrixView::row_major(table.x.data() + from * kColumns, to - from, kColumns),
          .y = recta::MatrixView::vector(table.y.data() + from, to - from)};
}

// What one place does: its rows become bytes, a few numbers a pair of columns.
recta::Result<std::string> sum_up(const Table& table, recta::Index from, recta::Index to) {
  const auto statistics = recta::Statistics::gather(rows_of(table, from, to), from);
  if (!statistics) return std::unexpected(statistics.error());
  return statistics->to_bytes();
}

// What the centre does: the shards one after the other, then one fit.
recta::Result<recta::Model> fit_parts(const std::vector<std::string>& parts) {
  auto all = recta::Statistics::from_bytes(parts.front());
  if (!all) return std::unexpected(all.error());
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const auto next = recta::Statistics::from_bytes(parts[k]);
    if (!next) return std::unexpected(next.error());
    if (const auto done = all->append(*next); !done) return std::unexpected(done.error());
  }
  return recta::fit("linear", *all);
}

int fail(const recta::Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 1;
}

} // namespace

int main() {
  const recta::Index shard = recta::Statistics::shard_rows(kColumns + 1);
  const recta::Index rows = 5 * shard / 2; // the last shard is half as long
  const Table table = make_table(rows);

  std::vector<std::string> parts;
  for (recta::Index from = 0; from < rows; from += shard) {
    const auto bytes = sum_up(table, from, std::min(from + shard, rows));
    if (!bytes) return fail(bytes.error());
    std::printf("shard from row %lld: %zu bytes\n", static_cast<long long>(from), bytes->size());
    parts.push_back(*bytes);
  }

  const auto merged = fit_parts(parts);
  if (!merged) return fail(merged.error());
  const auto together = sum_up(table, 0, rows);
  if (!together) return fail(together.error());
  const auto whole = fit_parts({*together});
  if (!whole) return fail(whole.error());

  bool same = true;
  for (recta::Index j = 0; j < kColumns; ++j) {
    const double value = merged->linear()->targets[0].coefficients[j].value;
    same = same && value == whole->linear()->targets[0].coefficients[j].value;
    std::printf("%s %.6f\n", merged->linear()->targets[0].coefficients[j].feature.c_str(), value);
  }
  std::printf("the same bits as from one pass over all rows: %s\n", same ? "yes" : "no");
  std::printf("%s\n", merged->certificate.sentence().c_str());

  std::printf("where the rows are at hand:\n");
  const auto proof = recta::verify(*merged, rows_of(table, 0, rows));
  if (!proof) return fail(proof.error());
  std::printf("%s\n", proof->sentence().c_str());
}
