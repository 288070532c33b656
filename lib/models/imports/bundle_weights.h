#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "imports/feature_order.h"
#include "imports/tensor_source.h"

namespace ventris::imports {

/// Makes the weights of a Transformer out of the tensors of another program. Its features (those between blocks) may be
/// in another order. Every function throws ModelError for a tensor that is missing or of another shape.
class BundleWeights {
 public:
  /// `features` has one number for each of options.d_model. Keeps references to all.
  BundleWeights(const TensorSource& tensors, const architecture::TransformerOptions& options, const Order& features)
      : tensors_(tensors), options_(options), features_(features) {}

  /// The elements of a tensor, which must have this shape. It counts as used.
  std::vector<float> take(const std::string& theirs, const std::vector<int64_t>& shape);

  /// Which sides of a linear layer are features.
  enum class Sides { kInputs, kOutputs };
  /// NAME.weight and NAME.bias from THEIRS.weight [out, in] and THEIRS.bias [out].
  void linear(const std::string& name, const std::string& theirs, int64_t out, int64_t in, Sides features);
  /// NAME.weight and NAME.bias from THEIRS.weight and THEIRS.bias, [d_model] each.
  void norm(const std::string& name, const std::string& theirs);
  /// NAME from THEIRS [rows of the other program, d_model], whose rows are put in this order.
  void table(const std::string& name, const std::string& theirs, int64_t their_rows, const Order& rows);
  /// Any other tensor, whose values are ready.
  void set(const std::string& name, std::vector<float> values) { values_[name] = std::move(values); }
  /// Says that a tensor of the source has no counterpart, so that finish() does not miss it.
  void ignore(const std::string& theirs) { used_.insert(theirs); }

  const std::vector<float>& values(const std::string& name) const { return values_.at(name); }

  /// The bytes of model.safetensors. Throws ModelError for a tensor of the source that nothing has asked for, and
  /// std::logic_error if a tensor of the Transformer is missing.
  std::string finish() const;

 private:
  const TensorSource& tensors_;
  const architecture::TransformerOptions& options_;
  const Order& features_;
  std::map<std::string, std::vector<float>> values_;
  std::set<std::string> used_;
};

}  // namespace ventris::imports
