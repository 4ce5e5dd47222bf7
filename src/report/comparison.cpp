// Two nested models, and whether the larger one is worth it.
#include <recta/diagnosis.hpp>
#include <recta/reports.hpp>

namespace recta::report {
namespace {

Group information_data(const Information& i) {
  return {{"parameters", i.parameters}, {"aic", i.aic}, {"aicc", i.aicc}, {"bic", i.bic}};
}

} // namespace

Document document_of(const Comparison& comparison, const std::string& small, const std::string& large) {
  Group targets;
  Section page;
  for (const Comparison::Target& target : comparison.targets) {
    const auto row = [](const std::string& name, const Information& i, double cp) -> std::vector<Value> {
      return {name, i.parameters, i.aic, i.aicc, i.bic, cp};
    };
    page.push_back(Shown{shared(
        {.columns = {{"", target.target},
                     {"parameters", "parameters"},
                     {"aic", "AIC"},
                     {"aicc", "AICc"},
                     {"bic", "BIC"},
                     {"mallows_cp", "Mallows' Cp"}},
         .rows = {row(small, target.small, target.mallows_cp), row(large, target.large, target.large.parameters)}})});
    page.push_back(Sentence{"blank"});
    page.push_back(said(target.sentence));
    page.push_back(Sentence{"compare.ratio",
                            {{"ratio", target.likelihood_ratio},
                             {"added", comparison.added},
                             {"p_value", target.likelihood_ratio_p_value}}});
    targets.add(target.target, Group{{"f", target.f},
                                     {"f_p_value", target.f_p_value},
                                     {"likelihood_ratio", target.likelihood_ratio},
                                     {"likelihood_ratio_p_value", target.likelihood_ratio_p_value},
                                     {"mallows_cp", target.mallows_cp},
                                     {"small", information_data(target.small)},
                                     {"large", information_data(target.large)},
                                     {"sentence", target.sentence}});
  }
  return {{{"schema", "recta/compare/1"},
           {"small", small},
           {"large", large},
           {"features", comparison.features},
           {"added", comparison.added},
           {"degrees_of_freedom", comparison.degrees_of_freedom},
           {"targets", std::move(targets)}},
          {std::move(page)}};
}

} // namespace recta::report
