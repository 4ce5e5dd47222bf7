#include "terminal.hpp"

#include "table.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace recta::cli {

Voice::Voice(const Arguments& arguments)
    : json(arguments.has("json")), quiet(arguments.has("quiet")), verbose(arguments.has("verbose")),
      digits(static_cast<int>(arguments.count("digits", 6))) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
  colour = (no_colour == nullptr || *no_colour == 0) && !dumb && isatty(STDOUT_FILENO) == 1;
}

void Voice::note(const std::string& text) const {
  if (!quiet) fmt::print(stderr, "{}\n", text);
}

void Voice::detail(const std::string& text) const {
  if (verbose) note(text);
}

std::string Voice::bold(const std::string& text) const {
  return colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}

ProgressLine::ProgressLine(const Voice& voice, double amount, std::string unit)
    : visible_(!voice.quiet && isatty(STDERR_FILENO) == 1), amount_(amount), unit_(std::move(unit)),
      began_(Clock::now()), stage_began_(began_), last_(began_) {}

Watch ProgressLine::watch() {
  return [this](const Progress& progress) {
    if (visible_) show(progress);
    return !interrupt::asked();
  };
}

void ProgressLine::show(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (progress.stage != stage_ || progress.pass != pass_) {
    stage_ = progress.stage;
    pass_ = progress.pass;
    stage_began_ = now;
  }
  if (now - began_ < std::chrono::milliseconds(500) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  fmt::print(stderr, "\r\x1b[K{}", line(progress, std::chrono::duration<double>(now - stage_began_).count()));
  std::fflush(stderr);
}

std::string ProgressLine::line(const Progress& progress, double stage_seconds) const {
  std::string text = fmt::format("{}  {:.1f} s", progress.stage, progress.seconds);
  if (progress.fraction >= 0) text += fmt::format("  {:.0f} %", 100 * std::min(progress.fraction, 1.0));
  const double done = progress.fraction * amount_;
  if (done > 0 && stage_seconds > 0) {
    const double rate = done / stage_seconds;
    text += unit_ == "bytes" ? fmt::format("  {}/s", bytes_text(static_cast<std::uint64_t>(rate)))
                             : fmt::format("  {:.3g} {}/s", rate, unit_);
    text += fmt::format("  {} left", seconds_text((amount_ - done) / rate));
  }
  if (progress.gap) text += fmt::format("  gap {:.1e}", *progress.gap);
  return text;
}

void ProgressLine::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

namespace interrupt {

namespace {

// All that a signal handler may touch: lock-free atomics and a path at a fixed address.
std::atomic<int> signal_seen{0};
std::atomic<int> deferred{0};
std::atomic<bool> has_path{false};
char path_to_remove[4096];

extern "C" void on_signal(int signal) {
  if (deferred.load() > 0 && signal_seen.exchange(signal) == 0) return;
  if (has_path.load()) unlink(path_to_remove);
  const char text[] = "\nrecta: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof text - 1);
  _exit(128 + signal);
}

} // namespace

void install() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN; // a closed pipe is seen as an error of write
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr); // so is a limit on the size of files
}

bool asked() {
  return signal_seen.load() != 0;
}

int exit_code() {
  return 128 + signal_seen.load();
}

Deferred::Deferred() {
  ++deferred;
}
Deferred::~Deferred() {
  --deferred;
}

void remove_at_end(const std::string& path) {
  has_path = false;
  if (path.empty() || path.size() >= sizeof path_to_remove) return;
  std::memcpy(path_to_remove, path.c_str(), path.size() + 1);
  has_path = true;
}

} // namespace interrupt

} // namespace recta::cli
