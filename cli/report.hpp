// A model and its certificate as text and as JSON: what fit, inspect and verify print alike.
#pragma once

#include "json.hpp"
#include "terminal.hpp"

namespace recta::cli {

struct Look {
  const Voice& voice;
  Index top = 0; // coefficients shown, the largest in standardised units, and aliased columns; 0: all
};

std::string model_title(const Model& model); // "ridge of price"
std::string coefficient_tables(const Model& model, const Look& look);
std::string metrics_text(const Model& model, const Look& look);
std::string summary_text(const Model& model,
                         const Look& look); // objective, solver, rank, aliases; conditions are the sentence's
std::string evaluation_text(const Evaluation& evaluation, const Look& look);
std::string params_text(const Params& params);

// Tables, figures and remarks of a body.
std::string report_text(const Report& report, const Look& look);

// Fields of the object that is open.
void report_fields(Json& json, const Report& report);
void model_fields(Json& json, const Model& model);
void evaluation_fields(Json& json, const Model& model, const Evaluation& evaluation);
void certificate_value(Json& json, const Certificate& certificate);
void decision_value(Json& json, const Model& model); // the rule that it keeps

} // namespace recta::cli
