#pragma once
#include <string>

#include "layers/weights.h"

/// model.packed: the packed weights of a Transformer, as they are in memory, so that they are used where the file is
/// mapped.
///
/// The file has the safetensors format. The metadata are "format" (ventris-packed), "version" (of what is described
/// here), "panel" (kPanel) and "precision". Every part (layers/packed_parts.h) is a tensor: the arrays of a matrix have
/// the shapes of Matrix::visit, and vectors and biases are padded with zeros to a multiple of kPanel. Every part
/// therefore has a multiple of 64 bytes, and starts at a multiple of 64 bytes in the file. Fixed positions are not
/// stored.
namespace ventris::engine {

using arithmetic::Precision;
using layers::ModelShape;
using layers::TransformerWeights;

/// The name of a precision in files and on the command line: "int8".
std::string name_of(Precision precision);

/// The bytes of the file.
std::string to_packed(const TransformerWeights& weights);

/// The precision of a packed file. Throws ModelError if this is no packed file, or one of another version.
Precision packed_precision(const model::Safetensors& file);

/// The weights of a packed file for a model for which unsupported() returns an empty text. They are not copied: they
/// keep the bytes of the file. Nothing in the file is trusted: throws ModelError with the part if one is missing, too
/// many, of another shape or type, or at a place where it may not start.
TransformerWeights from_packed(const ModelShape& shape, const model::Safetensors& file);

}  // namespace ventris::engine
