#pragma once
#include <string>
#include <vector>

#include "markup/markup.h"
#include "office/zip_package.h"

namespace ventris::office {

/// What a part of a package is.
enum class PartKind { kDocx, kOdf, kXhtml, kNcx, kPackageDocument };

struct PackagePart {
  std::string name;  ///< in the zip file
  PartKind kind;
};

/// The parts that have texts, in the order in which they are translated. Throws MarkupError if the package is not of
/// this kind, or is encrypted.
std::vector<PackagePart> parts_with_texts(ZipPackage& package, markup::Markup markup);

}  // namespace ventris::office
