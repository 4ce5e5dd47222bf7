// What fits keep for one another, such as a kernel matrix or the last answer, without every function on the way knowing
// about it. A search that fits one model at many parameters creates a KeptWork for each set of rows, and one for the
// whole search, whose sets of rows have most rows in common; code below it, on the same thread, keeps one object of a
// type of its own there. Without one nothing is kept.
//
// An answer may depend on what was kept as it depends on a starting point: within the tolerance that its proof shows.
#pragma once

#include <cstdint>
#include <memory>
#include <typeindex>
#include <unordered_map>

namespace recta {

class KeptWork {
public:
  enum class Of : std::uint8_t { rows, search };

  // On this thread, for the object's lifetime.
  explicit KeptWork(Of of = Of::rows) : of_(of), before_(current(of)) { current(of) = this; }
  ~KeptWork() { current(of_) = before_; }
  KeptWork(const KeptWork&) = delete;
  KeptWork& operator=(const KeptWork&) = delete;

  // The object of this type, made when it is first asked for; null if nothing is kept.
  template <class Kept>
  static Kept* find(Of of = Of::rows) {
    KeptWork* const here = current(of);
    if (!here) return nullptr;
    std::shared_ptr<void>& place = here->kept_[std::type_index(typeid(Kept))];
    if (!place) place = std::make_shared<Kept>();
    return static_cast<Kept*>(place.get());
  }

private:
  static KeptWork*& current(Of of);

  Of of_;
  KeptWork* before_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> kept_;
};

} // namespace recta
