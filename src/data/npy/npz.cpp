// Which arrays of an archive make the table: X, x or data, or the only one that is no target; y, Y or target beside it.
#include "data/dataset.hpp"
#include "data/npy/array.hpp"
#include "data/npy/npy.hpp"
#include "data/npy/zip.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

using namespace npy;

std::string_view array_name(const Member& member) {
  std::string_view name = member.name;
  if (name.ends_with(".npy")) name.remove_suffix(4);
  return name;
}

const Member* first_of(const std::vector<Member>& members, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    for (const Member& member : members)
      if (array_name(member) == name) return &member;
  return nullptr;
}

struct Chosen {
  const Member* x = nullptr;
  const Member* y = nullptr;
};

Result<Chosen> choose(const std::vector<Member>& members, const std::string& source) {
  if (members.size() == 1) return Chosen{members.data(), nullptr};
  Chosen chosen{first_of(members, {"X", "x", "data"}), first_of(members, {"y", "Y", "target"})};
  if (!chosen.x && chosen.y && members.size() == 2) chosen.x = &members[chosen.y == members.data()];
  if (chosen.x) return chosen;
  std::vector<std::string> names;
  for (const Member& member : members) {
    if (names.size() == 8) {
      names.emplace_back("...");
      break;
    }
    names.push_back(shown(array_name(member)));
  }
  return fail(ErrorCode::bad_data, source,
              members.empty() ? std::string("the archive is empty")
                              : fmt::format("none of its arrays is called X: {}", fmt::join(names, ", ")),
              "save the rows as X and the target as y: numpy.savez(file, X=X, y=y)");
}

Result<std::vector<Column>> columns_in(std::string_view archive, const Member& member, const std::string& source,
                                       const ReadOptions& options, Index& rows) {
  const std::string where = fmt::format("{}, array {}", source, shown(array_name(member)));
  ByteVector room;
  auto bytes = open_member(archive, member, source, options, room);
  if (!bytes) return std::unexpected(bytes.error());
  auto array = open_array(*bytes, where, options);
  if (!array) return std::unexpected(array.error());
  rows = array->head.rows;
  // Members of an archive may overlap, so only what was expanded is ours to release.
  const Bytes expanded(std::move(room));
  return read_columns(*array, where, expanded, options.threads);
}

} // namespace

bool looks_like_npz(std::string_view sample) {
  return sample.starts_with("PK\x03\x04") || sample.starts_with("PK\x05\x06");
}

Result<Dataset> read_npz(const Bytes& all, const std::string& source, const ReadOptions& options) {
  const std::string_view bytes = all.view();
  auto members = list_members(bytes, source);
  if (!members) return std::unexpected(members.error());
  auto chosen = choose(*members, source);
  if (!chosen) return std::unexpected(chosen.error());
  Index rows = 0;
  auto columns = columns_in(bytes, *chosen->x, source, options, rows);
  if (!columns) return std::unexpected(columns.error());
  std::string note = "columns from " + shown(array_name(*chosen->x));
  if (chosen->y) {
    Index targets = 0;
    auto target = columns_in(bytes, *chosen->y, source, options, targets);
    if (!target) return std::unexpected(target.error());
    if (targets != rows)
      return fail(ErrorCode::bad_data, source,
                  fmt::format("{} has {} rows and {} has {}", shown(array_name(*chosen->x)), rows,
                              shown(array_name(*chosen->y)), targets),
                  "they must have the same number of rows");
    for (std::size_t j = 0; j < target->size(); ++j) {
      (*target)[j].name = target->size() == 1 ? "y" : fmt::format("y{}", j + 1);
      columns->push_back(std::move((*target)[j]));
    }
    note += ", target from " + shown(array_name(*chosen->y));
  }
  Dataset data = table_of(std::move(*columns), rows, source);
  data.notes.push_back(std::move(note));
  return data;
}

} // namespace recta
