#include "imports/marian_options.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::NormKind;
using architecture::NormPlace;
using architecture::SelfAttention;
using architecture::TransformerOptions;

/// Flags that must be false.
constexpr std::array<const char*, 12> kFalseFlags{"right-left",
                                                  "ulr",
                                                  "transformer-aan-nogate",
                                                  "transformer-alibi-trainable",
                                                  "transformer-alibi-shift",
                                                  "transformer-disable-position-embeddings",
                                                  "transformer-no-affine",
                                                  "transformer-no-bias",
                                                  "transformer-no-projection",
                                                  "transformer-pool",
                                                  "transformer-rnn-projection",
                                                  "transformer-alibi"};

/// Settings of the Transformer that are read below, or that have no effect on what a model computes.
constexpr std::array<const char*, 25> kKnownSettings{"transformer-aan-activation",
                                                     "transformer-aan-depth",
                                                     "transformer-attention-mask",
                                                     "transformer-decoder-autoreg",
                                                     "transformer-decoder-dim-ffn",
                                                     "transformer-decoder-ffn-depth",
                                                     "transformer-depth-scaling",
                                                     "transformer-dim-aan",
                                                     "transformer-dim-ffn",
                                                     "transformer-dropout",
                                                     "transformer-dropout-attention",
                                                     "transformer-dropout-ffn",
                                                     "transformer-ffn-activation",
                                                     "transformer-ffn-depth",
                                                     "transformer-guided-alignment-layer",
                                                     "transformer-heads",
                                                     "transformer-postprocess",
                                                     "transformer-postprocess-emb",
                                                     "transformer-postprocess-top",
                                                     "transformer-preprocess",
                                                     "transformer-tied-layers",
                                                     "transformer-train-position-embeddings",
                                                     "tied-embeddings",
                                                     "tied-embeddings-all",
                                                     "tied-embeddings-src"};

bool is_known(const std::string& key) {
  return std::ranges::find(kKnownSettings, key) != kKnownSettings.end() ||
         std::ranges::find(kFalseFlags, key) != kFalseFlags.end();
}

void refuse_other_models(const MarianSettings& settings) {
  const auto only = [&](const char* key, const std::string& value, const std::string& expected) {
    if (settings.text(key, value) != value) settings.refuse(key, expected);
  };
  only("type", "transformer", "transformer; other models of Marian cannot be imported");
  only("transformer-attention-mask", "default", "default");
  only("transformer-ffn-depth", "2", "2");
  if (settings.integer("transformer-decoder-ffn-depth", 0) != 0) only("transformer-decoder-ffn-depth", "2", "2");
  for (const char* key : kFalseFlags) {
    if (settings.text(key, "false") != "false") settings.refuse(key, "false");
  }
  for (const char* key : {"lemma-dim-emb", "factors-dim-emb"}) {
    if (settings.text(key, "0") != "0") settings.refuse(key, "0: a model with factors cannot be imported");
  }
  for (const char* key : {"input-types", "factors"}) {
    if (!settings.list(key).empty())
      settings.refuse(key, "none: a model with several kinds of input cannot be imported");
  }
  for (const std::string& key : settings.keys()) {
    if ((key.starts_with("transformer-") || key.starts_with("tied-")) && !is_known(key)) {
      settings.refuse(key, "no such setting: it is not known whether it changes the model");
    }
  }
}

/// The operations around a block, without dropout: a adds the input, n is a norm of either kind.
std::string operations(const MarianSettings& settings, const std::string& key, const std::string& missing) {
  std::string found = settings.text(key, missing);
  std::erase(found, 'd');
  std::ranges::replace(found, 'r', 'n');
  return found;
}

/// Marian writes n for a layer norm and r for an RMSNorm. All norms of a model of ours are of one kind.
NormKind read_norm_kind(const MarianSettings& settings) {
  bool layer = false, rms = false;
  for (const char* place : {"preprocess", "postprocess", "postprocess-top", "postprocess-emb"}) {
    const std::string key = std::string("transformer-") + place,
                      found = settings.text(key, key == "transformer-postprocess" ? "dan" : "");
    layer |= found.find('n') != std::string::npos;
    rms |= found.find('r') != std::string::npos;
    if (layer && rms) settings.refuse(key, "norms of the kind of the other places, n or r");
  }
  return rms ? NormKind::kRms : NormKind::kLayer;
}

/// Sets where the norms are.
void read_norms(const MarianSettings& settings, TransformerOptions& options) {
  const std::string before = operations(settings, "transformer-preprocess", ""),
                    after = operations(settings, "transformer-postprocess", "dan"),
                    top = operations(settings, "transformer-postprocess-top", "");
  if (!before.empty() && before != "n") settings.refuse("transformer-preprocess", "'', n or r");
  options.norm = before.empty() ? NormPlace::kPost : NormPlace::kPre;
  options.final_norm = before.empty() && top == "n";
  if (after != (before.empty() ? "an" : "a")) {
    settings.refuse("transformer-postprocess",
                    before.empty() ? "dan or dar" : "da, as transformer-preprocess is not ''");
  }
  if (top != "n" && !(before.empty() && top.empty())) {
    settings.refuse("transformer-postprocess-top",
                    before.empty() ? "'', n or r" : "a norm, n or r, as transformer-preprocess is not ''");
  }
}

/// Since March 2023, Marian has the exact GELU; before, and in the Marian of Bergamot, x sigmoid(1.702 x).
bool has_exact_gelu(const std::string& version) {
  const size_t date = version.find(" 20");
  const bool dated = date != std::string::npos && version.size() >= date + 11;
  return dated && version.starts_with("v1.12.") && version.substr(date + 1, 10) >= "2023-03-01";
}

Activation marian_activation(const MarianSettings& settings, std::vector<std::string>& notes) {
  const std::string key = "transformer-ffn-activation", name = settings.text(key, "swish");
  if (name == "relu") return Activation::kRelu;
  if (name == "swish") return Activation::kSilu;
  if (name != "gelu") settings.refuse(key, "relu, swish or gelu");
  const std::string version = settings.text("version", "");
  const bool exact = has_exact_gelu(version);
  notes.push_back(std::string("gelu is ") + (exact ? "exact" : "x sigmoid(1.702 x)") +
                  ", as the version of Marian is " + (version.empty() ? "unknown" : version));
  return exact ? Activation::kGelu : Activation::kGeluSigmoid;
}

SelfAttention marian_decoder(const MarianSettings& settings) {
  const std::string key = "transformer-decoder-autoreg", kind = settings.text(key, "self-attention");
  if (kind == "self-attention") return SelfAttention::kFull;
  if (kind != "rnn") settings.refuse(key, "self-attention, or rnn with the cell ssru");
  if (settings.text("dec-cell", "") != "ssru") settings.refuse("dec-cell", "ssru, as the decoder is recurrent");
  if (settings.flag("layer-normalization", false)) settings.refuse("layer-normalization", "false");
  return SelfAttention::kSsru;
}

std::vector<int64_t> marian_tied_layers(const MarianSettings& settings, int64_t most) {
  const std::string key = "transformer-tied-layers";
  constexpr size_t kMostLayers = 100;  // whose parameters are copied
  std::vector<int64_t> layers;
  for (const std::string& text : settings.list(key)) {
    const bool number = !text.empty() && text.size() < 5 && text.find_first_not_of("0123456789") == std::string::npos;
    layers.push_back(number ? std::stoll(text) : 0);
    if (layers.back() < 1 || layers.back() > most || layers.size() > kMostLayers)
      settings.refuse(key, "numbers of layers");
  }
  if (layers.empty() || layers.size() == static_cast<size_t>(most)) return layers;
  settings.refuse(key, "a number for each of " + std::to_string(most) + " decoder layers");
}

void read_layout(const MarianSettings& settings, MarianLayout& layout, TransformerOptions& options) {
  layout.all_tied = settings.flag("tied-embeddings-all", false);
  layout.source_tied = layout.all_tied || settings.flag("tied-embeddings-src", false);
  layout.output_tied = layout.all_tied || settings.flag("tied-embeddings", false);
  layout.output_bias = !settings.flag("output-omit-bias", false);
  options.d_ff = settings.integer("transformer-dim-ffn", 2048, 1);
  options.decoder_d_ff =
      architecture::decoder_setting(options.d_ff, settings.integer("transformer-decoder-dim-ffn", 0));
}

void read_sizes(const MarianSettings& settings, TransformerOptions& options) {
  constexpr int64_t kNarrowest = 4;
  options.d_model = settings.integer("dim-emb", 512, kNarrowest);
  options.heads = settings.integer("transformer-heads", 8, 1);
  options.encoder_layers = settings.integer("enc-depth", 6, 1);
  options.decoder_layers = settings.integer("dec-depth", 6, 1);
  if (options.d_model % options.heads != 0 || options.d_model % 2 != 0) {
    settings.refuse("dim-emb", "an even multiple of the " + std::to_string(options.heads) + " heads");
  }
}

}  // namespace

TransformerOptions marian_options(const MarianSettings& settings, MarianLayout& layout,
                                  std::vector<std::string>& notes) {
  constexpr double kEpsilonOfMarian = 1e-6;
  refuse_other_models(settings);
  TransformerOptions options;
  read_sizes(settings, options);
  read_layout(settings, layout, options);
  options.norm_kind = read_norm_kind(settings);
  read_norms(settings, options);
  options.norm_epsilon = kEpsilonOfMarian;
  options.activation = marian_activation(settings, notes);
  options.self_attention = marian_decoder(settings);
  const std::string of_embeddings = operations(settings, "transformer-postprocess-emb", "");
  if (!of_embeddings.empty() && of_embeddings != "n")
    settings.refuse("transformer-postprocess-emb", "d, n, nd, r or rd");
  options.embedding_norm = of_embeddings == "n";
  layout.tied_layers = marian_tied_layers(settings, options.decoder_layers);
  return options;
}

}  // namespace ventris::imports
