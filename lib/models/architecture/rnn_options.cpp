#include "architecture/rnn_options.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "architecture/family_fields.h"
#include "core/error.h"

namespace ventris::architecture {
namespace {

using core::Choices;
using core::JsonReader;
using nlohmann::json;

const Choices<RecurrentCell>& cells() {
  static const Choices<RecurrentCell> all{{"gru", RecurrentCell::kGru}, {"lstm", RecurrentCell::kLstm}};
  return all;
}
const Choices<Scoring>& scorings() {
  static const Choices<Scoring> all{{"none", Scoring::kNone},
                                    {"additive", Scoring::kAdditive},
                                    {"dot", Scoring::kDot},
                                    {"bilinear", Scoring::kBilinear}};
  return all;
}

constexpr int64_t kMostLayers = 4;
constexpr int64_t kMostTokens = 1 << 16;  // of a sequence

/// Every setting; `visit` is one of the visitors of family_fields.h.
template <typename V, typename Options>
void rnn_fields(V& visit, Options& options) {
  visit({"cell", "Recurrent cell: gated recurrent units (`gru`) or long short-term memory (`lstm`)."}, options.cell,
        cells());
  visit.size({"encoder_layers", "Layers of the encoder. Each of them reads the source in both directions."},
             options.encoder_layers, 1, kMostLayers);
  visit.size({"decoder_layers", "Layers of the decoder."}, options.decoder_layers, 1, kMostLayers);
  visit.size({"d_embedding", "Features of the embedding of a token."}, options.d_embedding);
  visit.size({"d_hidden", "Features of a recurrent state: of the decoder, and of each direction of the encoder."},
             options.d_hidden);
  visit({"attention",
         "How the attention to the source scores a position. `additive`: with a small network (Bahdanau et al. 2015). "
         "`dot`: the product of the two states. `bilinear`: the same with a matrix between them (both Luong et al. "
         "2015). `none`: no attention; the decoder only starts from the last states of the encoder."},
        options.attention, scorings());
  visit(
      {"input_feeding",
       "Whether the recurrence of the decoder reads the result of the attention: with `additive`, the result of the "
       "same "
       "step; otherwise, the result of the step before. `false` makes training faster, and is needed if `attention` is "
       "`none`."},
      options.input_feeding);
  visit.dropout(
      {"dropout",
       "Probability of dropout of embeddings, between the layers, and before the output. The connections from "
       "one token to the next have no dropout."},
      options.dropout);
  visit.size({"max_length",
              "Longest sequence that the model can take, in tokens, with bos or eos. `data.max_length` must be less."},
             options.max_length, 8, kMostTokens);
  visit({"tying",
         "Weights that are shared: none, target embedding and generator (`decoder`), or these two and the source "
         "embedding (`all`). Both need `d_embedding` = `d_hidden`, and `all` needs one tokenizer for both sides."},
        options.tying, tyings());
}

RnnOptions read_options(JsonReader& reader) {
  RnnOptions options;
  SettingsReader visit(reader);
  rnn_fields(visit, options);
  if (options.input_feeding && !options.has_attention()) {
    fail<ConfigError>(reader.path_of("input_feeding"),
                      ": must be false with 'attention': 'none', because there is nothing to feed; set it to false, or "
                      "choose an attention");
  }
  if (options.tying != Tying::kNone && options.d_embedding != options.d_hidden) {
    fail<ConfigError>(reader.path_of("tying"), ": '", core::name_of(options.tying, tyings()),
                      "' shares an embedding with the generator, which needs d_embedding = d_hidden, got ",
                      options.d_embedding, " and ", options.d_hidden, "; make them equal, or use 'none'");
  }
  return options;
}

/// Names and shapes of the parameters, in the order in which the modules of families/rnn.h register them.
class RnnTensors {
 public:
  RnnTensors(const RnnOptions& options, const Architecture::TensorVisitor& visit) : options_(options), visit_(visit) {}

  void matrix(const std::string& name, int64_t in, int64_t out) const { visit_(name + ".weight", {out, in}); }
  void linear(const std::string& name, int64_t in, int64_t out) const {
    matrix(name, in, out);
    visit_(name + ".bias", {out});
  }
  void recurrence(const std::string& name, int64_t in, int64_t layers, bool both_directions) const {
    const int64_t rows = options_.gates() * options_.d_hidden;
    for (int64_t layer = 0; layer < layers; ++layer) {
      const int64_t width = layer == 0 ? in : (both_directions ? 2 : 1) * options_.d_hidden;
      for (const char* direction : {"", "_reverse"}) {
        const std::string suffix = "_l" + std::to_string(layer) + direction;
        visit_(name + ".weight_ih" + suffix, {rows, width});
        visit_(name + ".weight_hh" + suffix, {rows, options_.d_hidden});
        visit_(name + ".bias_ih" + suffix, {rows});
        visit_(name + ".bias_hh" + suffix, {rows});
        if (!both_directions) break;
      }
    }
  }
  void attention(const std::string& name) const {
    const int64_t width = options_.d_hidden;
    if (options_.attention == Scoring::kBilinear) matrix(name + ".key_layer", 2 * width, width);
    if (options_.attention != Scoring::kAdditive) return;
    matrix(name + ".key_layer", 2 * width, width);
    matrix(name + ".query_layer", width, width);
    matrix(name + ".energy_layer", width, 1);
  }

 private:
  const RnnOptions& options_;
  const Architecture::TensorVisitor& visit_;
};

}  // namespace

ArchitecturePtr parse_rnn(JsonReader& reader) { return std::make_shared<const RnnArchitecture>(read_options(reader)); }

json RnnArchitecture::to_json() const {
  SettingsWriter visit;
  rnn_fields(visit, options);
  return visit.out;
}

std::vector<core::SettingDescription> RnnArchitecture::describe() const {
  SettingsList visit;
  rnn_fields(visit, options);
  return visit.sections.front().settings;
}

ArchitecturePtr RnnArchitecture::with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const {
  RnnOptions changed = options;
  changed.src_vocab = src_vocab;
  changed.tgt_vocab = tgt_vocab;
  return std::make_shared<const RnnArchitecture>(changed);
}

void RnnArchitecture::each_tensor(const TensorVisitor& visit) const {
  const RnnTensors tensors(options, visit);
  const int64_t width = options.d_hidden;
  tensors.recurrence("encoder.rnn", options.d_embedding, options.encoder_layers, /*both_directions=*/true);
  tensors.attention("decoder.attention");
  tensors.recurrence("decoder.rnn", options.decoder_input(), options.decoder_layers, /*both_directions=*/false);
  tensors.linear("decoder.bridge", 2 * width, width);
  if (options.cell == RecurrentCell::kLstm) tensors.linear("decoder.bridge_cell", 2 * width, width);
  tensors.matrix("decoder.pre_output_layer", options.d_embedding + width + options.d_context(), width);
  tensors.matrix("src_embed", options.d_embedding, options.src_vocab);
  tensors.matrix("trg_embed", options.d_embedding, options.tgt_vocab);
  tensors.linear("generator.proj", width, options.tgt_vocab);
}

}  // namespace ventris::architecture
