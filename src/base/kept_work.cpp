#include "base/kept_work.hpp"

namespace recta {

KeptWork*& KeptWork::current(Of of) {
  thread_local KeptWork* rows = nullptr;
  thread_local KeptWork* search = nullptr;
  return of == Of::rows ? rows : search;
}

} // namespace recta
