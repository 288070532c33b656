#include "model/pickle_names.h"

#include <algorithm>
#include <array>

namespace ventris::model {
namespace {

constexpr std::array kDataNames = {
    std::string_view("collections\nOrderedDict"),
    std::string_view("collections\ndefaultdict"),
    std::string_view("collections\nCounter"),
    std::string_view("collections\ndeque"),
    std::string_view("torch._utils\n_rebuild_tensor_v2"),
    std::string_view("torch._utils\n_rebuild_parameter"),
    std::string_view("torch\nFloatStorage"),
    std::string_view("torch\nHalfStorage"),
    std::string_view("torch\nBFloat16Storage"),
    std::string_view("torch\nDoubleStorage"),
    std::string_view("torch\nLongStorage"),
    std::string_view("torch\nIntStorage"),
    std::string_view("torch\nShortStorage"),
    std::string_view("torch\nCharStorage"),
    std::string_view("torch\nByteStorage"),
    std::string_view("torch\nBoolStorage"),
    std::string_view("torch\nSize"),
    std::string_view("torch\ndevice"),
    std::string_view("torch\nfloat16"),
    std::string_view("torch\nbfloat16"),
    std::string_view("torch\nfloat32"),
    std::string_view("torch\nfloat64"),
    std::string_view("torch\nint64"),
    std::string_view("argparse\nNamespace"),
    std::string_view("types\nSimpleNamespace"),
    std::string_view("pathlib\nPosixPath"),
    std::string_view("pathlib\nPurePosixPath"),
    std::string_view("pathlib\nWindowsPath"),
    std::string_view("functools\npartial"),
    std::string_view("typing\nAny"),
    std::string_view("_codecs\nencode"),
    std::string_view("numpy\ndtype"),
    std::string_view("numpy\nndarray"),
    std::string_view("numpy.core.multiarray\nscalar"),
    std::string_view("numpy.core.multiarray\n_reconstruct"),
    std::string_view("numpy._core.multiarray\nscalar"),
    std::string_view("numpy._core.multiarray\n_reconstruct"),
    std::string_view("fairseq.data.dictionary\nDictionary"),
};

/// Types of Python that are only named, or made of their arguments.
constexpr std::array kDataTypes = {std::string_view("int"),   std::string_view("float"), std::string_view("bool"),
                                   std::string_view("str"),   std::string_view("list"),  std::string_view("dict"),
                                   std::string_view("set"),   std::string_view("tuple"), std::string_view("frozenset"),
                                   std::string_view("bytes"), std::string_view("long"),  std::string_view("unicode")};

/// Modules whose classes have only fields: settings, vocabularies, counters.
constexpr std::array kDataModules = {
    std::string_view("omegaconf."),       std::string_view("fairseq.dataclass."), std::string_view("fairseq.meters\n"),
    std::string_view("fairseq.logging."), std::string_view("torchtext.data."),    std::string_view("torchtext.legacy."),
    std::string_view("torchtext.vocab"),  std::string_view("onmt.inputters."),
};

template <typename Names>
bool has_name(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool is_data_name(std::string_view name) {
  const size_t line = std::min(name.find('\n'), name.size());
  const std::string_view module = name.substr(0, line), in_module = name.substr(std::min(line + 1, name.size()));
  if (module == "builtins" || module == "__builtin__") return has_name(kDataTypes, in_module);
  const bool of_module =
      std::ranges::any_of(kDataModules, [&](std::string_view begin) { return name.starts_with(begin); });
  return of_module || has_name(kDataNames, name);
}

std::string dotted_name(std::string_view name) {
  constexpr size_t kMostShown = 80;
  std::string text(name.substr(0, kMostShown));
  for (char& letter : text) letter = letter == '\n' ? '.' : letter > ' ' && letter < '\x7f' ? letter : '?';
  return text;
}

}  // namespace ventris::model
