// Model files with one node changed and the checksums made right again: as damage, or a forger, would leave them. Nodes
// are the members of the metadata, the tensors and the lists of strings, and those of the parts of a model made of
// others.
#pragma once

#include "model_file/json.hpp"
#include "model_file/tensor_file.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace recta::mutants {

struct Held {
  Dtype dtype = Dtype::u8;
  std::vector<Index> shape{};
  std::string bytes{};

  template <class T>
  std::vector<T> values() const {
    std::vector<T> out(bytes.size() / sizeof(T));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
    return out;
  }
  // A list unless there are as many as before.
  template <class T>
  void set(const std::vector<T>& values) {
    if (bytes.size() != values.size() * sizeof(T) || dtype != kDtypeOf<T>) shape = {std::ssize(values)};
    dtype = kDtypeOf<T>;
    bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  // use(values), of the type that they have
  template <class Use>
  void as_typed(const Use& use) const {
    if (dtype == Dtype::f64) use(values<double>());
    if (dtype == Dtype::i64) use(values<Index>());
    if (dtype == Dtype::f32) use(values<float>());
    if (dtype == Dtype::u32) use(values<std::uint32_t>());
    if (dtype == Dtype::u8) use(values<std::uint8_t>());
  }
};

using Path = std::vector<std::string>;

struct OpenFile {
  Json about{};
  std::map<std::string, Held> tensors{};

  explicit OpenFile(std::string_view bytes) {
    const auto file = TensorFile::parse(bytes, "mutant").value();
    about = parse_json(file.metadata, "mutant").value();
    for (const auto& [name, tensor] : file.tensors)
      if (name != "sha256" && !name.ends_with(".sha256") && name != "sha256.rest")
        tensors[name] = {tensor.dtype, tensor.shape, std::string(tensor.bytes)};
  }
  std::string bytes() const {
    TensorWriter out;
    for (const auto& [name, held] : tensors)
      held.as_typed([&]<class T>(const std::vector<T>&) {
        const auto* first = reinterpret_cast<const T*>(held.bytes.data());
        out.add_large(name, std::span(first, held.bytes.size() / sizeof(T)), held.shape);
      });
    return out.finish(print_json(about));
  }

  // The object that has the last member of the path; nullptr: there is none.
  JsonObject* parent(const Path& path) {
    Json* node = &about;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      auto* const object = std::get_if<JsonObject>(&node->value);
      if (object == nullptr || !object->contains(path[k])) return nullptr;
      node = &(*object)[path[k]];
    }
    return std::get_if<JsonObject>(&node->value);
  }
  // A list is two tensors: the texts in a row, and where each begins.
  bool has_list(const std::string& name) const {
    return tensors.contains(name + ".start") && tensors.contains(name + ".text");
  }
  std::vector<std::string> list(const std::string& name) const {
    const auto start = tensors.at(name + ".start").values<Index>();
    std::vector<std::string> out;
    for (std::size_t k = 0; k + 1 < start.size(); ++k)
      out.push_back(
          tensors.at(name + ".text")
              .bytes.substr(static_cast<std::size_t>(start[k]), static_cast<std::size_t>(start[k + 1] - start[k])));
    return out;
  }
  void set_list(const std::string& name, const std::vector<std::string>& items) {
    tensors.erase(name + ".start"), tensors.erase(name + ".text");
    if (items.empty()) return;
    std::vector<Index> start{0};
    std::string text;
    for (const std::string& one : items) text += one, start.push_back(std::ssize(text));
    tensors[name + ".start"].set(start);
    tensors[name + ".text"] = {Dtype::u8, {std::ssize(text)}, text};
  }
  std::vector<std::string> parts() const {
    if (!tensors.contains("parts.bytes") || !tensors.contains("parts.start")) return {};
    const auto start = tensors.at("parts.start").values<Index>();
    const std::string& all = tensors.at("parts.bytes").bytes;
    std::vector<std::string> out;
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
      if (start[k] < 0 || start[k] > start[k + 1] || start[k + 1] > std::ssize(all)) return {}; // moved before
      out.push_back(all.substr(static_cast<std::size_t>(start[k]), static_cast<std::size_t>(start[k + 1] - start[k])));
    }
    return out;
  }
  void set_parts(const std::vector<std::string>& parts) {
    std::vector<Index> start{0};
    std::string all;
    for (const std::string& one : parts) all += one, start.push_back(std::ssize(all));
    tensors["parts.start"].set(start);
    tensors["parts.bytes"] = {Dtype::u8, {std::ssize(all)}, all};
  }
};

struct Change {
  std::string node, what;
  std::function<void(OpenFile&)> apply;
};
using Changes = std::vector<Change>;

inline std::string with(const OpenFile& file, const Change& change) {
  OpenFile copy = file;
  change.apply(copy);
  return copy.bytes();
}

// What may be changed at each kind of node.
struct Rules {
  std::function<void(const Json& value, const std::function<void(std::string what, std::optional<Json> value)>& to)>
      member;
  std::function<void(const std::string& name, const Held& held,
                     const std::function<void(std::string what, std::optional<Held> value)>& to)>
      tensor;
  std::function<void(const std::vector<std::string>& items,
                     const std::function<void(std::string what, std::vector<std::string> items)>& to)>
      list;
};

namespace detail {

inline void add_members(const Json& node, const Path& path, const Rules& rules, Changes& out) {
  const auto* const object = node.as<JsonObject>();
  if (object == nullptr) return;
  for (const auto& [key, value] : *object) {
    Path here = path;
    here.push_back(key);
    rules.member(value, [&](std::string what, std::optional<Json> changed) {
      out.push_back({fmt::format("{}", fmt::join(here, ".")), std::move(what),
                     [here, changed = std::move(changed)](OpenFile& file) {
                       JsonObject* const parent = file.parent(here);
                       if (changed)
                         (*parent)[here.back()] = *changed;
                       else
                         parent->erase(here.back());
                     }});
    });
    add_members(value, here, rules, out);
  }
}

} // namespace detail

// All changes of all nodes by the rules, in a fixed order. Of the parts the first and the last are gone into.
inline Changes changes(const OpenFile& file, const Rules& rules, const std::string& where = {}) {
  Changes out;
  detail::add_members(file.about, {}, rules, out);
  for (const auto& [name, held] : file.tensors) {
    if (name == "parts.bytes") continue;
    rules.tensor(name, held, [&](std::string what, std::optional<Held> changed) {
      out.push_back({name, std::move(what), [name, changed = std::move(changed)](OpenFile& copy) {
                       if (changed)
                         copy.tensors[name] = *changed;
                       else
                         copy.tensors.erase(name);
                     }});
    });
    const std::string stem = name.substr(0, name.rfind('.'));
    if (!name.ends_with(".start") || !file.has_list(stem)) continue;
    rules.list(file.list(stem), [&](std::string what, std::vector<std::string> items) {
      out.push_back(
          {stem, std::move(what), [stem, items = std::move(items)](OpenFile& copy) { copy.set_list(stem, items); }});
    });
  }
  const std::vector<std::string> parts = file.parts();
  for (std::size_t p = 0; p < parts.size(); p += std::max<std::size_t>(1, parts.size() - 1))
    for (Change& inner : changes(OpenFile(parts[p]), rules, fmt::format("part {}, ", p + 1)))
      out.push_back({inner.node, inner.what, [p, apply = std::move(inner.apply)](OpenFile& copy) {
                       std::vector<std::string> all = copy.parts();
                       if (p >= all.size() || !TensorFile::parse(all[p], "part")) return; // another change took it away
                       OpenFile part(all[p]);
                       apply(part);
                       all[p] = part.bytes();
                       copy.set_parts(all);
                     }});
  for (Change& change : out) change.node = where + change.node;
  return out;
}

} // namespace recta::mutants
