#include "combine/side_by_side.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace recta::combine {
namespace {

constexpr Index kMostNumbers = Index{1} << 25; // 256 MB: beyond, threads share the work on one part well

// Parts are drawn by number, so that every part before one that failed is finished: the first error is always the same.
class Draw {
public:
  Draw(Index parts, const Clock& clock, const std::function<bool(Index, const Clock&)>& each)
      : parts_(parts), clock_(clock), each_(each) {}

  // On the calling thread, which alone hears the caller's watch.
  void lead() {
    const Watch heard = clock_.watch();
    const Clock leading = clock_.heard_by([&](const Progress& progress) {
      if (!heard(progress)) stopped_ = true;
      return !stopped_;
    });
    work(leading);
    const Watch watch = leading.watch();
    while (busy_ > 0) {
      watch({.stage = "fitting parts", .fraction = -1});
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  void help() {
    work(clock_.heard_by([&](const Progress&) { return !stopped_; }));
  }

private:
  void work(const Clock& clock) {
    const Busy busy(busy_);
    try {
      for (Index part = next_++; part < parts_ && !failed_; part = next_++)
        if (!each_(part, clock)) failed_ = true;
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  struct Busy {
    explicit Busy(std::atomic<int>& count) : count_(count) { ++count_; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { --count_; }
    std::atomic<int>& count_;
  };

  const Index parts_;
  const Clock& clock_;
  const std::function<bool(Index, const Clock&)>& each_;
  std::atomic<Index> next_ = 0;
  std::atomic<int> busy_ = 0;
  std::atomic<bool> failed_ = false, stopped_ = false;
};

} // namespace

bool go_side_by_side(Index parts, Index numbers, const Pool& pool) {
  return pool.threads() > 1 && parts >= pool.threads() && numbers <= kMostNumbers;
}

void for_each_part(Index parts, bool together, Pool& pool, const Clock& clock,
                   const std::function<bool(Index part, const Clock& clock)>& each) {
  if (!together) {
    for (Index part = 0; part < parts && each(part, clock);) ++part;
    return;
  }
  Draw draw(parts, clock, each);
  pool.run(pool.threads(), [&](Index, int worker) { worker == 0 ? draw.lead() : draw.help(); });
}

} // namespace recta::combine
