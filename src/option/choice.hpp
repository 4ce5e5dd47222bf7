// What the tables of options are made of: enums by their places, and flags that have a form of their own.
#pragma once

#include <recta/options.hpp>

namespace recta::option {

template <class Owner, class Enum, Enum Owner::* member>
constexpr OptionChoice<Owner> choice_of{
    [](const Owner& options) { return static_cast<std::size_t>(options.*member); },
    [](Owner& options, std::size_t place) { options.*member = static_cast<Enum>(place); }};

template <class Owner, class Enum>
Owner owner_of(Enum Owner::*);
template <class Owner, class Enum>
Enum enum_of(Enum Owner::*);
template <auto member>
constexpr auto choice = choice_of<decltype(owner_of(member)), decltype(enum_of(member)), member>;

Result<void> read_class_weights(const std::string& text, FitOptions& options);   // or "balanced"
Result<void> read_max_memory(const std::string& text, FitOptions& options);      // 500M
Result<void> read_condition(const std::string& text, FitOptions& options);       // LOW:HIGH
Result<void> read_chain(const std::string& text, FitOptions& options);           // labels, or random:SEED
Result<void> read_label_threshold(const std::string& text, FitOptions& options); // or held-out:SHARE
Result<void> read_run_lengths(const std::string& text, TextOptions& options);    // N or LOW:HIGH
Result<void> read_stop_words(const std::string& text, TextOptions& options);     // a language, or a file
Result<void> read_vocabulary(const std::string& path, TextOptions& options);
Result<void> read_least_documents(const std::string& text, TextOptions& options);
Result<void> read_most_documents(const std::string& text, TextOptions& options);

} // namespace recta::option
