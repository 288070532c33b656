#include "office/usual_names.h"

#include <algorithm>

#include "core/ascii.h"
#include "office/xml_tree.h"

namespace ventris::office {
namespace {

constexpr size_t kMostPrefixes = 8;  // of one vocabulary

/// The part of a name before its colon, and the part behind it.
std::pair<std::string_view, std::string_view> divided(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {"", name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace

UsualNames::UsualNames(const XmlDocument& xml, std::vector<Vocabulary> vocabularies)
    : xml_(xml), vocabularies_(std::move(vocabularies)) {
  for (size_t element = 1; element < xml.elements.size(); ++element) {
    const std::string_view tag = part_of(xml.source, xml.events[xml.elements[element].begin].range);
    if (tag.find("xmlns") != std::string_view::npos) read_declarations(tag);
  }
}

/// `tag`: a start tag of a document that is well formed.
void UsualNames::read_declarations(std::string_view tag) {
  constexpr std::string_view kSpace = " \t\r\n";
  size_t at = std::min(tag.find_first_of(kSpace), tag.size());
  while ((at = tag.find_first_not_of(kSpace, at)) != std::string_view::npos) {
    const size_t sign = tag.find('=', at), quote = tag.find_first_of("\"'", at);
    if (sign == std::string_view::npos || quote == std::string_view::npos) return;
    const size_t end = tag.find(tag[quote], quote + 1);
    if (end == std::string_view::npos) return;
    const std::string_view name = tag.substr(at, std::min(tag.find_first_of(kSpace, at), sign) - at);
    const auto [prefix, local] = divided(name);
    if (prefix == "xmlns" || name == "xmlns") {
      declare(prefix.empty() ? "" : local, tag.substr(quote + 1, end - quote - 1));
    }
    at = end + 1;
  }
}

void UsualNames::declare(std::string_view prefix, std::string_view name_space) {
  for (const Vocabulary& one : vocabularies_) {
    std::vector<std::string>& known = declared_[one.prefix];
    if (one.name_space != name_space || known.size() >= kMostPrefixes) continue;
    if (usual_.emplace(prefix, one.prefix).second) known.emplace_back(prefix);
  }
}

std::string UsualNames::name(size_t element) const {
  const auto [prefix, local] = divided(xml_.name(element));
  const auto found = usual_.find(prefix);
  if (found == usual_.end()) return std::string(xml_.name(element));
  return std::string(found->second) + ":" + std::string(local);
}

std::string_view UsualNames::attribute(size_t element, std::string_view usual_name) const {
  const auto [prefix, local] = divided(usual_name);
  if (const auto known = declared_.find(prefix); known != declared_.end()) {
    for (const std::string& declared : known->second) {
      const std::string_view value = xml_.attribute(element, core::in_lower_case(declared + ":" + std::string(local)));
      if (!declared.empty() && !value.empty()) return value;
    }
  }
  return xml_.attribute(element, usual_name);
}

std::string UsualNames::written_prefix(std::string_view prefix) const {
  const auto known = declared_.find(prefix);
  if (known == declared_.end() || known->second.empty()) return std::string(prefix) + ":";
  for (const std::string& declared : known->second) {
    if (!declared.empty()) return declared + ":";
  }
  return "";
}

}  // namespace ventris::office
