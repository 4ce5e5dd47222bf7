#pragma once

#include "model_file/tensor_file.hpp"

#include <recta/model.hpp>

#include <memory>

namespace recta {

// From the bytes of a file to a model. `mapping` keeps the bytes in place, so that large tensors need not be copied;
// without it the bytes are only there for now.
Result<Model> read_model(std::string_view bytes, const std::string& source, std::shared_ptr<const void> mapping,
                         Checksums checksums = Checksums::to_compare);

} // namespace recta
