#pragma once
#include <torch/torch.h>

#include "architecture/rnn_options.h"
#include "nn/attention_watch.h"
#include "nn/linear.h"

namespace ventris::families {

using architecture::Scoring;

/// What the decoder of a recurrent model looks at; computed once per batch of sources.
struct RnnSource {
  torch::Tensor keys;    ///< [batch, src_len, d_hidden]
  torch::Tensor values;  ///< [batch, src_len, 2 * d_hidden] the output of the encoder
  torch::Tensor hidden;  ///< [batch, 1, src_len] added to scores: 0, or -infinity where a query may not look;
                         ///< undefined = it may look everywhere
  torch::Tensor blind;   ///< [batch, 1, 1] true = nowhere to look; undefined = there is no such sentence
};

/// Attention of a recurrent decoder to the source. With a state s of the decoder and a state h of the encoder, the
/// score is
///  - additive: v tanh(W s + U h) (Bahdanau et al. 2015, appendix A.1.2); W, U and v are query_layer, key_layer and
///    energy_layer, the names of The Annotated Encoder-Decoder;
///  - dot: s h (Luong et al. 2015, equation 8); h is the sum of the two directions, so that the sizes fit;
///  - bilinear: s W h (the same, "general"); W is key_layer.
/// The weights are the softmax of the scores over the source, and the context is the weighted sum of h (Bahdanau et
/// al., equations 5 and 6).
class RnnAttentionImpl : public torch::nn::Module, public nn::AttentionBlock {
 public:
  /// `scoring` is not kNone.
  RnnAttentionImpl(Scoring scoring, int64_t d_hidden);

  /// states [batch, src_len, 2 * d_hidden] -> keys [batch, src_len, d_hidden].
  torch::Tensor keys(const torch::Tensor& states);

  /// What queries look at: keys and values as above, mask [batch, 1, src_len] bool, true = may look (undefined =
  /// everywhere).
  static RnnSource source(const torch::Tensor& keys, const torch::Tensor& values, const torch::Tensor& mask);

  struct Result {
    torch::Tensor context;  ///< [batch, q_len, 2 * d_hidden]
    torch::Tensor weights;  ///< [batch, q_len, src_len]
  };
  /// query [batch, q_len, d_hidden]. A query with nowhere to look gets zeros, never NaN.
  Result forward(const torch::Tensor& query, const RnnSource& source);

  int64_t heads() const override { return 1; }
  void pretty_print(std::ostream& out) const override;

  nn::Linear key_layer{nullptr}, query_layer{nullptr}, energy_layer{nullptr};  ///< null where there is no such matrix

 private:
  torch::Tensor scores(const torch::Tensor& query, const torch::Tensor& keys);

  Scoring scoring_;
};
TORCH_MODULE(RnnAttention);

}  // namespace ventris::families
