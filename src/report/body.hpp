// Tables, figures and remarks of a body: their keys, and their place on a page.
#pragma once

#include <recta/body.hpp>
#include <recta/reports.hpp>

namespace recta::report {

void add_report(const Report& report, Group& data, std::vector<Section>& page);
Group data_by_class(const Report& report); // a label that is the name of another key there stands in the tables alone

} // namespace recta::report
