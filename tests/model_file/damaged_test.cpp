// Any model file is a model or an error: every node of the files of every word is taken out, emptied, shortened and
// given other types and values, and what is still read answers everything a model can be asked.
#include "model_file/mutants.hpp"
#include "saved_models.hpp"

#include <recta/explain.hpp>

#include <cstdlib>

namespace recta {
namespace {

using mutants::Held;

// Values that the code behind a reader is least prepared for.
mutants::Rules damage() {
  mutants::Rules out;
  out.member = [](const Json& value, const auto& to) {
    to("removed", std::nullopt);
    const std::vector<std::pair<const char*, Json>> others{{"null", {}},
                                                           {"true", {true}},
                                                           {"0", {Index{0}}},
                                                           {"-1", {Index{-1}}},
                                                           {"2^62", {Index{1} << 62}},
                                                           {"1e300", {1e300}},
                                                           {"no text", {std::string()}},
                                                           {"another text", {std::string("x")}},
                                                           {"an array", {JsonArray{}}},
                                                           {"an object", {JsonObject{}}}};
    for (const auto& [what, json] : others) to(what, json);
    if (const auto* text = value.as<std::string>(); text && !text->empty())
      to("shortened", Json{text->substr(0, text->size() - 1)});
  };
  out.tensor = [](const std::string&, const Held& held, const auto& to) {
    to("removed", std::nullopt);
    to("emptied", Held{held.dtype, {0}, {}});
    const auto as = [&]<class T>(const std::vector<T>& values) {
      const auto changed = [&](std::string what, std::vector<T> others) {
        Held copy = held;
        copy.set(others);
        to(std::move(what), copy);
      };
      std::vector<T> longer = values;
      longer.push_back(values.empty() ? T{} : values.back());
      changed("longer", longer);
      if (values.empty()) return;
      changed("shorter", {values.begin(), values.end() - 1});
      std::vector<T> extreme{T(0), T(1), T(3), T(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
      if constexpr (std::is_floating_point_v<T>)
        extreme.insert(extreme.end(), {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                                       std::numeric_limits<T>::denorm_min()});
      for (const std::size_t at : {std::size_t{0}, values.size() - 1})
        for (const T value : extreme) {
          std::vector<T> others = values;
          others[at] = value;
          changed(fmt::format("[{}] = {}", at, value), others);
        }
      std::vector<T> back(values.rbegin(), values.rend());
      changed("backwards", back);
    };
    held.as_typed(as);
    Held other = held;
    if (held.dtype == Dtype::f64)
      other.set(std::vector<Index>(held.bytes.size() / sizeof(Index)));
    else
      held.as_typed([&](const auto& values) { other.set(std::vector<double>(values.begin(), values.end())); });
    to("of another type", other);
    other = held, other.shape.push_back(1);
    to("of another shape", other);
  };
  out.list = [](const std::vector<std::string>& items, const auto& to) {
    to("removed", {});
    to("shorter", {items.begin(), items.end() - 1});
    std::vector<std::string> others = items;
    others.push_back(items.back());
    to("longer", others);
    to("no texts", std::vector<std::string>(items.size()));
    to("other texts", std::vector<std::string>(items.size(), "x"));
  };
  return out;
}

// Whatever can be asked of a model; answers and refusals are both fine.
void ask_everything(const Model& model, const Dataset& rows) {
  const auto ignore = [](const auto&) {};
  for (const Answer answer : {Answer::prediction, Answer::decision, Answer::probability, Answer::corrected,
                              Answer::normalised, Answer::distance})
    ignore(model.predict(rows, 1, answer));
  ignore(verify(model, rows));
  ignore(model.feature_names());
  ignore(model.body->report(model.schema));
  ignore(model.certificate.sentence());
  ignore(explain(model, rows, 1));
  ignore(transform(model, rows, 1));
  ignore(as_linear(model));
  ignore(evaluate(model, rows));
}

// Every `step`-th change, from the first on that this model has its turn with.
void damage_all(std::size_t step) {
  const Dataset rows = saved_rows();
  std::size_t tried = 0, turn = 0, read = 0;
  for (const SavedCase& one : saved_cases()) {
    const auto model = saved_model(one, rows);
    ASSERT_TRUE(model) << one.name << ": " << model.error().text();
    const mutants::OpenFile file(model->to_bytes());
    const mutants::Changes changes = mutants::changes(file, damage());
    for (std::size_t k = turn++ % step; k < changes.size(); k += step) {
      SCOPED_TRACE(one.name + ": " + changes[k].node + " " + changes[k].what);
      ++tried;
      const auto damaged = Model::from_bytes(mutants::with(file, changes[k]), "m.recta");
      if (!damaged) {
        EXPECT_EQ(damaged.error().code, ErrorCode::bad_model_file) << damaged.error().text();
        EXPECT_FALSE(damaged.error().what.empty());
        continue;
      }
      ++read;
      ask_everything(*damaged, rows);
      const std::string again = damaged->to_bytes();
      const auto second = Model::from_bytes(again, "m.recta");
      ASSERT_TRUE(second) << second.error().text();
      EXPECT_EQ(second->to_bytes(), again);
    }
  }
  EXPECT_GT(tried, 1000U);
  EXPECT_GT(read, 100U);
}

TEST(DamagedModelFiles, AreRefusedOrAnswer) {
  damage_all(97);
}

TEST(SlowDamagedModelFiles, AreRefusedOrAnswerWhateverIsChanged) {
  damage_all(1);
}

} // namespace
} // namespace recta
