#pragma once
#include <string_view>

namespace ventris::markup {

/// Whether a text is only data that a program has written as letters and digits:
/// - base64 or base64url: in one line, or in lines of the same length;
/// - a key or certificate in PEM ("-----BEGIN PUBLIC KEY-----"), a public key of SSH;
/// - a token (JWT), a hash with its kind ("sha512-..."), a key of an interface ("AIza...", "ghp_..."), and other
/// letters
///   and digits that change as they do at random ("V1StGXR8Z5jdHi6BmyT").
/// It has at least 12 characters, and only those of ASCII. Long words are none, nor are names of several words with
/// numbers ("Windows10UpdateAssistant").
bool is_encoded_value(std::string_view text);

}  // namespace ventris::markup
