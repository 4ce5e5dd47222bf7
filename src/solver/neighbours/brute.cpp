// Brute force: blocks of queries against all rows. If there are fewer blocks than threads, the rows are shared out too.
#include "solver/neighbours/brute.hpp"

namespace recta::neighbours {
namespace {

constexpr Index kQueryBlock = 512;   // queries in one block of products
constexpr Index kRowsOfATask = 4096; // no task is given fewer rows

// Rows whose coordinates stay in the cache while a block of queries is compared with them.
Index cached_rows(Index cols) {
  return std::max<Index>(16, 16384 / std::max<Index>(1, cols));
}

template <class M>
void compare_with(const M& measure, const Points& points, RowRange rows, const double* queries,
                  std::span<Nearest> nearest) {
  const Index p = points.cols, step = cached_rows(p);
  for (Index first = rows.first; first < rows.last; first += step) {
    const Index last = std::min(rows.last, first + step);
    for (std::size_t q = 0; q < nearest.size(); ++q) {
      const double* query = queries + static_cast<Index>(q) * p;
      double bound = measure.bound(nearest[q].limit());
      for (Index i = first; i < last; ++i) {
        const double reduced = measure.reduced(query, points.row(i), p);
        if (reduced > bound) continue;
        nearest[q].offer(measure.finish(reduced, query, points.row(i), p), i);
        bound = measure.bound(nearest[q].limit());
      }
    }
  }
}

class Brute final : public Search {
public:
  Brute(const Metric& metric, const Points& points, Pool& pool)
      : measure_(measure_of(metric, points)), points_(points) {
    (void)points.data.all(); // every query is compared with all of them: what lies in a file is checked here, once
    if (std::holds_alternative<Euclidean>(measure_)) floats_.emplace(points, pool);
  }

  Neighbourhoods find(const double* queries, Index count, const Wanted& wanted, std::span<const Index> self,
                      Pool& pool) const override {
    const Points points = counted(points_, wanted.each_one_place);
    const Index threads = pool.threads();
    const Index block = std::clamp<Index>((count + threads - 1) / threads, 1, kQueryBlock);
    const Index blocks = (count + block - 1) / block;
    const Index parts = blocks == 0 ? 1
                                    : std::clamp<Index>((threads + blocks - 1) / blocks, 1,
                                                        std::max<Index>(1, points_.rows / kRowsOfATask));
    std::vector<Nearest> nearest;
    for (Index part = 0; part < parts; ++part)
      for (Index q = 0; q < count; ++q)
        nearest.emplace_back(points, wanted, self.empty() ? -1 : self[at(q)],
                             Order(points, measure_, queries + q * points.cols));
    pool.run(blocks * parts, [&](Index task, int) {
      const Index part = task % parts, first = task / parts * block, size = std::min(block, count - first);
      const RowRange rows{points_.rows * part / parts, points_.rows * (part + 1) / parts};
      compare(points, rows, queries + first * points_.cols,
              std::span(nearest).subspan(at(part * count + first), at(size)), wanted);
    });
    std::vector<std::vector<Neighbour>> lists(at(count));
    for (Index q = 0; q < count; ++q) {
      for (Index part = 1; part < parts; ++part) nearest[at(q)].merge(nearest[at(part * count + q)]);
      lists[at(q)] = nearest[at(q)].sorted();
    }
    return joined(std::move(lists));
  }

private:
  void compare(const Points& points, RowRange rows, const double* queries, std::span<Nearest> nearest,
               const Wanted& wanted) const {
    if (floats_ && floats_->usable())
      floats_->compare(measure_, points, rows, queries, nearest, wanted);
    else
      compare_directly(measure_, points, rows, queries, nearest);
  }

  Measure measure_;
  Points points_;
  std::optional<FloatRows> floats_;
};

} // namespace

void compare_directly(const Measure& measure, const Points& points, RowRange rows, const double* queries,
                      std::span<Nearest> nearest) {
  std::visit([&](const auto& one) { compare_with(one, points, rows, queries, nearest); }, measure);
}

Neighbourhoods joined(std::vector<std::vector<Neighbour>> lists) {
  Neighbourhoods out;
  out.start.push_back(0);
  for (const auto& list : lists) out.start.push_back(out.start.back() + static_cast<Index>(list.size()));
  out.list.reserve(at(out.start.back()));
  for (const auto& list : lists) out.list.insert(out.list.end(), list.begin(), list.end());
  return out;
}

std::unique_ptr<Search> make_brute(const Metric& metric, const Points& points, Pool& pool) {
  return std::make_unique<Brute>(metric, points, pool);
}

} // namespace recta::neighbours
