#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>

#include "backend/families.h"
#include "backend/module_weights.h"
#include "backend/open_module.h"
#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "engine/factory.h"
#include "exports/annotated.h"
#include "exports/ctranslate2.h"
#include "exports/huggingface.h"
#include "exports/marian.h"
#include "exports/pytorch_code.h"
#include "exports/seq2seq_folder.h"
#include "files/files.h"
#include "files/folders.h"
#include "files/output_name.h"
#include "model/average.h"
#include "model/finite.h"
#include "support/choices.h"
#include "support/run.h"
#include "torchscript/torchscript.h"
#include "torchscript/verify.h"
#include "torchscript/verify_export.h"

namespace {

using ventris::engine::Precision;

const std::map<std::string, Precision> kPrecisions{
    {"f32", Precision::kF32}, {"bf16", Precision::kBf16}, {"int8", Precision::kInt8}};

struct Flags {
  std::string model, output, verify, precision, code, shortlist, format = "torchscript";
  ventris::exports::ShortlistSizes shortlist_sizes;
  const CLI::Option *shortlist_best = nullptr, *shortlist_first = nullptr;

  bool sizes_given() const { return shortlist_best->count() + shortlist_first->count() > 0; }
  int beam_size = 1;
};

/// Opens the bundle for an export that is not run here.
ventris::model::Bundle open_to_export(const Flags& flags) {
  ventris::model::check_output(flags.model, flags.output);
  auto bundle = ventris::model::read_bundle(flags.model);
  ventris::model::check_finite(bundle.weights);
  return bundle;
}

/// Opens the bundle for an export that is a folder.
ventris::model::Bundle open_for_folder(const Flags& flags) {
  ventris::model::prepare_bundle_target(flags.output);
  return open_to_export(flags);
}

double megabytes(size_t bytes) { return static_cast<double>(bytes) / 1e6; }

/// Writes a packed model for the engine.
void export_packed(const Flags& flags) {
  const std::string precision = flags.precision.empty() ? "f32" : flags.precision;
  const auto bundle = open_for_folder(flags);
  const std::string packed = ventris::engine::pack_bundle(bundle, kPrecisions.at(precision));
  if (!flags.verify.empty()) ventris::torchscript::verify_packed(bundle, packed, flags.verify, flags.beam_size);
  ventris::model::write_packed(flags.output, bundle.package, packed);
  ventris::core::log_info(fmt::format("{}: {:.1f} MB of packed weights in {} (the bundle has {:.1f} MB)", flags.output,
                                      megabytes(packed.size()), precision,
                                      megabytes(bundle.weights.bytes().view().size())));
}

/// Reads the export back and compares translations, if the flags ask for it.
void verify(const Flags& flags, const ventris::model::Bundle& bundle,
            const ventris::torchscript::WrittenExport& written) {
  if (!flags.verify.empty()) ventris::torchscript::verify_export(bundle, written, flags.verify, flags.beam_size);
}

/// Writes a folder for Hugging Face's transformers.
void export_to_huggingface(const Flags& flags) {
  const auto bundle = open_for_folder(flags);
  const auto& architecture = *bundle.package.config.architecture;
  const bool bert = architecture.family() == "bert";
  if (!flags.verify.empty()) ventris::architecture::check_translates(architecture, bundle.package.path);
  const auto files = bert ? ventris::exports::to_huggingface(bundle) : ventris::exports::to_seq2seq_folder(bundle);
  verify(flags, bundle, {files, "huggingface"});
  ventris::files::write_folder(flags.output, files);
  ventris::core::log_info(
      fmt::format("{}: a {} of transformers", flags.output, bert ? "BertForPreTraining" : "translation model"));
}

using FolderOf = std::function<std::vector<ventris::files::NamedBytes>(const ventris::model::Bundle&)>;

/// Writes a folder for another program, which ventris-import calls `from`. `what` ends the line of the log.
void export_folder(const Flags& flags, const FolderOf& folder_of, const char* from, const char* what) {
  const auto bundle = open_for_folder(flags);
  const auto files = folder_of(bundle);
  verify(flags, bundle, {files, from, {}, /*generates_specials=*/flags.format != "marian"});
  ventris::files::write_folder(flags.output, files);
  ventris::core::log_info(flags.output + ": " + what);
}

void export_to_ctranslate2(const Flags& flags) {
  export_folder(flags, ventris::exports::to_ctranslate2, "ctranslate2", "a model of CTranslate2");
}

using ToMarian = std::vector<ventris::files::NamedBytes> (*)(const ventris::model::Bundle&,
                                                             const ventris::exports::ShortlistOf&);

/// With a shortlist, if the flags name a lexicon.
void export_in_marian(const Flags& flags, ToMarian to_marian, const char* what) {
  const auto with_shortlist = [&](const ventris::model::Bundle& bundle) {
    if (flags.shortlist.empty()) return to_marian(bundle, {});
    const auto lexicon = ventris::model::lexicon_of(bundle.package, flags.shortlist);
    return to_marian(bundle, {&lexicon, flags.shortlist_sizes});
  };
  export_folder(flags, with_shortlist, "marian", what);
}
void export_to_marian(const Flags& flags) { export_in_marian(flags, ventris::exports::to_marian, "a model of Marian"); }
void export_to_bergamot(const Flags& flags) {
  export_in_marian(flags, ventris::exports::to_bergamot, "a model of Bergamot in int8");
}

/// Writes a TorchScript file.
void export_to_torchscript(const Flags& flags) {
  if (std::error_code ignored; std::filesystem::is_regular_file(flags.model, ignored)) {
    ventris::fail<ventris::ModelError>(flags.model, ": expected a bundle folder, got a file");
  }
  std::optional<ventris::core::Progress> progress;
  progress.emplace("reading " + flags.model);
  auto bundle = ventris::model::read_bundle(flags.model);
  ventris::model::check_finite(bundle.weights);
  const auto& architecture = *bundle.package.config.architecture;
  ventris::architecture::check_translates(architecture, bundle.package.path);
  const auto module = ventris::backend::load_module(architecture, bundle.weights);
  ventris::model::check_output(flags.model, flags.output);
  ventris::files::OutputFile output(flags.output);
  progress->phase("writing " + flags.output);
  if (flags.precision == "bf16") ventris::torchscript::round_to_bf16(module, bundle.package);
  const std::string bytes = ventris::torchscript::write_torchscript(module, bundle.package);
  if (!flags.verify.empty()) progress->phase("translating " + flags.verify + " with both");
  if (!flags.verify.empty())
    ventris::torchscript::verify_torchscript(flags.model, bytes, flags.verify, flags.beam_size);
  output.write(bytes);
  output.commit();
  progress.reset();
  ventris::core::log_info(fmt::format("{}: {:.1f} MB of TorchScript", flags.output, megabytes(bytes.size())));
}

/// Writes a file with the parameters for code in PyTorch.
void export_parameters(const Flags& flags) {
  const std::string code = flags.code.empty() ? "annotated" : flags.code;
  const auto bundle = open_to_export(flags);
  const auto tensors = ventris::exports::state_dict_for(code, bundle);
  const std::string bytes =
      flags.format == "pytorch" ? ventris::exports::pytorch_file(tensors) : ventris::exports::safetensors_file(tensors);
  verify(flags, bundle, {{{"model", bytes}}, "pytorch", "model"});
  ventris::files::write_file(flags.output, bytes);
  ventris::core::log_info(fmt::format("{}: {:.1f} MB of parameters for {}", flags.output, megabytes(bytes.size()),
                                      code == "annotated" ? "The Annotated Transformer" : code));
}

const std::map<std::string, void (*)(const Flags&)> kFormats{
    {"torchscript", export_to_torchscript},  {"packed", export_packed},          {"ctranslate2", export_to_ctranslate2},
    {"pytorch", export_parameters},          {"safetensors", export_parameters}, {"huggingface", export_to_huggingface},
    {"transformers", export_to_huggingface}, {"marian", export_to_marian},       {"bergamot", export_to_bergamot}};

void export_model(const Flags& flags) {
  ventris::files::check_is_no_input(flags.output, {flags.verify, flags.shortlist});
  const bool script = flags.format == "torchscript";
  if (flags.format != "packed" && !script && !flags.precision.empty()) {
    ventris::fail<ventris::ConfigError>("--precision: only a packed model and a TorchScript file have a precision; ",
                                        "leave it out, or give --format packed");
  }
  if (script && flags.precision == "int8") {
    ventris::fail<ventris::ConfigError>("--precision: a TorchScript file is in f32 or bf16; give --format ",
                                        "packed for int8");
  }
  const bool rounded = flags.precision == "bf16" || flags.precision == "int8" || flags.format == "bergamot";
  if (rounded && !flags.verify.empty()) {
    ventris::fail<ventris::ConfigError>("--verify: ", flags.format == "bergamot" ? "int8" : flags.precision,
                                        " changes the scores, so there is nothing to compare exactly; ",
                                        "leave it out, and measure the translations with ventris-evaluate");
  }
  if (flags.format != "pytorch" && flags.format != "safetensors" && !flags.code.empty()) {
    ventris::fail<ventris::ConfigError>(
        "--code: only pytorch and safetensors are for code in PyTorch; leave it out, or ", "give --format pytorch");
  }
  if (flags.shortlist.empty() && flags.sizes_given()) {
    ventris::fail<ventris::ConfigError>(
        "--shortlist-best, --shortlist-first: they are sizes of a shortlist; add "
        "--shortlist FILE, or leave them out");
  }
  if (flags.format != "marian" && flags.format != "bergamot" && !flags.shortlist.empty()) {
    ventris::fail<ventris::ConfigError>("--shortlist: only marian and bergamot have shortlists; leave it out, or give ",
                                        "--format marian or bergamot");
  }
  kFormats.at(flags.format)(flags);
}

std::function<void()> set_up(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("-m,--model", flags->model, "Bundle folder")->required()->type_name("BUNDLE");
  app.add_option("-o,--output", flags->output,
                 "File to write, or for packed, ctranslate2, transformers, marian and bergamot a folder; it is created "
                 "only once it is "
                 "complete")
      ->required()
      ->type_name("FILE");
  app.add_option("--format", flags->format,
                 "Format of the export: torchscript; packed, for the inference engine; ctranslate2, a model folder of "
                 "CTranslate2; transformers, a folder of Hugging Face's transformers, also of a BERT (huggingface is "
                 "the same); marian, a folder for Marian; bergamot, a folder in int8 for Bergamot and Firefox; or "
                 "pytorch or safetensors, the parameters for code in "
                 "PyTorch (--code)")
      ->check(ventris::apps::one_of({"torchscript", "packed", "ctranslate2", "transformers", "huggingface", "marian",
                                     "bergamot", "pytorch", "safetensors"}));
  app.add_option("--code", flags->code,
                 "Code in PyTorch whose names the parameters get: annotated (The Annotated Transformer, the default), "
                 "torch.nn.Transformer or attention-is-all-you-need-pytorch")
      ->check(ventris::apps::one_of(ventris::exports::pytorch_codes()));
  const ventris::exports::ShortlistSizes usual;
  app.add_option("--shortlist", flags->shortlist,
                 "For marian and bergamot: file of ventris-vocab lexicon, of which a shortlist (lex.s2t.bin) is made")
      ->type_name("FILE");
  flags->shortlist_best =
      app.add_option("--shortlist-best", flags->shortlist_sizes.best,
                     fmt::format("Target pieces of each source piece in the shortlist ({})", usual.best))
          ->check(CLI::Range(int64_t{1}, static_cast<int64_t>(ventris::model::Lexicon::kMostPieces)));
  flags->shortlist_first =
      app.add_option("--shortlist-first", flags->shortlist_sizes.first,
                     fmt::format("Most frequent target pieces that every sentence may use ({})", usual.first))
          ->check(CLI::Range(int64_t{0}, static_cast<int64_t>(ventris::model::Lexicon::kMostPieces)));
  app.add_option("--precision", flags->precision,
                 "Precision of a packed model: f32 (the default), bf16 or int8; or of a TorchScript file: f32 or bf16")
      ->check(ventris::apps::one_of({"f32", "bf16", "int8"}));
  app.add_option("--verify", flags->verify,
                 "Translate this file with the bundle and with the export, which is read back as ventris-import does, "
                 "and fail if any "
                 "translation differs (except for ties within 1e-4)")
      ->type_name("FILE");
  app.add_option("-b,--beam-size", flags->beam_size, "Beam size for --verify");
  return [flags] { export_model(*flags); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{
      "ventris-export", "Exports a model to a TorchScript file, to a packed model, or for another program.",
      "ventris-export -m run/best --format torchscript -o model.pt --verify val.en\n"
      "  ventris-export -m run/best --format packed --precision int8 -o packed",
      ventris::backend::describe_libraries};
  return ventris::apps::run(argc, argv, program, set_up);
}
