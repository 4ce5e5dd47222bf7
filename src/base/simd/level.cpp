// Chooses the table. The processor and the environment are asked once; after that it is one atomic read per call.
#include "base/simd/level.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>

namespace recta::simd {

namespace {

constexpr std::array kNames = {std::string_view("scalar"), std::string_view("avx2"), std::string_view("avx512"),
                               std::string_view("neon")};

const Kernels* table(Level level) {
  switch (level) {
#if defined(__x86_64__)
  case Level::avx2:
    return &kAvx2Kernels;
  case Level::avx512:
    return &kAvx512Kernels;
#elif defined(__aarch64__)
  case Level::neon:
    return &kNeonKernels;
#endif
  default:
    return &kScalarKernels;
  }
}

const Choice& first_choice() {
  static const Choice choice = [] {
    const char* setting = std::getenv("RECTA_SIMD");
    return choose(setting ? setting : "", levels());
  }();
  return choice;
}

std::atomic<int> forced = -1;

} // namespace

std::string_view name(Level level) {
  return kNames[static_cast<std::size_t>(level)];
}

// The compilers' checks include that the operating system saves the wide registers.
std::vector<Level> levels() {
  std::vector<Level> out = {Level::scalar};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v3")) out.push_back(Level::avx2);
  if (__builtin_cpu_supports("x86-64-v4")) out.push_back(Level::avx512);
#elif defined(__aarch64__)
  out.push_back(Level::neon); // part of the architecture
#endif
  return out;
}

Choice choose(std::string_view setting, const std::vector<Level>& available) {
  const Level best = available.back();
  if (setting.empty()) return {best, {}};
  const auto* const known = std::find(kNames.begin(), kNames.end(), setting);
  const std::string used = "; " + std::string(name(best)) + " is used";
  const std::string variable = "RECTA_SIMD=" + std::string(setting.substr(0, 40));
  if (known == kNames.end()) return {best, variable + " is not one of scalar, avx2, avx512, neon" + used};
  const auto level = static_cast<Level>(known - kNames.begin());
  if (std::find(available.begin(), available.end(), level) == available.end())
    return {best, variable + ": this machine does not have it" + used};
  return {level, {}};
}

std::string complaint() {
  return first_choice().complaint;
}

Level level() {
  const int number = forced.load(std::memory_order_relaxed);
  return number >= 0 ? static_cast<Level>(number) : first_choice().level;
}

bool force(Level level) {
  const std::vector<Level> have = levels();
  if (std::find(have.begin(), have.end(), level) == have.end()) return false;
  forced.store(static_cast<int>(level), std::memory_order_relaxed);
  return true;
}

const Kernels& kernels() {
  return *table(level());
}

} // namespace recta::simd
