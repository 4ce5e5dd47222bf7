#include "model_file/mapping.hpp"

#include <sys/mman.h>

namespace recta {

std::shared_ptr<const Mapping> Mapping::of(int file, std::size_t size) {
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (start == MAP_FAILED) return nullptr;
  return std::shared_ptr<const Mapping>(new Mapping({static_cast<const char*>(start), size}));
}

Mapping::~Mapping() {
  ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

} // namespace recta
