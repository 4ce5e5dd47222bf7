// Messages, the progress line and Ctrl-C: everything that happens on standard error and between keystrokes.
#pragma once

#include "command.hpp"

#include <chrono>
#include <string>

namespace recta::cli {

// How to speak: decided by --json, --quiet, --verbose, --digits, NO_COLOR and the kind of standard output.
struct Voice {
  bool json = false, quiet = false, verbose = false, colour = false;
  int digits = 6;
  explicit Voice(const Arguments& arguments);

  void note(const std::string& text) const;   // a message; silent under --quiet
  void detail(const std::string& text) const; // only under --verbose
  std::string bold(const std::string& text) const;
};

// If standard error is a terminal, this is a line that shows the stage, its rate and the time left, at most ten times a
// second, and from half a second on. Also carries Ctrl-C and nothing else into the library.
class ProgressLine {
public:
  // `amount` of `unit` is the whole of a stage: 1e6 rows, or 5e8 bytes.
  ProgressLine(const Voice& voice, double amount, std::string unit);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  Watch watch();
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  void show(const Progress& progress);
  std::string line(const Progress& progress, double stage_seconds) const;

  bool visible_, drawn_ = false;
  double amount_;
  std::string unit_, stage_;
  Index pass_ = -1;
  Clock::time_point began_, stage_began_, last_;
};

namespace interrupt {

void install();
bool asked(); // Ctrl-C was pressed while a Deferred was alive
int exit_code();
// While one is alive, the first Ctrl-C only asks to stop and the second ends the program. Without one the first ends
// it, which is right while there is nothing to keep.
class Deferred {
public:
  Deferred();
  ~Deferred();
  Deferred(const Deferred&) = delete;
  Deferred& operator=(const Deferred&) = delete;
};
// A half-written file to be removed when the program is ended; empty: none.
void remove_at_end(const std::string& path);

} // namespace interrupt

} // namespace recta::cli
