// A file mapped into memory for reading. Its pages are those of the system's file cache: nothing is read before it is
// needed, and processes that map the same file share them. The bytes stay as they are if the name is given to another
// file, which is how models are saved; cutting or overwriting the file itself would change them.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace recta {

class Mapping {
public:
  // The first `size` bytes of an open file, which may be closed afterwards; nullptr if the system declines (see errno).
  static std::shared_ptr<const Mapping> of(int file, std::size_t size);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const { return bytes_; }

private:
  explicit Mapping(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

} // namespace recta
