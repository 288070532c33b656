#pragma once
#include <string>

#include "imports/imported.h"

namespace ventris::imports {

/// Whether it is a package of Argos Translate: a zip file (.argosmodel), or the folder that it becomes, with
/// metadata.json. Throws nothing.
bool is_argos_package(const std::string& path);

/// Makes a bundle of a package of Argos Translate, which has a model of CTranslate2 and a SentencePiece model. A zip
/// file is read in memory; nothing is unpacked on the disk. Throws ModelError.
Imported from_argos_package(const std::string& path);

}  // namespace ventris::imports
