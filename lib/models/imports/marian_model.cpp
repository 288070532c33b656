#include "imports/marian_model.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "files/files.h"
#include "imports/bundle_weights.h"
#include "imports/marian_options.h"
#include "imports/marian_shortlist.h"
#include "imports/marian_tensors.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

using architecture::TransformerOptions;
using architecture::Tying;

constexpr int64_t kPositionsOfMarian = 1024;  // Marian has no limit

/// Takes the parameters of a model.
class MarianWeights {
 public:
  MarianWeights(const MarianTensors& tensors, const MarianLayout& layout, const Sides& sides,
                TransformerOptions& options, BundleWeights& weights)
      : tensors_(tensors), layout_(layout), sides_(sides), options_(options), weights_(weights), d_(options.d_model) {}

  void run() {
    take_tables();
    for (int64_t i = 0; i < options_.encoder_layers; ++i) encoder_layer(i);
    for (int64_t i = 0; i < options_.decoder_layers; ++i) decoder_layer(i);
    for (const std::string side : {"encoder", "decoder"}) {
      if (options_.has_final_norm()) norm(side + ".norm", side + "_top", "");
      const std::string embedding = side == "encoder" ? "src_embed.1.norm" : "tgt_embed.1.norm";
      if (options_.embedding_norm) norm(embedding, side + "_emb", "_pre");
    }
  }

 private:
  static constexpr const char* kSourceTable = "src_embed.0.lut.weight";
  static constexpr const char* kTargetTable = "tgt_embed.0.lut.weight";
  static constexpr const char* kOutputTable = "generator.proj.weight";

  void table(const char* ours, const std::string& theirs, const NewVocabulary& vocabulary, int64_t rows) {
    weights_.set(ours, rows_in(vocabulary.rows, weights_.take(theirs, {rows, d_}), d_));
  }
  void take_tables() {
    table(kSourceTable, layout_.source_table(), sides_.source, sides_.source_rows);
    table(kTargetTable, layout_.target_table(), sides_.target, sides_.target_rows);
    take_output();
    const std::string bias = "decoder_ff_logit_out_b";
    const std::vector<float> none(static_cast<size_t>(sides_.target_rows), 0.0F);
    weights_.set("generator.proj.bias",
                 output_bias(sides_.target, layout_.output_bias ? weights_.take(bias, {1, sides_.target_rows}) : none));
    const bool source_tied = layout_.source_tied && sides_.have_common_ids();
    options_.tying = !layout_.output_tied ? Tying::kNone : source_tied ? Tying::kAll : Tying::kDecoder;
  }
  void take_output() {
    const std::string turned = "decoder_ff_logit_out_W", as_it_is = "decoder_ff_logit_out_Wt";
    if (layout_.output_tied) {
      weights_.set(kOutputTable, weights_.values(kTargetTable));
    } else if (tensors_.contains(turned)) {
      const std::vector<float> values = transposed(weights_.take(turned, {d_, sides_.target_rows}), d_);
      weights_.set(kOutputTable, rows_in(sides_.target.rows, values, d_));
    } else {
      table(kOutputTable, as_it_is, sides_.target, sides_.target_rows);
    }
  }

  void encoder_layer(int64_t i) {
    const std::string ours = "encoder.layers." + std::to_string(i), theirs = "encoder_l" + std::to_string(i + 1);
    attention(ours + ".self_attn", theirs + "_self");
    block_norm(ours, 0, theirs + "_self_Wo");
    feed_forward(ours, theirs, options_.d_ff);
    block_norm(ours, 1, theirs + "_ffn_ffn");
  }
  void decoder_layer(int64_t i) {
    const std::string ours = "decoder.layers." + std::to_string(i),
                      theirs = "decoder_l" + std::to_string(layout_.stored_layer(i + 1));
    if (options_.has_ssru()) {
      ssru(ours + ".ssru", theirs + "_rnn");
      block_norm(ours, 0, theirs + (options_.norm == architecture::NormPlace::kPre ? "_rnn" : "_rnn_ffn"));
    } else {
      attention(ours + ".self_attn", theirs + "_self");
      block_norm(ours, 0, theirs + "_self_Wo");
    }
    attention(ours + ".src_attn", theirs + "_context");
    block_norm(ours, 1, theirs + "_context_Wo");
    feed_forward(ours, theirs, options_.decoder_side().d_ff);
    block_norm(ours, 2, theirs + "_ffn_ffn");
  }
  void attention(const std::string& ours, const std::string& theirs) {
    const std::string letters = "qkvo";
    for (size_t i = 0; i < letters.size(); ++i) {
      const std::string linear = ours + ".linears." + std::to_string(i);
      weights_.set(linear + ".weight", transposed(weights_.take(theirs + "_W" + letters[i], {d_, d_}), d_));
      weights_.set(linear + ".bias", weights_.take(theirs + "_b" + letters[i], {1, d_}));
    }
  }
  void ssru(const std::string& ours, const std::string& theirs) {
    weights_.set(ours + ".input.weight", transposed(weights_.take(theirs + "_W", {d_, d_}), d_));
    weights_.set(ours + ".forget.weight", transposed(weights_.take(theirs + "_Wf", {d_, d_}), d_));
    weights_.set(ours + ".forget.bias", weights_.take(theirs + "_bf", {1, d_}));
  }
  /// `width`: the inner features of this side.
  void feed_forward(const std::string& layer, const std::string& theirs, int64_t width) {
    const std::string ours = layer + ".feed_forward.";
    weights_.set(ours + "w_1.weight", transposed(weights_.take(theirs + "_ffn_W1", {d_, width}), d_));
    weights_.set(ours + "w_1.bias", weights_.take(theirs + "_ffn_b1", {1, width}));
    weights_.set(ours + "w_2.weight", transposed(weights_.take(theirs + "_ffn_W2", {width, d_}), width));
    weights_.set(ours + "w_2.bias", weights_.take(theirs + "_ffn_b2", {1, d_}));
  }
  void block_norm(const std::string& layer, int number, const std::string& theirs) {
    const bool before = options_.norm == architecture::NormPlace::kPre;
    norm(layer + ".sublayer." + std::to_string(number) + ".norm", theirs, before ? "_pre" : "");
  }
  void norm(const std::string& ours, const std::string& theirs, const std::string& suffix) {
    const bool rms = options_.norm_kind == architecture::NormKind::kRms;
    weights_.set(ours + ".weight", weights_.take(theirs + (rms ? "_rms_scale" : "_ln_scale") + suffix, {1, d_}));
    if (rms) return;
    weights_.set(ours + ".bias", weights_.take(theirs + "_ln_bias" + suffix, {1, d_}));
  }

  const MarianTensors& tensors_;
  const MarianLayout& layout_;
  const Sides& sides_;
  TransformerOptions& options_;
  BundleWeights& weights_;
  int64_t d_;
};

/// How many rows of d_model features a table has.
int64_t rows_of_table(const MarianTensors& tensors, const std::string& name, int64_t d_model) {
  constexpr int64_t kFewestTokens = 2;  // unk and eos
  const std::vector<int64_t> shape = tensors.shape(name);
  if (shape.size() == 2 && shape[0] >= kFewestTokens && shape[1] == d_model) return shape[0];
  fail<ModelError>(tensors.where(), ": tensor '", name, "': expected at least ", kFewestTokens, " rows of ", d_model,
                   " features, as setting dim-emb says, found shape ", model::shape_text(shape));
}

MarianTensors read_marian(const std::string& path) {
  if (is_marian_npz(path)) return read_marian_npz(path);
  if (is_marian_bin(path)) return read_marian_bin(path);
  fail<ModelError>(path, ": expected a model of Marian: an .npz file with special:model.yml, or a .bin file");
}

void note_differences(const MarianSettings& settings, const TransformerOptions& options, const std::string& types,
                      std::vector<std::string>& notes) {
  notes.push_back(fmt::format("the longest sentence has {} tokens (model.max_positions), while Marian has no limit",
                              options.max_positions));
  if (types.find("int8") != std::string::npos) {
    notes.emplace_back("weights in 8 bits were made 32-bit floats again; --precision int8 translates in 8 bits");
  }
  if (options.norm == architecture::NormPlace::kPre && !options.has_ssru()) {
    notes.emplace_back(
        "translations differ from those of marian-decoder, which leaves out a norm of the decoder from the second "
        "token on; here it is as in training");
  }
  const std::string layer = settings.text("transformer-guided-alignment-layer", "last");
  if (layer != "last" && layer != "none") {
    notes.push_back("alignments are not taken from layer " + layer + " (transformer-guided-alignment-layer)");
  }
}

}  // namespace

bool is_marian_file(const std::string& path) { return is_marian_npz(path) || is_marian_bin(path); }

Imported from_marian_file(const std::string& path, const MarianVocabularyFiles& files, const std::string& shortlist) {
  const MarianTensors tensors = read_marian(path);
  const MarianSettings settings(tensors.settings(), path);
  Imported imported;
  MarianLayout layout;
  TransformerOptions options = marian_options(settings, layout, imported.notes);
  Sides sides;
  sides.source_rows = rows_of_table(tensors, layout.source_table(), options.d_model);
  sides.target_rows = rows_of_table(tensors, layout.target_table(), options.d_model);
  read_marian_vocabularies(files, sides, imported.package, imported.notes);
  options.src_vocab = static_cast<int64_t>(sides.source.rows.size());
  options.tgt_vocab = static_cast<int64_t>(sides.target.rows.size());
  options.positions = architecture::Positions::kHalvedSinusoidal;
  options.zero_start = true;
  options.max_positions = kPositionsOfMarian;
  const Order features = unchanged(options.d_model);
  BundleWeights weights(tensors, options, features);
  MarianWeights(tensors, layout, sides, options, weights).run();
  imported.weights = weights.finish();
  configure(imported.package, options, sides, path);
  const std::string version = settings.text("version", "unknown");
  imported.what =
      fmt::format("a Transformer of Marian (version {}, {})", version.substr(0, version.find(' ')), tensors.types());
  if (!shortlist.empty()) {
    imported.lexicon =
        read_marian_shortlist(files::read_plain_file(shortlist), shortlist, sides, imported.package).bytes();
  }
  note_differences(settings, options, tensors.types(), imported.notes);
  return imported;
}

}  // namespace ventris::imports
