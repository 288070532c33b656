#pragma once
#include <vector>

#include "files/folders.h"
#include "model/package.h"

namespace ventris::exports {

/// The files of a model folder that CTranslate2 (4.0 or later) loads, with the weights in f32: model.bin, config.json
/// and the vocabularies, and the tokenizers as source.spm and target.spm. Throws ModelError, with the setting, for a
/// model that CTranslate2 cannot run: another family, another kind of attention, heads of another width.
std::vector<files::NamedBytes> to_ctranslate2(const model::Bundle& bundle);

}  // namespace ventris::exports
