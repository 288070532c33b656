#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "architecture/writing.h"
#include "core/json_reader.h"
#include "core/setting_description.h"

/// The settings of each model family, with their defaults and checks, and the names and shapes of the resulting
/// tensors. Both halves of the library use this folder, so it needs neither LibTorch nor files.
namespace ventris::architecture {

/// What a training run reads: sentence pairs, running text of one language (data/documents.h), or texts with labels
/// (data/labels.h).
enum class CorpusKind { kPairs, kRunningText, kLabels };

/// Decoder layers with attention to the source, and the heads of each.
struct SourceAttention {
  int64_t layers = 0;  ///< 0 = there is none
  int64_t heads = 0;
};

/// The decoder layer, counted from 1, from whose attention words are linked if nothing else is known: the
/// second-to-last of three or more, otherwise the last.
int64_t default_alignment_layer(int64_t layers);

/// The settings of one model: "architecture" and "model" of config.json. Immutable.
class Architecture {
 public:
  virtual ~Architecture() = default;

  virtual std::string family() const = 0;  ///< the value of "architecture"

  /// All settings except the vocabulary sizes, as the family's parser reads them.
  virtual nlohmann::json to_json() const = 0;

  /// What docs/settings.md says of these settings, with their present values as the defaults. A family that does not
  /// say it has the names, types and values of to_json() there. architecture/family_fields.h helps to write it.
  virtual std::vector<core::SettingDescription> describe() const;

  /// The name of what the model learns; see training/task.h.
  virtual std::string task() const { return "translation"; }
  virtual CorpusKind corpus_kind() const { return CorpusKind::kPairs; }

  /// Whether the models translate. Models of other families are not given to search, scoring or validation by BLEU.
  virtual bool translates() const { return true; }
  /// For messages, what can be done with a model that does not translate: "use ventris-fill"; empty = nothing else.
  virtual std::string other_use() const { return ""; }
  /// Whether the encoder of such a model can start from that of `other` (training.encoder_from), although the families
  /// differ.
  virtual bool takes_encoder_of(const Architecture& /*other*/) const { return false; }

  /// How the models write a translation, if they translate.
  virtual Writing writing() const { return {}; }
  /// Whether the loss compares tokens with targets, so that label smoothing has a meaning.
  virtual bool smooths_labels() const { return true; }

  /// The attention that can learn given links while the model learns to translate (training.guided_alignment).
  virtual SourceAttention guidable_attention() const { return {}; }

  virtual int64_t src_vocab() const = 0;  ///< size with special tokens; 0 = not known yet
  virtual int64_t tgt_vocab() const = 0;
  /// The same settings with these vocabulary sizes.
  virtual std::shared_ptr<const Architecture> with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const = 0;

  virtual int64_t max_length() const = 0;  ///< maximum length of source and target, in tokens with bos or eos
  virtual int64_t width() const = 0;       ///< features of a decoder state; d_model in the Noam schedule

  /// The names of the tensors that have a vector of each source or target token, [vocab, features]; empty = none.
  virtual std::string source_embedding() const { return ""; }
  virtual std::string target_embedding() const { return ""; }

  /// The names of a classifier's classes, in the order of its logits; empty = not known yet, or no classifier.
  virtual std::vector<std::string> labels() const { return {}; }
  /// The same settings with these labels. Throws std::logic_error if the model is no classifier.
  virtual std::shared_ptr<const Architecture> with_labels(const std::vector<std::string>& labels) const;

  /// Pieces that a tokenizer must have besides those of its text, such as "[MASK]".
  virtual std::vector<std::string> special_pieces() const { return {}; }

  /// Throws ConfigError if the model needs one tokenizer for both sides and `shared` is false.
  virtual void check_tokenizers(bool shared) const = 0;

  /// Gets the name and shape of each parameter, including tied ones, in the order in which the module registers them.
  using TensorVisitor = std::function<void(const std::string& name, const std::vector<int64_t>& shape)>;
  virtual void each_tensor(const TensorVisitor& visit) const = 0;
};

using ArchitecturePtr = std::shared_ptr<const Architecture>;

/// Throws ModelError if models of this family do not translate; the message begins with `where`.
void check_translates(const Architecture& architecture, const std::string& where);

/// Reads the settings of a family. The caller calls reader.finish(). Throws ConfigError.
using Parser = std::function<ArchitecturePtr(core::JsonReader& reader)>;

/// The family that is used if none is given.
inline constexpr const char* kDefaultFamily = "transformer";

/// Reads the settings of a model of the family `name`; missing keys get their defaults. Messages call the setting with
/// the family's name `path`. The caller calls reader.finish(). Throws ConfigError for an unknown family, a wrong type
/// or an impossible value.
ArchitecturePtr parse(const std::string& name, const std::string& path, core::JsonReader& reader);

/// The default settings of a family.
ArchitecturePtr defaults(const std::string& name = kDefaultFamily);

/// All families that this program or library knows, in alphabetical order.
std::vector<std::string> family_names();

/// Adds a family to the table of this program or library (each has its own), before any model is opened. Throws
/// std::logic_error if the name is taken.
void add_family(const std::string& name, Parser parser);

/// Adds a family when the program starts. The file of the family has a global variable of this type.
struct AddedFamily {
  AddedFamily(const std::string& name, Parser parser) { add_family(name, std::move(parser)); }
};

}  // namespace ventris::architecture
