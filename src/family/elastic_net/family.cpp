#include "family/family.hpp"

#include "family/elastic_net/elastic_net.hpp"
#include "family/elastic_net/request.hpp"
#include "family/elastic_net/squares_path.hpp"

namespace recta::family::elastic_net {
namespace {

class ElasticNet final : public Family {
public:
  std::vector<ModelInfo> words() const override { return net_words(); }
  int place() const override { return 1; }
  bool penalised(const Request&) const override { return true; }
  const Procedure& procedure() const override { return elastic_net_procedure(); }
  Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                    const Clock& clock) const override {
    return squares_path(request, schema, rows, how, clock);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<ElasticNet>();
}

} // namespace recta::family::elastic_net
