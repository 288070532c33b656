#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "architecture/transformer_options.h"

/// What a Transformer consists of, said once: every list of its tensors follows from each_part().
namespace ventris::architecture {

/// Gets the parts of a Transformer. The names are those of families/transformer.h.
class PartVisitor {
 public:
  virtual ~PartVisitor() = default;

  /// A linear layer: NAME.weight [out, in] and, with `bias`, NAME.bias [out].
  virtual void linear(const std::string& name, int64_t in, int64_t out, bool bias) = 0;
  /// A norm of `width` features: NAME.weight [width] and, with `bias`, NAME.bias [width].
  virtual void norm(const std::string& name, int64_t width, bool bias) = 0;
  /// A vector of each of `rows` tokens: NAME [rows, width].
  virtual void table(const std::string& name, int64_t rows, int64_t width) = 0;
  /// Any other tensor: NAME [shape].
  virtual void tensor(const std::string& name, const std::vector<int64_t>& shape) = 0;
};

/// Visits the parts in the order in which the modules register them. `target_positions`: how many the target has.
void each_part(const TransformerOptions& options, int64_t target_positions, PartVisitor& visitor);

/// The tensors that share the bytes of another one, with its name.
std::map<std::string, std::string> tied_tensors(Tying tying);

}  // namespace ventris::architecture
