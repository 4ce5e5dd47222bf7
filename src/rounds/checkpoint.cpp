#include "rounds/checkpoint.hpp"

#include "base/file_size_signal.hpp"
#include "rounds/question.hpp"
#include "stats/state_bytes.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace recta::rounds {
namespace {

constexpr std::string_view kHead = "recta rounds 1";
constexpr std::size_t kDigest = 32;

std::string framed(std::string_view body) {
  StateWriter out("");
  out.put(body);
  return out.take() + digest_of(body);
}

// The next body, if all of it is there and is what was written.
std::optional<std::string_view> next_body(std::string_view& rest) {
  if (rest.size() < 8) return {};
  StateReader in("", rest);
  const std::string_view body = in.text();
  if (!in.good() || rest.size() < 8 + body.size() + kDigest) return {};
  const std::string_view digest = rest.substr(8 + body.size(), kDigest);
  if (digest != digest_of(body)) return {};
  rest.remove_prefix(8 + body.size() + kDigest);
  return body;
}

std::unexpected<Error> cannot_write(const std::string& path) {
  return fail(ErrorCode::failure, path, "the checkpoint cannot be written",
              "see whether the folder is there and has room, or leave the checkpoint out");
}

// All at once or not at all: a stop in between leaves the file as it was, or with a tail that is not read.
Result<void> write(const std::string& path, std::string_view bytes, std::ios::openmode mode) {
  const NoFileSizeSignal none;
  std::ofstream out(path, std::ios::binary | mode);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out) return cannot_write(path);
  return {};
}

} // namespace

Result<Checkpoint> Checkpoint::open(const std::string& path, const std::string& table) {
  Checkpoint out;
  out.path_ = path;
  if (path.empty()) return out;
  std::string kept = std::string(kHead) + framed(table);
  if (std::ifstream file(path, std::ios::binary); file) {
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::string_view rest = bytes;
    if (!bytes.empty() && !rest.starts_with(kHead))
      return fail(ErrorCode::usage, path, "this file is not a checkpoint", "name another one");
    if (rest.starts_with(kHead)) {
      rest.remove_prefix(kHead.size());
      const auto of = next_body(rest);
      if (of && *of != table)
        return fail(ErrorCode::bad_data, path, "this checkpoint is of another table, or of one that has changed since",
                    "name another one, or remove it and begin again");
      while (const auto body = of ? next_body(rest) : std::nullopt) {
        StateReader in("round", *body);
        Entry entry{std::string(in.text()), std::string(in.text())};
        if (!in.done()) break;
        kept += framed(*body);
        out.entries_.push_back(std::move(entry));
      }
    }
  }
  if (auto done = write(path, kept, std::ios::trunc); !done) return std::unexpected(done.error());
  return out;
}

Result<void> Checkpoint::add(Entry entry) {
  if (path_.empty()) return {};
  StateWriter body("round");
  body.put(std::string_view(entry.sample));
  body.put(std::string_view(entry.answer));
  auto done = write(path_, framed(body.take()), std::ios::app);
  entries_.push_back(std::move(entry));
  return done;
}

void Checkpoint::remove() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

} // namespace recta::rounds
