#include "exports/marian.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "architecture/transformer_fields.h"
#include "core/error.h"
#include "core/process.h"
#include "exports/bergamot_file.h"
#include "exports/marian_parameters.h"
#include "exports/npz_file.h"
#include "exports/transformer_settings.h"
#include "text/model_proto.h"
#include "text/model_rewriting.h"

namespace ventris::exports {
namespace {

using architecture::Activation;
using architecture::NormKind;
using architecture::NormPlace;
using architecture::Positions;
using architecture::TransformerOptions;
using architecture::Tying;
using nlohmann::json;

constexpr double kNormEpsilon = 1e-6;  // of all norms of Marian

OtherProgram program(const std::string& name, const json& activations, const json& norm_kinds,
                     const std::set<std::string>& by_side) {
  return {name,
          {{"norm", {"post"}},
           {"final_norm", {true}},
           {"norm_kind", norm_kinds},
           {"activation", activations},
           {"positions", {"sinusoidal_halves"}},
           {"zero_start", {true}},
           {"embedding_norm", {true}},
           {"self_attention", {"ssru"}}},
          by_side};
}

const char* activation_name(Activation activation) {
  switch (activation) {
    case Activation::kRelu: return "relu";
    case Activation::kGelu:
    case Activation::kGeluSigmoid: return "gelu";  // Marian has the first, Bergamot the second
    case Activation::kSilu: return "swish";
    case Activation::kGeluTanh: break;
  }
  throw std::logic_error("Marian: an activation without a name");
}

/// What Marian always has, and a model of ours need not have.
void check_shape(const std::string& program, const TransformerOptions& options, const std::string& path) {
  const auto refuse = [&](const char* key, const std::string& expected, const std::string& found) {
    fail<ModelError>(path, "/config.json: model.", key, ": ", program, " has only ", expected, ", found ", found,
                     "; train a model with this setting, as configs/multi30k-marian.json does");
  };
  if (options.positions != Positions::kHalvedSinusoidal)
    refuse("positions", "\"sinusoidal_halves\"",
           '"' + core::name_of(options.positions, architecture::positions()) + '"');
  if (!options.zero_start) refuse("zero_start", "true", "false");
  if (options.norm_epsilon != kNormEpsilon) {
    refuse("norm_epsilon", fmt::format("{}", kNormEpsilon), fmt::format("{}", options.norm_epsilon));
  }
  if (options.norm == NormPlace::kPost || options.has_ssru()) return;
  fail<ModelError>(path,
                   "/config.json: model.norm: marian-decoder leaves out a norm of a decoder with norms before its "
                   "blocks (\"pre\"), so its translations would be others; train with \"norm\": \"post\" or "
                   "\"self_attention\": \"ssru\"");
}

/// Fine-tuning from a model without zero_start leaves another row there.
void check_start(const model::Bundle& bundle, const TransformerOptions& options) {
  if (starts_with_zeros(bundle.weights, options)) return;
  fail<ModelError>(bundle.package.path,
                   "/model.safetensors: expected zeros in the embedding of <s>, with which Marian ",
                   "starts a translation; train the model with zero_start from the beginning");
}

void check_text(const model::Package& package) {
  const model::TokenizerPolicy& policy = package.config.tokenizer;
  if (!policy.source_eos) {
    fail<ModelError>(package.path, "/config.json: tokenizer.source_eos: Marian always ends a source with </s>, found ",
                     "false");
  }
  if (!policy.languages.empty()) {
    fail<ModelError>(package.path, "/config.json: tokenizer.languages: Marian has no place for the tokens of ",
                     "languages; use --format ctranslate2, whose callers give them");
  }
  for (const std::string* spm : {&package.source_spm, &package.target_spm}) {
    const text::ForeignRules rules = text::parse_model_proto(*spm)->foreign;
    if (!rules.whole_words && rules.unknown_from == 0) continue;
    fail<ModelError>(package.path, ": its tokenizer has pieces without a row, or takes words as they are, which a ",
                     "vocabulary of SentencePiece in Marian cannot; use --format ctranslate2");
  }
}

/// The SentencePiece model whose ids are the rows of marian_order(). Fillers are never found in a text.
std::string vocabulary_file(const std::string& spm, int64_t multiple) {
  const auto model = text::parse_model_proto(spm);
  std::vector<text::NewPiece> pieces;
  for (const int64_t id : marian_order(static_cast<int64_t>(model->pieces.size()), multiple)) {
    if (id == kFillerRow) {
      pieces.push_back({fmt::format("<filler{}>", pieces.size()), 0, text::PieceType::kControl});
    } else {
      const text::ModelPiece& piece = model->pieces[static_cast<size_t>(id)];
      pieces.push_back({std::string(piece.text), piece.score, piece.type});
    }
  }
  return text::with_pieces(spm, pieces, {}, {.pad = -1, .unk = 1, .bos = -1, .eos = 0});
}

/// The names of the vocabularies of both sides; of a shared one, both are the same.
std::array<std::string, 2> vocabulary_names(const model::Package& package) {
  if (package.source_spm == package.target_spm) return {"vocab.spm", "vocab.spm"};
  return {"source.spm", "target.spm"};
}

void add_vocabularies(const model::Package& package, int64_t multiple, std::vector<files::NamedBytes>& files) {
  const auto [source, target] = vocabulary_names(package);
  files.emplace_back(source, vocabulary_file(package.source_spm, multiple));
  if (target != source) files.emplace_back(target, vocabulary_file(package.target_spm, multiple));
}

const char* yes_or_no(bool value) { return value ? "true" : "false"; }

/// The settings of a model, as Marian keeps them in the file. "gelu" is exact from version v1.12 of March 2023 on, and
/// x sigmoid(1.702 x) before and in Bergamot.
std::string settings_of(const TransformerOptions& options, const char* version, int64_t multiple) {
  const std::string letter = options.norm_kind == NormKind::kRms ? "r" : "n";
  const bool post = options.norm == NormPlace::kPost;
  std::string yaml = fmt::format("type: transformer\nversion: {} (written by Ventris {})\n", version, core::version());
  const auto add = [&](const char* key, const auto& value) { yaml += fmt::format("{}: {}\n", key, value); };
  add("dim-emb", options.d_model);
  add("dim-vocabs", fmt::format("[{}, {}]", marian_order(options.src_vocab, multiple).size(),
                                marian_order(options.tgt_vocab, multiple).size()));
  add("enc-depth", options.encoder_layers);
  add("dec-depth", options.decoder_layers);
  add("dec-cell", options.has_ssru() ? "ssru" : "gru");
  add("dec-cell-base-depth", 2);
  add("dec-cell-high-depth", 1);
  add("tied-embeddings-all", yes_or_no(options.tying == Tying::kAll));
  add("tied-embeddings", yes_or_no(options.tying == Tying::kDecoder));
  add("tied-embeddings-src", "false");
  add("output-omit-bias", "false");
  add("layer-normalization", "false");
  add("transformer-heads", options.heads);
  add("transformer-dim-ffn", options.d_ff);
  add("transformer-decoder-dim-ffn", options.decoder_d_ff);
  add("transformer-ffn-depth", 2);
  add("transformer-decoder-ffn-depth", 0);
  add("transformer-ffn-activation", activation_name(options.activation));
  add("transformer-decoder-autoreg", options.has_ssru() ? "rnn" : "self-attention");
  add("transformer-preprocess", post ? "\"\"" : letter);
  add("transformer-postprocess", post ? "da" + letter : "da");
  add("transformer-postprocess-top", options.has_final_norm() ? letter : "\"\"");
  add("transformer-postprocess-emb", options.embedding_norm ? letter + "d" : "d");
  add("transformer-train-position-embeddings", "false");
  add("transformer-guided-alignment-layer", "last");
  add("transformer-tied-layers", "[]");
  return yaml;
}

/// Adds the shortlist and its line in the settings of the program; the second value says that its file is not checked.
void add_shortlist(const ShortlistOf& shortlist, int64_t multiple, std::string& settings,
                   std::vector<files::NamedBytes>& files) {
  constexpr const char* kFile = "lex.s2t.bin";
  if (shortlist.lexicon == nullptr) return;
  files.emplace_back(kFile, marian_shortlist(*shortlist.lexicon, shortlist.sizes, multiple));
  settings += fmt::format("shortlist:\n  - {}\n  - false\n", kFile);
}

/// The settings of the program, with lists of lines "  - VALUE".
std::string decoder_settings(const model::Package& package, const char* model) {
  const auto [source, target] = vocabulary_names(package);
  return fmt::format("relative-paths: true\nmodels:\n  - {}\nvocabs:\n  - {}\n  - {}\nbeam-size: {}\nnormalize: {}\n",
                     model, source, target, package.config.decoding.beam_size, package.config.decoding.length_alpha);
}

void check_widths(const TransformerOptions& options, const std::string& path) {
  constexpr int64_t kWidth = 64;  // of a vector register in bytes
  for (const auto& [key, width] : {std::pair{"d_model", options.d_model}, {"d_ff", options.d_ff}}) {
    if (width % kWidth == 0) continue;
    fail<ModelError>(path, "/config.json: model.", key, ": Bergamot multiplies in 8 bits only widths that are ",
                     "multiples of ", kWidth, ", found ", width, "; train a model with such a width");
  }
}

}  // namespace

std::vector<files::NamedBytes> to_marian(const model::Bundle& bundle, const ShortlistOf& shortlist) {
  const model::Package& package = bundle.package;
  const TransformerOptions& options =
      transformer_for(program("Marian", {"gelu", "silu"}, {"rms"}, {"decoder_d_ff"}), package);
  check_shape("Marian", options, package.path);
  check_text(package);
  check_start(bundle, options);
  NpzFile weights;
  for (const MarianParameter& parameter : marian_parameters(bundle.weights, options, 1)) {
    weights.add(parameter.name, parameter.shape, parameter.values);
  }
  weights.add_bytes("special:model.yml", settings_of(options, "v1.12.42 2025-05-24", 1) + '\0');
  std::vector<files::NamedBytes> files{{"model.npz", std::move(weights).finish()}};
  std::string settings = decoder_settings(package, "model.npz");
  add_shortlist(shortlist, 1, settings, files);
  files.emplace_back("decoder.yml", std::move(settings));
  add_vocabularies(package, 1, files);
  return files;
}

std::vector<files::NamedBytes> to_bergamot(const model::Bundle& bundle, const ShortlistOf& shortlist) {
  constexpr int64_t kMultiple = 8;  // of the columns of a product
  const model::Package& package = bundle.package;
  const TransformerOptions& options =
      transformer_for(program("Bergamot", {"gelu_sigmoid", "silu"}, json::array(), {}), package);
  if (options.norm == architecture::NormPlace::kPre) {
    fail<ModelError>(package.path,
                     "/config.json: model.norm: the engine of Bergamot gives wrong translations of models ",
                     "with norms before their blocks (\"pre\"); train a model with \"post\"");
  }
  check_shape("Bergamot", options, package.path);
  check_widths(options, package.path);
  check_text(package);
  check_start(bundle, options);
  const std::string more =
      "gemm-precision: int8shiftAll\nskip-cost: true\nword-penalty: 0\nmax-length-break: 128\n"
      "mini-batch-words: 1024\nworkspace: 128\nmax-length-factor: 2.0\n";
  std::vector<files::NamedBytes> files{
      {"model.bin", bergamot_file(marian_parameters(bundle.weights, options, kMultiple),
                                  settings_of(options, "v1.9.56 2021-05-05", kMultiple))}};
  std::string settings = decoder_settings(package, "model.bin") + more;
  add_shortlist(shortlist, kMultiple, settings, files);
  files.emplace_back("config.bergamot.yml", std::move(settings));
  add_vocabularies(package, kMultiple, files);
  return files;
}

}  // namespace ventris::exports
