#include "driver/procedure.hpp"

namespace recta {

Result<Model> Procedure::fit_seen(const Request& request, Schema, const Rows&, FirstPass, const Clock&) const {
  return fail(ErrorCode::usage, request.info->word,
              "it reads the rows several times, and merged statistics do not hold them", "fit it from the rows");
}

} // namespace recta
