#include "certificate/stated/differences.hpp"

#include "certificate/stated/contradict.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {

void Differences::compare(std::string_view what, double stated, double by_rows, double within) {
  const bool same = stated == by_rows || (std::isnan(stated) && std::isnan(by_rows));
  if (same || std::abs(stated - by_rows) <= within) return;
  add(fmt::format("{} {} in the file, {} by the rows", what, stated, by_rows));
}

void Differences::refute(Certificate& certificate) const {
  contradict(certificate, all_);
}

} // namespace recta
