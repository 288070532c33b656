#pragma once
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "families/rnn_attention.h"
#include "nn/recurrent.h"
#include "nn/seq2seq.h"

/// The recurrent encoder-decoder, with the module names of The Annotated Encoder-Decoder. Masks: true = may look.
namespace ventris::families {

using architecture::RnnOptions;

/// Reads the source in both directions (Schuster and Paliwal 1997; Bahdanau et al. 2015, section 3.2).
class RnnEncoderImpl : public torch::nn::Module {
 public:
  explicit RnnEncoderImpl(const RnnOptions& options);
  /// x [batch, src_len, d_embedding], mask [batch, 1, src_len] bool, true up to the padding (undefined = everywhere).
  nn::Recurrent::Impl::Result forward(const torch::Tensor& x, const torch::Tensor& mask);
  nn::Recurrent rnn{nullptr};
  nn::Dropout dropout{nullptr};  ///< of embeddings
};
TORCH_MODULE(RnnEncoder);

/// What a decoder keeps of each row from token to token.
struct RnnState {
  std::vector<nn::RecurrentState> layers;
  torch::Tensor fed;  ///< [rows, d_hidden] the attentional vector of the last token; undefined if it is not fed back
};

/// With y the embedding of the token before, s the state of the top layer and c the context:
///  - without attention: s' = f(y, s); hidden = P [y; s'] (Sutskever et al. 2014, section 2);
///  - additive, fed: c = attention(s); s' = f([y; c], s); hidden = P [y; s'; c] (Bahdanau et al. 2015, section 3.1;
///    P, which reads s', instead of the maxout layer, which reads s: as in The Annotated Encoder-Decoder);
///  - dot and bilinear, fed: s' = f([y; h], s), where h is the last hidden; c = attention(s');
///    hidden = tanh(P [y; s'; c]) (Luong et al. 2015, section 3.3 and equation 5, where P does not see y);
///  - not fed: s' = f(y, s); c = attention(s'); hidden as above.
/// P is pre_output_layer. The first s of each layer is tanh(B e), where B is `bridge` and e the last state of a layer
/// of the encoder (both directions, as in The Annotated Encoder-Decoder); an LSTM's cells have a matrix of their own,
/// `bridge_cell`. Layer i begins with layer i of the encoder, both counted from the top; layers below the encoder's
/// lowest begin with that.
class RnnDecoderImpl : public torch::nn::Module {
 public:
  explicit RnnDecoderImpl(const RnnOptions& options);

  /// The states before bos, from Memory::finals.
  RnnState first_state(const std::vector<torch::Tensor>& finals);

  /// What attention looks at; empty without attention.
  RnnSource source(const nn::Memory& memory);

  /// embedded [batch, tgt_len, d_embedding] -> hidden [batch, tgt_len, d_hidden]. If the attention is not fed, the
  /// recurrence runs over all positions at once, before the attention.
  torch::Tensor forward(const torch::Tensor& embedded, const nn::Memory& memory);

  /// One token of each row: embedded [rows, d_embedding] -> hidden [rows, d_hidden]. Changes `state`.
  torch::Tensor step(const torch::Tensor& embedded, RnnState& state, const RnnSource& source);

  const RnnOptions options;
  RnnAttention attention{nullptr};  ///< null without attention
  nn::Recurrent rnn{nullptr};
  nn::Linear bridge{nullptr}, bridge_cell{nullptr};  ///< bridge_cell: null for a GRU
  nn::Dropout dropout{nullptr};                      ///< of the input of the recurrence, and before pre_output_layer
  nn::Linear pre_output_layer{nullptr};

 private:
  /// What a step finds before pre_output_layer; for whole sequences, with a dimension tgt_len after the first.
  struct Found {
    torch::Tensor output;   // [batch, d_hidden]
    torch::Tensor context;  // [batch, 2 * d_hidden]; undefined without attention
    torch::Tensor weights;  // [batch, src_len]; undefined without attention
  };
  Found attend(const torch::Tensor& query, const RnnSource& source);
  Found advance(const torch::Tensor& input, RnnState& state, const RnnSource& source);
  Found run(const torch::Tensor& embedded, RnnState& state, const RnnSource& source);
  torch::Tensor run_fed(const torch::Tensor& embedded, RnnState& state, const RnnSource& source, Found& found);
  torch::Tensor pre_output(const torch::Tensor& embedded, const Found& found);
};
TORCH_MODULE(RnnDecoder);

/// With bf16 autocast, only the generator computes in bf16: the recurrence adds small changes to its states many times,
/// and its products are small.
class RnnEncoderDecoderImpl : public nn::Seq2SeqImpl {
 public:
  /// Throws std::invalid_argument for inconsistent sizes. Parameters have torch's default initialisation; see
  /// initialise.
  explicit RnnEncoderDecoderImpl(const RnnOptions& options);

  nn::Memory encode(const torch::Tensor& src, const torch::Tensor& src_mask) override;
  /// tgt_mask is not needed: a recurrence never sees later tokens, and padding comes last.
  torch::Tensor decode(const nn::Memory& memory, const torch::Tensor& tgt, const torch::Tensor& tgt_mask) override;
  /// Keeps the recurrent states of each row, so that each step costs the same.
  std::unique_ptr<nn::StepModel> make_step_model() override;
  nn::AttentionBlocks attention_blocks() const override;
  /// As Seq2SeqImpl, with Recurrent::initialise, and embeddings normal with standard deviation d_embedding^-0.5.
  void initialise() override;

  const RnnOptions options;
  RnnEncoder encoder{nullptr};
  RnnDecoder decoder{nullptr};
  nn::Embedding src_embed{nullptr}, trg_embed{nullptr};  ///< `generator` is last

 private:
  void tie();
};
/// The holder that TORCH_MODULE would define, with a conversion to Seq2Seq.
class RnnEncoderDecoder : public torch::nn::ModuleHolder<RnnEncoderDecoderImpl> {
 public:
  using Impl = RnnEncoderDecoderImpl;
  using torch::nn::ModuleHolder<RnnEncoderDecoderImpl>::ModuleHolder;
  operator nn::Seq2Seq() const { return ptr(); }  // NOLINT(google-explicit-constructor)
  operator nn::Model() const { return ptr(); }    // NOLINT(google-explicit-constructor)
};

}  // namespace ventris::families
