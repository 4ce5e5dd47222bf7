#include "classes/class_weights.hpp"

#include "feature/classes.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

namespace recta {
namespace {

struct ClassSums : Saved<ClassSums> {
  const Classes* classes = nullptr;
  std::vector<double> sums;

  void accumulate(const Batch& batch) {
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
      if (weight > 0) sums.at(feature::class_place(*classes, element(batch.target, i, 0))) += weight;
    }
  }
  void merge(const ClassSums& other) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += other.sums[k];
  }
  bool finite() const { return true; } // features are not looked at: they may be missing
  static constexpr std::string_view kTag = "class", kName = "weights of classes";
  static void fields(auto& s, auto& io) { io.counted(s.sums); }
};

} // namespace

Result<std::vector<double>> class_weights_of(const Classes& classes, const Rows& rows, Pool& pool, const Watch& watch) {
  ClassSums empty{{}, &classes, std::vector<double>(static_cast<std::size_t>(classes.count()))};
  auto sums = fresh_pass(rows.source, std::move(empty), pool, watch, {.stage = "weighing classes"});
  if (!sums) return std::unexpected(sums.error());
  return std::move(sums->sums);
}

} // namespace recta
