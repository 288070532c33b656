#include "imports/joeynmt_model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "architecture/sinusoids.h"
#include "architecture/transformer_fields.h"
#include "core/error.h"
#include "files/files.h"
#include "files/paths.h"
#include "imports/config_file.h"
#include "imports/layer_weights.h"
#include "imports/saved_checkpoint.h"
#include "imports/toolkit_settings.h"
#include "imports/yaml_file.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using architecture::NormPlace;
using architecture::TransformerOptions;

constexpr const char* kJoeyState = "model_state";
constexpr const char* kJoeyConfig = "config.yaml";
constexpr double kJoeyEpsilon = 1e-6;
const LayerNames kJoeyNames{{"q_layer", "k_layer", "v_layer", "output_layer"}, "pwff_layer.0", "pwff_layer.3", nullptr};

/// The checkpoint of a folder; empty if there is none.
std::string joey_checkpoint(const std::string& folder) {
  for (const char* name : {"/best.ckpt", "/latest.ckpt"}) {
    if (files::exists(folder + name)) return folder + name;
  }
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".ckpt") found.push_back(entry.path());
  }
  return found.size() == 1 ? found.front() : "";
}

/// Where the files of a model are.
struct JoeyFiles {
  explicit JoeyFiles(const std::string& path) {
    std::error_code ignored;
    const bool is_folder = fs::is_directory(path, ignored);
    const std::string parent = fs::path(path).parent_path();
    folder = is_folder ? path : parent.empty() ? "." : parent;
    checkpoint = is_folder ? joey_checkpoint(path) : path;
    if (checkpoint.empty()) {
      fail<ModelError>(path, ": expected best.ckpt, latest.ckpt or one other .ckpt, found none or several; name one");
    }
  }
  std::string folder, checkpoint;
};

ConfigFile read_joey_config(const std::string& folder) {
  const std::string path = folder + "/" + kJoeyConfig;
  if (!files::exists(path)) {
    fail<ModelError>(path, ": does not exist; a checkpoint of JoeyNMT needs its settings next to it");
  }
  try {
    return {parse_yaml(files::read_plain_file(path), path), path};
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  }
}

/// The place of norms that both sides have. Models of JoeyNMT 1 do not say it, and have them before.
NormPlace joey_norm(const ConfigFile& encoder, const ConfigFile& decoder, const TensorSource& tensors) {
  const bool final_norm = tensors.contains("encoder.layer_norm.weight");
  const std::string missing = final_norm ? "pre" : "", found = encoder.text("layer_norm", missing);
  if (found != "pre" && found != "post") encoder.refuse("layer_norm", "'pre' or 'post'");
  if (decoder.text("layer_norm", final_norm ? "pre" : "post") != found) {
    decoder.refuse("layer_norm", "'" + found + "' as in the encoder");
  }
  return found == "pre" ? NormPlace::kPre : NormPlace::kPost;
}

/// The factor of what a block adds its result to.
double joey_alpha(const ConfigFile& side, NormPlace norm) {
  const double alpha = side.number("alpha", 1);
  if (alpha == 1 || (alpha > 0 && alpha < 1e3 && norm == NormPlace::kPost)) return alpha;
  side.refuse("alpha", norm == NormPlace::kPre ? "1 with norms before blocks" : "a number over 0");
}

class JoeyImport {
 public:
  JoeyImport(const JoeyFiles& files, const ToolkitFiles& given)
      : files_(files), given_(given), config_(read_joey_config(files.folder)) {
    const std::string begin = std::string(kJoeyState) + ".";
    tensors_ = renamed(open_checkpoint(files.checkpoint, {{kJoeyState}, {}}).tensors,
                       [begin](const std::string& name) { return name.substr(begin.size()); });
    if (!tensors_->names().empty()) return;
    fail<ModelError>(files.checkpoint, ": expected a checkpoint of JoeyNMT with ", kJoeyState, ", found none");
  }

  Imported run(const std::string& path) {
    read_options();
    take_vocabularies();
    const Order features = unchanged(options_.d_model);
    BundleWeights weights(*tensors_, options_, features);
    const double source = embedding_factor(encoder_);
    const double target = model_.flag("tied_embeddings", false) ? source : embedding_factor(decoder_);
    take_tables(*tensors_, {kSourceTable, kTargetTable, "decoder.output_layer.weight", "", source, target}, sides_,
                options_, weights);
    take_layers(weights);
    imported_.weights = weights.finish();
    configure(imported_.package, options_, sides_, path);
    const double beam = config_.section("testing").first_number("beam_size", kUsualBeam);
    imported_.package.config.decoding.beam_size = static_cast<int64_t>(std::clamp<double>(beam, 1, kLargestBeam));
    imported_.what = "a Transformer of JoeyNMT";
    return std::move(imported_);
  }

 private:
  static constexpr const char* kSourceTable = "src_embed.lut.weight";
  static constexpr const char* kTargetTable = "trg_embed.lut.weight";
  static constexpr int64_t kUsualBeam = 5, kLargestBeam = 256;

  void read_options() {
    const std::string reason = "other models cannot be imported";
    for (const ConfigFile* side : {&encoder_, &decoder_}) expect_text(*side, "type", "transformer", reason);
    if (!encoder_.contains("type")) encoder_.refuse("type", "'transformer'");
    constexpr int64_t kUsualHeads = 8;
    options_.heads = encoder_.integer("num_heads", kUsualHeads, 1);
    options_.decoder_heads =
        architecture::decoder_setting(options_.heads, decoder_.integer("num_heads", kUsualHeads, 1));
    options_.d_model = matrix_shape(*tensors_, kSourceTable).second;
    check_heads(encoder_, "num_heads", options_);
    check_heads(decoder_, "num_heads", options_.decoder_side());
    options_.encoder_layers = layer_count("encoder");
    options_.decoder_layers = layer_count("decoder");
    const std::string inner = ".layers.0.feed_forward.pwff_layer.0.weight";
    set_inner_widths(*tensors_, "encoder" + inner, "decoder" + inner, options_);
    options_.activation = activation(encoder_);
    if (activation(decoder_) != options_.activation) decoder_.refuse("activation", "the same as in the encoder");
    options_.norm = joey_norm(encoder_, decoder_, *tensors_);
    options_.dropout = dropout_of(encoder_, "dropout", 0.1);
    const double alphas = joey_alpha(encoder_, options_.norm) * joey_alpha(decoder_, options_.norm);
    options_.norm_epsilon = kJoeyEpsilon / alphas;
    take_position_count();
  }
  static architecture::Activation activation(const ConfigFile& side) {
    using architecture::Activation;
    return activation_named(side, "activation", "relu",
                            {{"relu", Activation::kRelu}, {"gelu", Activation::kGelu}, {"swish", Activation::kSilu}});
  }
  int64_t layer_count(const std::string& side) const {
    const int64_t count = layers_of(*tensors_, side + ".layers.");
    if (count == 0) fail<ModelError>(tensors_->where(), ": has no layers ", side, ".layers.0 of a Transformer");
    return count;
  }
  void take_position_count() {
    const auto expected = [&](int64_t count) { return architecture::sinusoid_table(count, options_.d_model); };
    int64_t count = architecture::kMostPositions;
    for (const char* name : {"encoder.pe.pe", "decoder.pe.pe"}) {
      count = std::min(count, check_sinusoids(*tensors_, name, options_.d_model, expected));
    }
    options_.max_positions = count;
  }
  double embedding_factor(const ConfigFile& side) const {
    return side.section("embeddings").flag("scale", false) ? std::sqrt(static_cast<double>(options_.d_model)) : 1;
  }

  std::string vocabulary_path(size_t side, const char* name) const {
    if (!given_.vocabularies.empty()) return given_.vocabularies[std::min(side, given_.vocabularies.size() - 1)];
    std::string path = files_.folder + "/" + name;
    if (files::exists(path)) return path;
    fail<ConfigError>("--vocabulary: ", path, " does not exist; give the vocabularies of source and target");
  }
  /// The tokens of a file, after the special ones, each once.
  TokenList tokens_in(const std::string& path) const {
    const ConfigFile special = config_.section("data").section("special_symbols");
    const std::string unk = special.text("unk_token", "<unk>"), pad = special.text("pad_token", "<pad>"),
                      bos = special.text("bos_token", "<s>"), eos = special.text("eos_token", "</s>"),
                      sep = special.text("sep_token", "");
    std::vector<std::string> listed{unk, pad, bos, eos};
    if (!sep.empty()) listed.push_back(sep);
    for (const std::string& tag : special.texts("lang_tags")) listed.push_back(tag);
    for (std::string& token : lines_in(path)) listed.push_back(std::move(token));
    TokenList list{{}, path};
    std::set<std::string> known;
    for (std::string& token : listed) {
      if (known.insert(token).second) list.tokens.texts.push_back(std::move(token));
    }
    list.tokens.unk = row_of_token(list.tokens.texts, unk, "unknown token", path);
    list.tokens.pad = row_of_token(list.tokens.texts, pad, "padding", path);
    list.tokens.start = row_of_token(list.tokens.texts, bos, "start of a sentence", path);
    list.tokens.eos = row_of_token(list.tokens.texts, eos, "end of a sentence", path);
    list.tokens.bos = bos;
    return list;
  }
  static std::vector<std::string> lines_in(const std::string& path) {
    const std::string bytes = files::read_plain_file(path);
    std::vector<std::string> lines;
    for (size_t begin = 0; begin < bytes.size();) {
      const size_t end = std::min(bytes.find('\n', begin), bytes.size());
      lines.push_back(bytes.substr(begin, end - begin));
      if (lines.back().ends_with('\r')) lines.back().pop_back();
      begin = end + 1;
    }
    return lines;
  }
  void take_vocabularies() {
    const TokenList source = tokens_in(vocabulary_path(0, "src_vocab.txt")),
                    target = tokens_in(vocabulary_path(1, "trg_vocab.txt"));
    check_row_count(source, *tensors_, kSourceTable);
    check_row_count(target, *tensors_, kTargetTable);
    take_token_lists(source, target, tokenizers(), MissingPieces::kDivided, sides_, imported_.package, imported_.notes);
  }
  /// Those that were given, or those that the settings name, in the folder.
  std::vector<std::string> tokenizers() {
    std::vector<std::string> found;
    for (const char* name : {"src", "trg"}) {
      if (const auto path = tokenizer_of(name)) found.push_back(*path);
    }
    if (!given_.tokenizers.empty()) return given_.tokenizers;
    return found.size() == 2 ? found : std::vector<std::string>();
  }
  std::optional<std::string> tokenizer_of(const char* side) {
    const ConfigFile data = config_.section("data");
    if (!data.has_section(side)) return std::nullopt;  // JoeyNMT 1 has the name of a language there
    const ConfigFile settings = data.section(side), tokenizer = settings.section("tokenizer_cfg");
    if (settings.text("level", "bpe") == "char") settings.refuse("level", "'bpe' or 'word'");
    note_rules(side, settings, tokenizer);
    const std::string type = settings.text("tokenizer_type", settings.text("bpe_type", "sentencepiece"));
    const std::string file = fs::path(tokenizer.text("model_file", "")).filename();
    if (type != "sentencepiece" || file.empty() || !files::exists(files_.folder + "/" + file)) return std::nullopt;
    return files_.folder + "/" + file;
  }
  void note_rules(const std::string& side, const ConfigFile& settings, const ConfigFile& tokenizer) {
    const bool moses = tokenizer.text("pretokenizer", "none") == "moses";
    if (!settings.flag("lowercase", false) && !settings.flag("normalize", false) && !moses) return;
    imported_.notes.push_back("JoeyNMT changes texts of the side '" + side +
                              "' before it divides them (lowercase, normalize or pretokenizer in data." + side +
                              "); do the same with texts for the bundle");
  }

  void take_layers(BundleWeights& weights) {
    LayerWeights layers(*tensors_, options_, weights, kJoeyNames);
    for (const char* table : {"encoder.pe.pe", "decoder.pe.pe"}) weights.ignore(table);
    layers.scale_results(static_cast<float>(1 / joey_alpha(encoder_, options_.norm)));
    for (int64_t i = 0; i < options_.encoder_layers; ++i) {
      const std::string name = "encoder.layers." + std::to_string(i);
      layers.attention(name + ".self_attn", name + ".src_src_att");
      layers.feed_forward(name + ".feed_forward", name + ".feed_forward");
      layers.norm(name + ".sublayer.0.norm", name + ".layer_norm");
      layers.norm(name + ".sublayer.1.norm", name + ".feed_forward.layer_norm");
    }
    layers.scale_results(static_cast<float>(1 / joey_alpha(decoder_, options_.norm)));
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      const std::string name = "decoder.layers." + std::to_string(i);
      layers.attention(name + ".self_attn", name + ".trg_trg_att");
      layers.attention(name + ".src_attn", name + ".src_trg_att");
      layers.feed_forward(name + ".feed_forward", name + ".feed_forward");
      layers.norm(name + ".sublayer.0.norm", name + ".x_layer_norm");
      layers.norm(name + ".sublayer.1.norm", name + ".dec_layer_norm");
      layers.norm(name + ".sublayer.2.norm", name + ".feed_forward.layer_norm");
    }
    if (!options_.has_final_norm()) return;
    for (const char* side : {"encoder", "decoder"}) {
      layers.norm(side + std::string(".norm"), side + std::string(".layer_norm"));
    }
  }

  const JoeyFiles& files_;
  const ToolkitFiles& given_;
  ConfigFile config_, model_ = config_.section("model"), encoder_ = model_.section("encoder"),
                      decoder_ = model_.section("decoder");
  std::unique_ptr<TensorSource> tensors_;
  TransformerOptions options_;
  Sides sides_;
  Imported imported_;
};

}  // namespace

bool is_joeynmt(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return files::exists(path + "/" + kJoeyConfig) && !joey_checkpoint(path).empty();
  }
  const std::vector<std::string> keys = checkpoint_keys(path);
  return std::ranges::find(keys, kJoeyState) != keys.end();
}

Imported from_joeynmt(const std::string& path, const ToolkitFiles& files) {
  return JoeyImport(JoeyFiles(path), files).run(path);
}

}  // namespace ventris::imports
