#pragma once
#include <array>
#include <functional>
#include <string>

#include "architecture/transformer_options.h"
#include "imports/bundle_weights.h"
#include "imports/tensor_source.h"
#include "imports/vocabulary.h"

/// The layers and tables of toolkits in PyTorch, which differ in their names.
namespace ventris::imports {

/// The names of the parts of a layer, after the name of an attention or feed-forward part.
struct LayerNames {
  std::array<const char*, 4> projections;  ///< of queries, keys, values and results
  const char* inner;                       ///< of a feed-forward part: w_1
  const char* outer;                       ///< w_2
  const char* gate;                        ///< w_3; null = no model has gates
};

/// Takes the parts of layers. A bias that is not there is zeros.
class LayerWeights {
 public:
  /// `options`: the d_ff of a side may be wider than a part, which is filled up with zeros; with attention_bias false,
  /// no attention part may have a bias. Keeps references to all.
  LayerWeights(const TensorSource& tensors, const architecture::TransformerOptions& options, BundleWeights& weights,
               const LayerNames& names)
      : tensors_(tensors), options_(options), weights_(weights), names_(names) {}

  /// With `halves`, queries and keys are rotated in pairs of features (i, i + width / 2) of a head, instead of
  /// neighbours: they are put in the order of ours.
  enum class Rotation { kNone, kHalves };
  void attention(const std::string& ours, const std::string& theirs, Rotation rotation = Rotation::kNone);
  void feed_forward(const std::string& ours, const std::string& theirs);
  void norm(const std::string& ours, const std::string& theirs);

  /// What results of attention and feed-forward parts are multiplied with, before they are added.
  void scale_results(float factor) { factor_ = factor; }

 private:
  std::vector<float> bias(const std::string& theirs, int64_t count);
  architecture::TransformerOptions side_of(const std::string& ours) const;
  static std::vector<float> unrotated(const architecture::TransformerOptions& side, const std::vector<float>& values,
                                      int64_t columns);

  const TensorSource& tensors_;
  const architecture::TransformerOptions& options_;
  BundleWeights& weights_;
  const LayerNames& names_;
  float factor_ = 1;
};

/// Whether a projection of an attention part has a bias, or a feed-forward part a gate, in any layer: the names of
/// tensors that end with one of these.
bool any_name_ends(const TensorSource& tensors, const std::vector<std::string>& ends);

/// Sets d_ff and decoder_d_ff to the widths of two feed-forward parts, w_1 of which are these tensors.
void set_inner_widths(const TensorSource& tensors, const std::string& encoder, const std::string& decoder,
                      architecture::TransformerOptions& options);

/// The tensors of a model that have a row for each token.
struct TableNames {
  std::string source, target;  ///< embeddings; if that of the target is not there, it is that of the source
  std::string output;                    ///< of the output layer; if it is not there, that of the target
  std::string output_bias = {};          ///< empty or not there = zeros
  double source_factor = 1, target_factor = 1;  ///< what token vectors are multiplied with
};

/// Takes the tables and sets the vocabularies, the tying and scale_embeddings of `options`, with which `weights` must
/// have been made.
void take_tables(const TensorSource& tensors, const TableNames& names, const Sides& sides,
                 architecture::TransformerOptions& options, BundleWeights& weights);

/// Checks a stored table of sinusoids, whose shape may have dimensions of 1, against a function that gives those of
/// `count` positions. Returns how many positions it has. Throws ModelError for other values.
int64_t check_sinusoids(const TensorSource& tensors, const std::string& name, int64_t d_model,
                        const std::function<std::vector<float>(int64_t count)>& expected);

}  // namespace ventris::imports
