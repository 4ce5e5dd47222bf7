// Writes a whole file so that, whatever happens, the name holds the old bytes or the new ones: a temporary file in the
// same directory is written, flushed to the disk and renamed over the old one, and the directory is flushed too.
#pragma once

#include <recta/error.hpp>

#include <cstddef>
#include <sys/types.h>

namespace recta {

// The system calls of a save, so that a test can make any of them fail or be the last.
struct FileOps {
  int (*open)(const char* path, int flags, mode_t mode);
  ssize_t (*write)(int file, const void* bytes, std::size_t count);
  int (*fsync)(int file);
  int (*close)(int file);
  int (*rename)(const char* from, const char* to);
  int (*unlink)(const char* path);
};
const FileOps& system_file_ops();

// A link is followed, the old file's permissions are kept. A device or a pipe is written to as it stands.
Result<void> write_atomically(const std::string& path, std::string_view bytes, const FileOps& ops = system_file_ops());

} // namespace recta
