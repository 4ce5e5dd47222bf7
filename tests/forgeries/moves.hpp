// Every number, text, setting and list of a model file moved by a little and by much: what a forger would try.
#pragma once

#include "model_file/mutants.hpp"

#include <cmath>
#include <limits>

namespace recta::forgeries {

// The sizes of a move. One that is tiny stays within the digits that a figure of sums is compared in.
enum class Size : std::uint8_t { tiny, large };

struct Move {
  std::string how;
  Size size;
};

namespace detail {

template <class T>
struct Moved {
  Move move;
  T value;
};

template <class T>
std::vector<Moved<T>> moved_numbers(T x) {
  const T most = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T unit = x == 0 ? T(1) : x;
  std::vector<Moved<T>> out{{{"last bit", Size::tiny}, std::nextafter(x, most)},
                            {{"1e-12", Size::tiny}, x + T(1e-12) * unit},
                            {{"1e-6", Size::large}, x + T(1e-6) * unit},
                            {{"1", Size::large}, x + 1},
                            {{"sign", Size::large}, -x},
                            {{"zero", Size::large}, 0},
                            {{"doubled", Size::large}, x == 0 ? T(0.25) : 2 * x},
                            {{"NaN", Size::large}, nan}};
  std::erase_if(out, [&](const auto& one) { return one.value == x; });
  return out;
}

template <class T>
std::vector<Moved<T>> moved_counts(T x) {
  std::vector<Moved<T>> out{{{"1", Size::large}, static_cast<T>(x + 1)},
                            {{"-1", Size::large}, static_cast<T>(x - 1)},
                            {{"zero", Size::large}, 0}};
  std::erase_if(out, [&](const auto& one) { return one.value == x; });
  return out;
}

template <class T>
std::vector<Moved<T>> moved(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return moved_numbers(x);
  else
    return moved_counts(x);
}

inline std::string name_of(const Move& move) {
  return (move.size == Size::tiny ? "tiny " : "") + move.how;
}

} // namespace detail

using Words = std::vector<std::vector<std::string>>; // each a list of words that may stand for one another

// The rules of mutants::changes: each change is named by its move, which begins with "tiny" if it is one.
inline mutants::Rules moves(const Words& words) {
  mutants::Rules out;
  out.member = [words](const Json& value, const auto& to) {
    if (value.as<std::monostate>() != nullptr) to("a number where there is none", Json{0.25});
    if (const auto* flag = value.as<bool>()) to("flipped", Json{!*flag});
    if (const auto* count = value.as<Index>())
      for (const auto& [move, moved] : detail::moved(*count)) to(detail::name_of(move), Json{moved});
    if (const auto* number = value.as<double>())
      for (const auto& [move, moved] : detail::moved(*number))
        to(detail::name_of(move), std::isnan(moved) ? Json{} : Json{moved});
    if (const auto* text = value.as<std::string>()) {
      to("another text", Json{*text + "x"});
      if (!text->empty()) to("no text", Json{std::string()});
      for (const auto& list : words)
        if (std::ranges::find(list, *text) != list.end())
          for (const std::string& word : list)
            if (word != *text) to("the word " + word, Json{word});
    }
  };
  out.tensor = [](const std::string& name, const mutants::Held& held, const auto& to) {
    if (name.ends_with(".text")) return; // of a list
    held.as_typed([&]<class T>(const std::vector<T>& values) {
      for (std::size_t at = 0; at < values.size(); ++at)
        for (const auto& [move, value] : detail::moved(values[at])) {
          std::vector<T> others = values;
          others[at] = value;
          mutants::Held copy = held;
          copy.set(others);
          to(fmt::format("{} at [{}], {} for {}", detail::name_of(move), at, value, values[at]), copy);
        }
    });
  };
  out.list = [](const std::vector<std::string>& items, const auto& to) {
    for (std::size_t k = 0; k < items.size(); ++k) {
      std::vector<std::string> others = items;
      others[k] += "x";
      to(fmt::format("another text at [{}]", k), others);
    }
    std::vector<std::string> others = items;
    others.emplace_back("another");
    to("one more text", others);
    others = items, others.pop_back();
    to("one text fewer", others);
    others = {items.rbegin(), items.rend()};
    if (others != items) to("backwards", others);
  };
  return out;
}

} // namespace recta::forgeries
