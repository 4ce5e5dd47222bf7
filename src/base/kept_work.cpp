#include "base/kept_work.hpp"

namespace recta {

thread_local KeptWork* KeptWork::current_ = nullptr;

} // namespace recta
