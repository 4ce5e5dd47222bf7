// A write beyond the limit on the size of files (ulimit -f) sends the thread SIGXFSZ, which ends a program that did not
// arrange for it. While an object of this class lives, the write fails with EFBIG instead.
#pragma once

#include <csignal>
#include <ctime>

namespace recta {

class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    sigemptyset(&own_);
    sigaddset(&own_, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &own_, &before_);
  }
  ~NoFileSizeSignal() {
    if (sigismember(&before_, SIGXFSZ) == 1) return; // the caller blocks it, and may wait for it
    const timespec at_once{};
    while (::sigtimedwait(&own_, nullptr, &at_once) == SIGXFSZ) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

private:
  sigset_t own_{}, before_{};
};

} // namespace recta
