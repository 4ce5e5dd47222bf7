// recta doctor: whether this machine and this build are fit for work.
#include "flags.hpp"
#include "output.hpp"
#include "table.hpp"
#include "terminal.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace recta::cli {

namespace {

enum class State : std::uint8_t { ok, warn, bad };

struct Finding {
  std::string what, found;
  State state = State::ok;
};

const char* state_name(State state) {
  const char* names[] = {"ok", "warn", "bad"};
  return names[static_cast<int>(state)];
}

Finding writable(const std::string& what, const std::string& folder) {
  std::string path = folder + "/recta-doctor-XXXXXX";
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return {what, folder + " cannot be written", State::warn};
  close(descriptor);
  unlink(path.c_str());
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (error) return {what, folder};
  return {what, fmt::format("{}, {} free", folder, bytes_text(space.available)),
          space.available < 100'000'000 ? State::warn : State::ok};
}

// From a built-in set to a proof and back: everything a user does.
Finding trial() {
  Result<Dataset> data = read("housing", {});
  if (!data) return {"trial fit", data.error().text(), State::bad};
  Result<Model> model = fit("linear", *data);
  if (!model) return {"trial fit", model.error().text(), State::bad};
  Result<Certificate> certificate = verify(*model, *data);
  if (!certificate) return {"trial fit", certificate.error().text(), State::bad};
  return {"trial fit", certificate->sentence(), certificate->verdict == Verdict::proved ? State::ok : State::bad};
}

std::vector<Finding> findings() {
  const Machine here = machine();
  const char* temporary = std::getenv("TMPDIR");
  return {{"version", here.version},
          {"compiler", here.compiler},
          {"architecture", here.architecture},
          {"linear algebra", here.blas},
          {"instruction sets", fmt::format("{} in use, of {}", here.simd, fmt::join(here.simd_levels, ", "))},
          {"cores", std::to_string(here.cores), here.cores > 0 ? State::ok : State::warn},
          {"memory", fmt::format("{} free of {}", bytes_text(here.memory_free), bytes_text(here.memory)),
           here.memory_free < 500'000'000 ? State::warn : State::ok},
          writable("temporary files", temporary != nullptr && *temporary != 0 ? temporary : "/tmp"),
          writable("this folder", "."),
          trial()};
}

Result<int> run_doctor(const Arguments& arguments) {
  bool bad = false;
  report::Table table{.columns = {{"what", ""}, {"state", ""}, {"found", ""}}, .left = 3, .headless = true};
  for (const Finding& finding : findings()) {
    bad = bad || finding.state == State::bad;
    table.rows.push_back({finding.what, state_name(finding.state), finding.found});
  }
  const auto all = shared(std::move(table));
  const report::Document out{{{"schema", "recta/doctor/1"}, {"findings", all}, {"ok", !bad}},
                             {{report::Shown{all, {"state", "what", "found"}}}}};
  return show(out, Voice(arguments), 0, bad ? 1 : 0);
}

} // namespace

CommandInfo doctor_command() {
  return {.name = "doctor",
          .summary = "check this machine and run every step from data to proof",
          .examples = {{"recta doctor", "one line per finding: ok, warn or bad"}},
          .words = {},
          .groups = {output_flags()},
          .notes = {},
          .run = run_doctor};
}

} // namespace recta::cli
