// What fits of the same rows keep for one another, such as a kernel matrix or the last answer, without every function
// on the way knowing about it. A search that fits one model at many parameters creates a KeptWork for each set of rows;
// code below it, on the same thread, keeps one object of a type of its own there. Without one nothing is kept.
//
// An answer may depend on what was kept as it depends on a starting point: within the tolerance that its proof shows.
#pragma once

#include <memory>
#include <typeindex>
#include <unordered_map>

namespace recta {

class KeptWork {
public:
  // On this thread, for the object's lifetime.
  KeptWork() : before_(current_) { current_ = this; }
  ~KeptWork() { current_ = before_; }
  KeptWork(const KeptWork&) = delete;
  KeptWork& operator=(const KeptWork&) = delete;

  // The object of this type, made when it is first asked for; null if nothing is kept.
  template <class Kept>
  static Kept* find() {
    if (!current_) return nullptr;
    std::shared_ptr<void>& place = current_->kept_[std::type_index(typeid(Kept))];
    if (!place) place = std::make_shared<Kept>();
    return static_cast<Kept*>(place.get());
  }

private:
  KeptWork* before_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> kept_;

  static thread_local KeptWork* current_;
};

} // namespace recta
