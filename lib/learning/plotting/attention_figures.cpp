#include "plotting/attention_figures.h"

#include <fmt/format.h>

#include "backend/families.h"
#include "backend/module_attention.h"
#include "backend/module_scorer.h"
#include "backend/module_weights.h"
#include "backend/open_module.h"
#include "core/error.h"
#include "core/log.h"
#include "figures/attention_figure.h"
#include "text/valid_utf8.h"
#include "translation/translator.h"

namespace ventris::plotting {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;
using Labels = std::vector<std::string>;

/// A kind of attention with the labels of its figures.
struct Kind {
  const char* file;
  const char* title;
  const char* x_label;
  const char* y_label;
  const Labels& rows;
  const Labels& columns;
  std::vector<std::string> texts{};  // the sentence and its translation
};

void add_layers(Files& files, const std::vector<model::AttentionLayer>& layers, const Kind& kind) {
  for (size_t i = 0; i < layers.size(); ++i) {
    figures::AttentionFigure figure;
    figure.title = fmt::format("{}, layer {}", kind.title, i + 1);
    figure.texts = kind.texts;
    figure.x_label = kind.x_label;
    figure.y_label = kind.y_label;
    figure.row_labels = kind.rows;
    figure.column_labels = kind.columns;
    figure.panels = layers[i].heads;
    figure.weights = layers[i].weights;
    files.emplace_back(fmt::format("{}-layer-{}.svg", kind.file, i + 1), figures::attention_figure(figure));
  }
}

std::string own_translation(const nn::Seq2Seq& module, const model::Package& package, const AttentionRequest& request) {
  translation::TranslatorOptions options = translation::suggested_options(package.config.decoding);
  options.marked_sources = true;
  const auto scorers =
      backend::scorer_options(package.config, backend::parse_device(request.device), /*allow_unk=*/false);
  translation::Translator translator(package, backend::make_module_factory(module, scorers), options);
  const std::string text = translator.translate({request.source}).front().text();
  core::log_info(fmt::format("translation: {}", text));
  return text;
}

}  // namespace

Files attention_figures(const AttentionRequest& request) {
  const model::Bundle bundle = model::read_bundle(request.model);
  const auto& architecture = *bundle.package.config.architecture;
  const nn::Seq2Seq module =
      backend::as_seq2seq(backend::load_module(architecture, bundle.weights), architecture, bundle.package.path);
  if (module->attention_blocks().cross.empty()) {
    fail<ConfigError>(request.model, ": this model has no attention to the source; choose another model or figure");
  }
  module->to(backend::parse_device(request.device));
  const bool own = request.target.empty();
  const std::string target = own ? own_translation(module, bundle.package, request) : request.target;
  const std::string sentence = text::replace_invalid_utf8(request.source),
                    translation = text::replace_invalid_utf8(target);
  const auto [labels, maps] = backend::sentence_attention(
      module, bundle.package, sentence, translation, own ? backend::LongTarget::kCut : backend::LongTarget::kRefused);
  Files files;
  add_layers(files, maps.encoder,
             {"encoder", "Encoder self-attention", "looked at", "source", labels.source, labels.source, {sentence}});
  add_layers(
      files, maps.decoder,
      {"decoder", "Decoder self-attention", "read so far", "produced", labels.produced, labels.read, {translation}});
  add_layers(files, maps.cross,
             {"cross",
              "Attention to the source",
              "source",
              "produced",
              labels.produced,
              labels.source,
              {sentence, translation}});
  return files;
}

}  // namespace ventris::plotting
