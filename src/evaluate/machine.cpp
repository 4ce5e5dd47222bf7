// The capabilities of this machine, and what this build uses of them.
#include "base/simd/kernels.hpp"

#include <recta/evaluate.hpp>

#include <cblas.h>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace recta {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string architecture() {
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "unknown";
}

// Cores this process may run on, which a container or taskset makes fewer than there are.
int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN); // more cores than the set can name
  return online > 0 ? static_cast<int>(online) : 1;
}

// A line of /proc/meminfo, "MemTotal:  16384 kB", in bytes; 0 if there is none.
std::uint64_t memory_line(std::string_view key) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kilobytes = 0;
  std::string rest;
  while (file >> name >> kilobytes && std::getline(file, rest))
    if (name == key) return kilobytes * 1024;
  return 0;
}

} // namespace

Machine machine() {
  Machine machine;
  machine.version = RECTA_VERSION;
  machine.compiler = compiler();
  machine.architecture = architecture();
  machine.blas = openblas_get_config();
  while (machine.blas.ends_with(' ')) machine.blas.pop_back();
  machine.simd = simd::name(simd::level());
  for (const simd::Level level : simd::levels()) machine.simd_levels.emplace_back(simd::name(level));
  machine.cores = cores();
  machine.memory = memory_line("MemTotal:");
  machine.memory_free = memory_line("MemAvailable:");
  return machine;
}

} // namespace recta
