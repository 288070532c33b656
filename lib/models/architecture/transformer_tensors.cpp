#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "architecture/transformer_parts.h"

/// The tensors of a Transformer, which follow from its parts (each_part).
namespace ventris::architecture {
namespace {

/// The tensors of each part.
class Tensors : public PartVisitor {
 public:
  explicit Tensors(const Architecture::TensorVisitor& visit) : visit_(visit) {}

  void linear(const std::string& name, int64_t in, int64_t out, bool bias) override {
    visit_(name + ".weight", {out, in});
    if (bias) visit_(name + ".bias", {out});
  }
  void norm(const std::string& name, int64_t width, bool bias) override {
    visit_(name + ".weight", {width});
    if (bias) visit_(name + ".bias", {width});
  }
  void table(const std::string& name, int64_t rows, int64_t width) override { visit_(name, {rows, width}); }
  void tensor(const std::string& name, const std::vector<int64_t>& shape) override { visit_(name, shape); }

 private:
  const Architecture::TensorVisitor& visit_;
};

}  // namespace

void each_transformer_tensor(const TransformerOptions& options, int64_t tgt_positions,
                             const Architecture::TensorVisitor& visit) {
  Tensors tensors(visit);
  each_part(options, tgt_positions, tensors);
}

void TransformerArchitecture::each_tensor(const TensorVisitor& visit) const {
  each_transformer_tensor(options, options.max_positions, visit);
}

}  // namespace ventris::architecture
