#include <recta/stop.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace recta {
namespace {

constexpr std::array<std::pair<Stop::Reason, std::string_view>, 8> kWords{{
    {Stop::tolerance_reached, "the gap is within the tolerance"},
    {Stop::clean_pass, "a pass without a mistake"},
    {Stop::time_limit, "time limit"},
    {Stop::interrupted, "interrupted"},
    {Stop::iteration_limit, "iteration limit"},
    {Stop::combinations_left_out, "columns that are combinations of others but for rounding were left out"},
    {Stop::constants_left_out, "columns that are constant but for rounding were left out"},
    {Stop::changed_by_hand, "changed by hand"},
}};

} // namespace

Stop::Stop(Reason reason) : reason_(reason) {
  for (const auto& [known, words] : kWords)
    if (known == reason) text_ = words;
}

Stop::Stop(std::string words) : text_(std::move(words)) {
  for (const auto& [known, its_words] : kWords)
    if (its_words == text_) reason_ = known;
}

} // namespace recta
