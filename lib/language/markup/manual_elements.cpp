#include "markup/manual_elements.h"

#include <algorithm>
#include <array>
#include <string>

namespace ventris::markup {
namespace {

/// Those whose names mean nothing else.
constexpr std::array<std::string_view, 41> kCode{
    "command",    "cmd",         "filename",       "filepath",      "envar",       "varname",      "classname",
    "methodname", "structname",  "structfield",    "userinput",     "systemitem",  "systemoutput", "computeroutput",
    "codeph",     "codeblock",   "programlisting", "cmdname",       "cmdsynopsis", "funcsynopsis", "classsynopsis",
    "apiname",    "parmname",    "synph",          "xmlelement",    "xmlatt",      "sgmltag",      "errorname",
    "errorcode",  "returnvalue", "exceptionname",  "interfacename", "keysym",      "icode",        "bcode",
    "input",      "literal",     "function",       "constant",      "parameter",   "citerefentry"};

/// Those that may have words in another message: "Drop <file>your file</file> here".
constexpr std::array<std::string_view, 11> kCodeOfOneWord{"file",   "symbol", "package", "type",   "synopsis", "sys",
                                                          "screen", "prompt", "token",   "markup", "output"};

/// Without tags inside of it.
std::string without_tags(std::string_view content) {
  std::string text;
  for (size_t at = 0; at < content.size();) {
    const size_t tag = std::min(content.find('<', at), content.size());
    text += content.substr(at, tag - at);
    const size_t end = content.find('>', tag);
    at = end == std::string_view::npos ? content.size() : end + 1;
  }
  return text;
}

bool has_sign_of_code(std::string_view content) {
  constexpr std::string_view kFirst = "-+/~$.";
  const bool begins = content.size() > 1 && kFirst.find(content[0]) != std::string_view::npos && content[1] != ' ';
  return begins || content.find_first_of("/\\=_{}$*") != std::string_view::npos;
}

}  // namespace

bool is_code_of_manual(std::string_view name, std::string_view content) {
  if (std::ranges::find(kCode, name) != kCode.end()) return true;
  const bool option = name == "option";
  if (!option && std::ranges::find(kCodeOfOneWord, name) == kCodeOfOneWord.end()) return false;
  const std::string text = without_tags(content);
  return has_sign_of_code(text) || (!option && text.find_first_of(" \t\r\n") == std::string::npos);
}

bool may_be_code_of_manual(std::string_view name) { return is_code_of_manual(name, "-a"); }

}  // namespace ventris::markup
