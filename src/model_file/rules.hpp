// Which rule of verify() covers each field of a model file. A field that no rule names is refused, so none can be
// added to a file without saying what holds it to the rows.
#pragma once

#include <recta/model.hpp>

#include <string>
#include <vector>

namespace recta {

enum class Rule : std::uint8_t {
  claimed,    // a part of the answer or of its witness: the proof is made of it
  recomputed, // compared with what the rows give
  setting,    // compared with what the word and its parameters ask for
  identity,   // says which rows and columns these are: others are refused
  stated,     // what the file says of its proof: verify() makes its own, and says that
  choice,     // the caller's: with any other value, the rest is what the fit would have written
  note,       // of no consequence for any answer
};

struct FieldRule {
  std::string fields; // a name; * stands for any letters
  Rule rule;
  std::string reason{}; // of choices and notes
};

// A family whose models have fields or parameters of their own says what covers each.
class HasFieldRules {
public:
  virtual ~HasFieldRules() = default;
  virtual std::vector<FieldRule> rules() const = 0;
};

// The fields of a model file: members of its metadata as "summary.rows", tensors and lists by their names.
std::vector<std::string> field_names(const Model& model);

// Refuses a file that holds more than the model which was read from it, or something else: a member that no reader
// knows, a word in place of another one.
Result<void> check_held(std::string_view bytes, const std::string& source, std::shared_ptr<const void> mapping,
                        const Model& model);

// Whether two schemas read the same columns in the same way: all but their classes, and what they do with values that
// are missing or new.
bool is_same_schema(const Schema& a, const Schema& b);

// The rules of all bodies, and of coefficients; then those of one body, from the folder that writes it.
const std::vector<FieldRule>& common_rules();
std::vector<FieldRule> rules_of_body(const Model& model);

// The rule of a field, the body's first; nullptr: there is none.
const FieldRule* rule_of(const std::string& field, const std::vector<FieldRule>& of_body);
// Refuses a model, or a part of it, that holds a field without a rule.
Result<void> check_ruled(const Model& model);

} // namespace recta
