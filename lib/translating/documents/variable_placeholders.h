#pragma once
#include <cstddef>
#include <string_view>

/// The end of a variable, or of another sign that programs read, that begins with the sign at byte `at` of a message;
/// kNoEnd (sign_matcher.h): there is none.
namespace ventris::documents {

/// "$name" or ":name", also "$name$", ":name:", "$(name)" and "$t(name)"
size_t end_of_variable_sign(std::string_view text, size_t at);

/// "\n" as two characters, "\u00e9", "\(name)", "\{name\}"
size_t end_of_escape(std::string_view text, size_t at);

/// "'{name}'", "'{'": braces that are text, in a pattern of ICU
size_t end_of_quoted_braces(std::string_view text, size_t at);

/// "[[${name}]]" and "[(${name})]" of Thymeleaf, "[[name]]", "[site:name]" of Drupal
size_t end_of_inlined(std::string_view text, size_t at);

/// "*|name|*", "*|IF:LANG=en|*", "*|DATE:d/m/y|*" of Mailchimp
size_t end_of_merge_tag(std::string_view text, size_t at);

/// "##name##", "###NAME###" of WordPress, "$$name$$"
size_t end_of_doubled_name(std::string_view text, size_t at);

/// "&nbsp;", "&#160;": a character of HTML that is no letter and no apostrophe, so that no word goes on behind it;
/// "&kate;", an entity of another document
size_t end_of_entity(std::string_view text, size_t at);

/// "&a", "&l", "&#ff8800", "§c": colours and styles of texts in Minecraft. With "&" in front of a word or sign, not
/// inside a word unless there was one before (`known`); "R&D" and "a&b=c" have none.
size_t end_of_colour_code(std::string_view text, size_t at, bool known);

/// "@name" of Drupal, or the name of a user; "@project.version@" of Maven; "@:name.key", another message, in vue-i18n
size_t end_of_at_sign(std::string_view text, size_t at);

/// "~Contact.Name~" of Act-On
size_t end_of_tilde(std::string_view text, size_t at);

/// "!name" of Drupal
size_t end_of_exclaimed_name(std::string_view text, size_t at);

/// "__NAME__"
size_t end_of_underscored(std::string_view text, size_t at);

}  // namespace ventris::documents
