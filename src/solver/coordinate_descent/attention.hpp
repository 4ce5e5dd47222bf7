// The caller's watch, asked at most every 20 ms; its answer is remembered.
#pragma once

#include <recta/trace.hpp>

#include <chrono>

namespace recta::descent {

class Attention {
public:
  explicit Attention(const Watch& watch) : watch_(watch) {}
  double gap = 0;
  Index passes = 0;
  bool stop() {
    if (!watch_ || stopped_) return stopped_;
    const auto now = std::chrono::steady_clock::now();
    if (looked_ && now - last_ < std::chrono::milliseconds(20)) return false;
    looked_ = true;
    last_ = now;
    stopped_ = !watch_({.stage = "solving", .pass = passes, .fraction = -1, .gap = gap});
    return stopped_;
  }

  bool stopped() const { return stopped_; }

private:
  const Watch& watch_;
  bool stopped_ = false, looked_ = false;
  std::chrono::steady_clock::time_point last_;
};

} // namespace recta::descent
