#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "formats/icu_forms.h"

namespace ventris::formats {

/// The forms of a message of MediaWiki whose words depend on a number or a person: {{PLURAL:$1|one page|$1 pages}},
/// {{GENDER:$1|he|she}}. The message gets the words around them in its forms, so that each is a whole text: "Found
/// {{PLURAL:$1|one|$1}}." becomes {{PLURAL:$1|Found one.|Found $1.}}; several become forms in forms. `kept` of a form:
/// its arguments ("$1"). Nothing, and the message stays, if it has no such words, or cannot be written so: with over 64
/// forms, with forms that are together more than 8 times as long as the message, with words inside of a tag, with a bar
/// beside them, or with braces that have no partner.
std::vector<IcuForm> take_wiki_forms(std::string& message);

/// Whether words of this kind with letters begin anywhere in the text.
bool has_wiki_forms(std::string_view text);

}  // namespace ventris::formats
