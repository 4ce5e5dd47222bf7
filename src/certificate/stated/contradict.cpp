#include "certificate/stated/contradict.hpp"

#include "certificate/verdict.hpp"

#include <utility>

namespace recta {

void contradict(Certificate& certificate, std::string why) {
  certificate.verdict = verdict_of({.contradicted = true});
  certificate.conditions.push_back(std::move(why));
}

void contradict(Certificate& certificate, const std::vector<std::string>& whys) {
  for (const std::string& why : whys) contradict(certificate, why);
}

} // namespace recta
