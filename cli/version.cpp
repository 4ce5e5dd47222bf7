// recta version.
#include "flags.hpp"
#include "json.hpp"
#include "output.hpp"

#include <recta/recta.hpp>

namespace recta::cli {

namespace {

Result<int> run_version(const Arguments& arguments) {
  const Machine here = machine();
  Result<Output> out = Output::to_standard_output();
  if (arguments.has("json")) {
    Json json;
    json.object().field("schema", "recta/version/1").field("version", here.version).field("compiler", here.compiler);
    *out << json.field("architecture", here.architecture).end().text();
  } else {
    *out << "recta " + here.version + "\n";
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo version_command() {
  return {.name = "version",
          .summary = "the version of this program",
          .examples = {{"recta version", ""}},
          .words = {},
          .groups = {output_flags()},
          .notes = {},
          .run = run_version};
}

} // namespace recta::cli
