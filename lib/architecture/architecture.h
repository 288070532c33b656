#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_reader.h"
#include "core/setting_description.h"

/// What models are made of: the settings of each family, with their defaults and checks, and the tensors that follow
/// from them. Known to both halves of the library; no LibTorch, no files.
namespace ventris::architecture {

/// The settings of one model: "architecture" and "model" of config.json. Never changes once it is made.
class Architecture {
 public:
  virtual ~Architecture() = default;

  virtual std::string family() const = 0;  ///< the name under "architecture"

  /// What the family's parser reads: all settings except the vocabularies.
  virtual nlohmann::json to_json() const = 0;

  /// What docs/settings.md says of these settings, with their present values as the defaults. A family that does not
  /// say it has the names, types and values of to_json() there. architecture/fields.h helps to write it.
  virtual std::vector<core::SettingDescription> describe() const;

  /// What it learns, as training/task.h knows it.
  virtual std::string task() const { return "translation"; }

  virtual int64_t src_vocab() const = 0;  ///< tokens, special ones included; 0 = not known yet
  virtual int64_t tgt_vocab() const = 0;
  /// The same settings for the vocabularies of these tokenizers.
  virtual std::shared_ptr<const Architecture> with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const = 0;

  virtual int64_t max_length() const = 0;  ///< longest source and longest target, in tokens, bos or eos included
  virtual int64_t width() const = 0;       ///< features of a decoder state; d_model of the Noam schedule

  /// Throws ConfigError if the model needs one tokenizer for both sides and `shared` is false.
  virtual void check_tokenizers(bool shared) const = 0;

  /// Takes the name and the shape of each parameter, in the order of the module's registration; tied ones too.
  using TensorVisitor = std::function<void(const std::string& name, const std::vector<int64_t>& shape)>;
  virtual void each_tensor(const TensorVisitor& visit) const = 0;
};

using ArchitecturePtr = std::shared_ptr<const Architecture>;

/// Reads the settings of a family. The caller finishes the reader. Throws ConfigError.
using Parser = std::function<ArchitecturePtr(core::JsonReader& reader)>;

/// The name of the family that is meant where none is given.
inline constexpr const char* kDefaultFamily = "transformer";

/// The settings of a model of the family `name`; keys that are not there have their defaults. `path` names the setting
/// with the family's name in messages. The caller finishes the reader. Throws ConfigError for an unknown family, a
/// wrong type, or values that are impossible.
ArchitecturePtr parse(const std::string& name, const std::string& path, core::JsonReader& reader);

/// The default settings of a family.
ArchitecturePtr defaults(const std::string& name = kDefaultFamily);

/// All families that this program or library knows, in alphabetical order.
std::vector<std::string> family_names();

/// Makes one more family known to this program or library (each has its table), before any model is opened. Throws
/// std::logic_error if there is one of that name.
void add_family(const std::string& name, Parser parser);

/// Adds a family while the program starts: a global variable of this type in the family's file.
struct AddedFamily {
  AddedFamily(const std::string& name, Parser parser) { add_family(name, std::move(parser)); }
};

}  // namespace ventris::architecture
