// A family of models: its words, and how each of them is fitted, proved and shown step by step.
//
// A folder src/family/NAME is a family. The build lists them all (cmake/leaves.cmake), and each defines
// recta::family::NAME::make(); nothing else names it. What all families share stands beside this file.
#pragma once

#include "driver/procedure.hpp"
#include "model_file/field_reader.hpp"

#include <recta/curve.hpp>
#include <recta/path.hpp>
#include <recta/plot.hpp>

#include <memory>

namespace recta {

class Family {
public:
  virtual ~Family() = default;

  virtual std::vector<ModelInfo> words() const = 0;
  // The place of its words in lists, from simple to special; families of the same number go by the names of their
  // folders.
  virtual int place() const { return 100; }

  // Checks what the options ask for beyond the parameters, which are checked already.
  virtual Result<void> check(const Request& request) const;
  // Whether its penalty keeps coefficients apart that the data do not, so that every level of a category has one.
  virtual bool penalised(const Request& request) const = 0;
  // Whether a fit gathers the products of all columns, which is then most of the memory it needs.
  virtual bool gathers_products() const { return true; }

  // Whether its models of numbers have one target: several of them are then fitted one by one (combine/procedures.hpp).
  virtual bool one_target() const { return false; }

  // Fits, and verifies its models; chosen by the request or by the model if there are several ways.
  virtual const Procedure& procedure() const = 0; // the usual one
  virtual const Procedure& procedure_for(const Request&, const Rows&) const { return procedure(); }
  virtual const Procedure& procedure_of(const Model&) const { return procedure(); }

  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) const {
    return procedure_for(request, rows).fit(request, std::move(schema), rows, clock);
  }
  // A fit from merged statistics, without the rows. Refused unless a family can do without them.
  Result<Model> fit(const Request& request, Schema schema, const Rows& rows, FirstPass seen, const Clock& clock) const {
    return procedure_for(request, rows).fit_seen(request, std::move(schema), rows, std::move(seen), clock);
  }
  Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) const {
    return procedure_of(model).verify(model, rows, clock);
  }

  // The body of a model file, if it is not linear: what Body::write wrote, each number checked.
  virtual Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const;

  // Fits at many strengths of the penalty; refused unless it has one that a path can follow.
  virtual Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                            const Clock& clock) const;

  // A descent that records every so many steps; refused unless the model descends.
  virtual Result<Trace> trace(const Request& request, const Schema& schema, const Rows& rows, Index every,
                              const Clock& clock) const;
  // Mistakes while it learns, for two classes and for each class against the rest; refused unless it learns from them.
  virtual Result<TrainingCurve> curve(const Request& request, const Schema& schema, const Rows& rows, Index every,
                                      const Clock& clock) const;
  virtual Result<std::vector<TrainingCurve>> curves(const Request& request, const Schema& schema, const Rows& rows,
                                                    Index every, const Clock& clock) const;

  // Pictures that its models have beside those of all models (plot/model_picture.hpp), and one of them. A model without
  // a target is drawn by the first if none is asked for.
  virtual std::vector<plot::PictureInfo> pictures() const { return {}; }
  virtual Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const;
};

// The family of a word that models() lists.
const Family& family_of(const std::string& word);

} // namespace recta
