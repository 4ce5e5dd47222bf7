// recta version.
#include "flags.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <recta/recta.hpp>

namespace recta::cli {

namespace {

Result<int> run_version(const Arguments& arguments) {
  const Machine here = machine();
  const report::Document out{{{"schema", "recta/version/1"},
                              {"version", here.version},
                              {"compiler", here.compiler},
                              {"architecture", here.architecture}},
                             {{report::Sentence{"version", {{"version", here.version}}}}}};
  return show(out, Voice(arguments));
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
