#include "penalty/all_penalties.hpp"

#include <algorithm>

namespace recta::penalty {
namespace {

struct Entry {
  PenaltyInfo info;
  Result<std::unique_ptr<const Penalty>> (*make)(const Given&);
};

template <class L>
Result<std::unique_ptr<const Penalty>> make_one(const Given& given) {
  if constexpr (requires { L::check(given); })
    if (Result<void> good = L::check(given); !good) return std::unexpected(good.error());
  return std::make_unique<L>(given);
}

template <class... Ls>
std::vector<Entry> listed(List<Ls...>) {
  std::vector<Entry> out{{Ls::info(), &make_one<Ls>}...};
  std::ranges::sort(out, {}, [](const Entry& entry) { return entry.info.word; });
  return out;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = listed(AllPenalties{});
  return all;
}

const Entry& entry(const std::string& word) {
  return *std::ranges::find_if(entries(), [&](const Entry& one) { return one.info.word == word; });
}

} // namespace

const std::vector<PenaltyInfo>& penalties() {
  static const std::vector<PenaltyInfo> all = [] {
    std::vector<PenaltyInfo> out;
    for (const Entry& one : entries()) out.push_back(one.info);
    return out;
  }();
  return all;
}

const PenaltyInfo& penalty_info(const std::string& word) {
  return entry(word).info;
}

Result<std::unique_ptr<const Penalty>> make_penalty(const std::string& word, const Given& given) {
  return entry(word).make(given);
}

} // namespace recta::penalty
