#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "markup/markup.h"

namespace ventris::markup {

/// A description of an image in Markdown, or the title of an image or a link.
struct MarkdownDescription {
  enum class Kind {
    kImage,
    kLabel,  ///< of an image: also the name of its target, as in ![name] and ![name][]
    kTitle
  };
  Kind kind = Kind::kImage;
  ByteRange range;   ///< in the document; of a title without the signs around it
  std::string text;  ///< without backslashes, entities and emphasis
};

/// Those of a document that have letters, by place. Descriptions of images with code, links, images or tags inside are
/// left out, and so are labels and titles of more than one line, and titles in the definitions of links. Throws as
/// markdown_events.
std::vector<MarkdownDescription> markdown_descriptions(const std::string& document);

/// The document with other texts in the place of its descriptions; those without a text stay. The document itself if
/// the result would have other parts.
std::string with_descriptions(const std::string& document, const std::map<std::string, std::string>& texts);

/// Adds the descriptions of a document to its blocks (MarkedDocument::beside), each text once.
void add_descriptions(const std::string& document, MarkedDocument& parsed);

}  // namespace ventris::markup
