#include "combine/part_schema.hpp"

#include "certificate/stated/figures.hpp"
#include "model_file/rules.hpp"

namespace recta::combine {

void compare_part_schema(const Schema& stated, const Schema& by_rows, Certificate& certificate) {
  if (!is_same_schema(stated, by_rows))
    refute({"a part reads other columns than its rows have, or in another way"}, certificate);
  const Classes &kept = stated.classes, &again = by_rows.classes;
  if (kept.labels != again.labels || kept.type != again.type || kept.positive != again.positive ||
      kept.factor != again.factor || kept.rest != again.rest)
    refute({"a part tells other classes apart than the rows have"}, certificate);
  compare_class_weights(kept, again.weight, certificate);
}

} // namespace recta::combine
