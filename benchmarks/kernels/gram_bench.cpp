// Times the passes of a least-squares fit against one dsyrk of OpenBLAS on the same rows with the same threads.
//   gram_bench ROWS COLS [threads] [c|f] [rounds]
// Built by hand: c++ -std=c++23 -O3 -march=native -Iinclude -Isrc benchmarks/kernels/gram_bench.cpp \
//                build/release/librecta.a -lopenblas -llapacke -lfmt -lz -lzstd -pthread
#include "design/row_source.hpp"
#include "stats/gram/gram.hpp"
#include "stats/reduce.hpp"
#include "stats/residual/residual.hpp"

#include <algorithm>
#include <cblas.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>

extern "C" void openblas_set_num_threads(int);

namespace {

using namespace recta;

class Rows : public RowSource {
public:
  Rows(MatrixView x, MatrixView y) : x_(x), y_(y), block_(block_rows(x.cols)) {}
  Index cols() const override { return x_.cols; }
  Index targets() const override { return 1; }
  std::optional<Index> rows() const override { return x_.rows; }
  std::unique_ptr<BlockScratch> scratch() const override { return std::make_unique<Claimed>(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override {
    if (next_ * block_ >= x_.rows) return std::optional<Index>();
    static_cast<Claimed&>(scratch).block = next_;
    return std::optional(next_++);
  }
  Result<Batch> load(BlockScratch& scratch) const override {
    const Index first = static_cast<Claimed&>(scratch).block * block_;
    Batch batch;
    MatrixView x = x_, y = y_;
    x.data = static_cast<const double*>(x.data) + first * x.row_stride;
    y.data = static_cast<const double*>(y.data) + first * y.row_stride;
    x.rows = y.rows = std::min(block_, x_.rows - first);
    batch.x = x;
    batch.target = y;
    batch.first_row = first;
    return batch;
  }
  Result<void> rewind() override {
    next_ = 0;
    return {};
  }

private:
  struct Claimed : BlockScratch {
    Index block = 0;
  };
  MatrixView x_, y_;
  Index block_, next_ = 0;
};

double now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Wall time, and processor time of all threads: the second is the one to trust on a busy machine.
struct Times {
  double wall = 1e300, processor = 1e300;
};
Times timed(const auto& work) {
  const double wall = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
  work();
  return {now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - processor};
}

// Two statistics that a fit gathers, and what they are measured against.
struct Bench {
  Index n, p;
  int threads;
  bool by_column;
  std::vector<double> x, y, c;
  Pool pool;
  std::shared_ptr<Predictor> predictor = std::make_shared<Predictor>();

  Bench(Index rows, Index cols, int workers, bool fortran)
      : n(rows), p(cols), threads(workers), by_column(fortran), x(static_cast<std::size_t>(n * p)),
        y(static_cast<std::size_t>(n)), c(static_cast<std::size_t>(p * p)), pool(workers) {
    std::uint64_t state = 1;
    for (auto* values : {&x, &y})
      for (double& value : *values) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<double>(state >> 11) * 0x1p-53;
      }
    predictor->cols = p;
    predictor->targets = 1;
    predictor->w.assign(static_cast<std::size_t>(p), 0.01);
    predictor->w_low.assign(static_cast<std::size_t>(p), 1e-19);
    predictor->b = {0.1};
    predictor->centre.assign(static_cast<std::size_t>(p), 0.5);
    openblas_set_num_threads(threads);
  }
  Rows rows() const {
    return {by_column ? MatrixView::col_major(x.data(), n, p) : MatrixView::row_major(x.data(), n, p),
            MatrixView::vector(y.data(), n)};
  }
  void dsyrk() {
    cblas_dsyrk(by_column ? CblasColMajor : CblasRowMajor, CblasLower, CblasTrans, static_cast<int>(p),
                static_cast<int>(n), 1, x.data(), static_cast<int>(by_column ? n : p), 0, c.data(),
                static_cast<int>(p));
  }
  void gram() {
    Rows source = rows();
    if (reduce(source, Gram(p, 1), pool)->total(&pool).rows != n) std::abort();
  }
  void residual() {
    Rows source = rows();
    if (reduce(source, Residual(predictor), pool)->total().rows != n) std::abort();
  }
  void read() {
    pool.run(threads, [&](Index part, int) {
      double s[32] = {};
      const Index end = n * p / threads * (part + 1);
      for (Index i = n * p / threads * part; i + 32 <= end; i += 32)
        for (Index k = 0; k < 32; ++k) s[k] += x[static_cast<std::size_t>(i + k)];
      for (const double sum : s)
        if (sum < 0) std::abort();
    });
  }
};

} // namespace

int main(int argc, char** argv) {
  Bench bench(argc > 1 ? std::atoll(argv[1]) : 1'000'000, argc > 2 ? std::atoll(argv[2]) : 100,
              argc > 3 ? std::atoi(argv[3]) : 2, argc > 4 && argv[4][0] == 'f');
  const int rounds = argc > 5 ? std::atoi(argv[5]) : 3;
  const std::map<std::string, void (Bench::*)()> work = {
      {"dsyrk", &Bench::dsyrk}, {"gram", &Bench::gram}, {"read", &Bench::read}, {"residual", &Bench::residual}};
  std::map<std::string, Times> best;
  for (int round = 0; round < rounds; ++round)
    for (const auto& [name, run] : work) {
      const Times t = timed([&] { (bench.*run)(); });
      best[name] = {std::min(best[name].wall, t.wall), std::min(best[name].processor, t.processor)};
    }
  std::printf("%-10s %10s %8s %12s %8s\n", "", "wall ms", "dsyrks", "processor ms", "dsyrks");
  for (const auto& [name, t] : best)
    std::printf("%-10s %10.1f %8.2f %12.1f %8.2f\n", name.c_str(), t.wall * 1e3, t.wall / best["dsyrk"].wall,
                t.processor * 1e3, t.processor / best["dsyrk"].processor);
}
