#include "formats/po.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "formats/conversions.h"
#include "formats/groff_escapes.h"
#include "formats/messages.h"
#include "formats/plural_forms.h"
#include "formats/po_entries.h"

namespace ventris::formats {
namespace {

using markup::MarkedDocument;

bool is_header(const PoEntry& entry) { return entry.id->text.empty() && !entry.has_context; }

/// The value of a field of the header: "Plural-Forms: ...".
std::string_view field_of(std::string_view header, std::string_view name) {
  for (const ByteRange& range : lines_of(header)) {
    const std::string_view line = part_of(header, range);
    if (line.starts_with(name) && line.substr(name.size()).starts_with(':')) return line.substr(name.size() + 1);
  }
  return {};
}

void check_charset(const PoEntry& header) {
  constexpr std::string_view kCharset = "charset=";
  const std::string_view type = field_of(header.translations.front().text, "Content-Type");
  const size_t begin = type.find(kCharset);
  if (begin == std::string_view::npos) return;
  std::string name(type.substr(begin + kCharset.size()));
  name.resize(std::min(name.find_first_of(" ;\t"), name.size()));
  std::string known = name;
  std::ranges::transform(known, known.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  if (known == "UTF-8" || known == "UTF8" || known == "CHARSET" || known == "ASCII" || known == "US-ASCII") return;
  fail<markup::MarkupError>("line ", header.line, ": the header declares the encoding ", name,
                            ", expected UTF-8; convert the file with: msgconv -t UTF-8");
}

/// What the flags of an entry mean for its translation.
struct Flags {
  bool fuzzy = false;     ///< it has this flag already
  bool printf = false;    ///< the order of conversions counts
  bool numbered = false;  ///< and conversions can have numbers
  bool braces = false;    ///< the order of "{}" counts, and they can have numbers
  bool macros = false;     ///< "%<PRIu64>" is a conversion
  bool arguments = false;  ///< "%1" is an argument, in any order
  bool tildes = false;     ///< "~A" is a directive, and the order of directives counts
  bool boost = false;      ///< "%1%" has a number, and the order of other conversions counts

  explicit Flags(std::string_view line) {
    while (!line.empty()) {
      const size_t end = std::min(line.find(','), line.size());
      take(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }

 private:
  void take(std::string_view flag) {
    while (flag.starts_with(' ')) flag.remove_prefix(1);
    while (flag.ends_with(' ')) flag.remove_suffix(1);
    fuzzy = fuzzy || flag == "fuzzy";
    const auto is_one_of = [&](const auto& names) { return std::ranges::find(names, flag) != names.end(); };
    constexpr std::array<std::string_view, 10> kNumbered{
        "c-format",   "objc-format", "php-format",         "sh-format",   "perl-format",
        "awk-format", "tcl-format",  "java-printf-format", "ruby-format", "gcc-internal-format"};
    constexpr std::array<std::string_view, 4> kBraces{"python-brace-format", "rust-format", "c++-format",
                                                      "possible-python-brace-format"};
    constexpr std::array<std::string_view, 6> kOtherSyntax{"csharp-format", "java-format", "perl-brace-format",
                                                           "scheme-format", "lisp-format", "boost-format"};
    boost = boost || flag == "boost-format";
    tildes = tildes || flag == "scheme-format" || flag == "lisp-format";
    const bool of_c = is_one_of(kNumbered);
    numbered = numbered || of_c;
    braces = braces || is_one_of(kBraces);
    if (is_one_of(kBraces) || is_one_of(kOtherSyntax)) return;
    macros = macros || flag == "c-format" || flag == "objc-format";
    constexpr std::array<std::string_view, 5> kArguments{"kde-format", "kde-kuit-format", "qt-format",
                                                         "qt-plural-format", "ycp-format"};
    const bool has_arguments = is_one_of(kArguments);
    arguments = arguments || has_arguments;
    if (has_arguments) return;
    printf =
        printf || of_c || (flag.ends_with("-format") && !flag.starts_with("no-") && !flag.starts_with("possible-"));
  }
};

/// The conversions of a message of Boost whose order counts: all but "%1%".
std::vector<std::string> other_conversions_of_boost(const std::string& text) {
  std::string rest;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      rest += text[at++];
      continue;
    }
    const size_t digits = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
    const bool sign = text.compare(digits, 1, "%") == 0;  // "%1%" or "%%"
    if (!sign) rest += '%';
    at = sign ? digits + 1 : at + 1;
  }
  return conversions_in(rest);
}

/// An entry that gets a translation.
struct OpenEntry {
  PoEntry entry;
  size_t id = 0, plural = 0;  // numbers of messages
};

class PoWriter : public markup::DocumentWriter {
 public:
  PoWriter(std::string document, bool fuzzy)
      : document_(std::move(document)), fuzzy_(fuzzy), manual_pages_(is_of_manual_pages(document_)) {}

  void set_forms(std::optional<PluralForms> forms) { forms_ = std::move(forms); }
  void add(PoEntry entry, MarkedDocument& document) {
    const size_t first = document.blocks.size();
    const size_t id = messages_.add(entry.id->text, entry.line, document);
    const size_t plural = entry.is_plural() ? messages_.add(entry.plural->text, entry.line, document) : id;
    const Flags flags = flags_of(entry);
    for (size_t i = first; i < document.blocks.size(); ++i) {
      markup::Block& block = document.blocks[i];
      if (manual_pages_) add_placeholders(block, groff_escapes_in(block.text.text));
      if (flags.macros) add_placeholders(block, macro_conversions_in(block.text.text));
      if (flags.tildes) add_placeholders(block, tilde_directives_in(block.text.text));
      if (flags.arguments) add_placeholders(block, numbered_arguments_in(block.text.text));
    }
    entries_.push_back({std::move(entry), id, plural});
  }

  std::string write(const std::vector<std::string>& translations) const override {
    const std::string_view line_end = line_end_of(document_);
    std::vector<Replacement> replacements;
    for (const OpenEntry& open : entries_) {
      const std::optional<std::vector<std::string>> texts = texts_of(open, translations);
      if (!texts) continue;
      const PoEntry& entry = open.entry;
      if (fuzzy_) add_flag(entry, line_end, replacements);
      for (size_t i = 0; i < texts->size(); ++i) {
        const std::string keyword = entry.is_plural() ? "msgstr[" + std::to_string(i) + "]" : "msgstr";
        replacements.push_back({entry.translations[i].range, write_po(keyword, (*texts)[i], line_end)});
      }
    }
    return replaced(document_, replacements);
  }
  std::vector<int64_t> lines_left(const std::vector<std::string>& translations) const override {
    std::vector<int64_t> lines;
    for (const OpenEntry& open : entries_) {
      if (!texts_of(open, translations)) lines.push_back(open.entry.line);
    }
    return lines;
  }

 private:
  Flags flags_of(const PoEntry& entry) const {
    return Flags(entry.flags ? part_of(document_, *entry.flags) : std::string_view());
  }

  /// The translation of each msgstr; none if the conversions of one are not right.
  std::optional<std::vector<std::string>> texts_of(const OpenEntry& open,
                                                   const std::vector<std::string>& translations) const {
    const Flags flags = flags_of(open.entry);
    std::vector<std::string> texts;
    for (size_t form = 0; form < open.entry.translations.size(); ++form) {
      const size_t message = is_one(open, form) ? open.id : open.plural;
      const std::string text = messages_.translated(message, translations);
      const std::string& source = messages_.source(message);
      std::optional<std::string> numbered = flags.printf   ? with_numbered_conversions(source, text)
                                            : flags.braces ? with_numbered_braces(source, text)
                                                           : text;
      if (flags.tildes && !have_same_directives(source, text)) return {};
      if (flags.boost && other_conversions_of_boost(source) != other_conversions_of_boost(text)) return {};
      if (!numbered || (flags.printf && !flags.numbered && *numbered != text)) return {};
      texts.push_back(std::move(*numbered));
    }
    return texts;
  }
  /// Whether the form is that of the singular. If other numbers have it, too, the singular must have as many
  /// placeholders as the plural: it is "%d file", not "one file".
  bool is_one(const OpenEntry& open, size_t form) const {
    if (!open.entry.is_plural()) return true;
    const size_t forms = open.entry.translations.size();
    const size_t one = forms_ && forms_->count() == forms ? static_cast<size_t>(*forms_->form_of(1)) : 0;
    if (form != one || forms == 1) return false;
    const auto signs = [&](size_t message) {
      const std::string& text = messages_.source(message);
      return std::ranges::count(text, '%') + std::ranges::count(text, '{');
    };
    return signs(open.id) == signs(open.plural) || !forms_ || forms_->has_form_for_one();
  }

  void add_flag(const PoEntry& entry, std::string_view line_end, std::vector<Replacement>& replacements) const {
    if (flags_of(entry).fuzzy) return;
    if (entry.flags) {
      replacements.push_back({{entry.flags->begin, entry.flags->begin}, " fuzzy,"});
    } else {
      replacements.push_back({{entry.flag_place, entry.flag_place}, "#, fuzzy" + std::string(line_end)});
    }
  }

  const std::string document_;
  const bool fuzzy_;
  const bool manual_pages_;
  MessageList messages_;
  std::vector<OpenEntry> entries_;
  std::optional<PluralForms> forms_;
};

}  // namespace

MarkedDocument parse_po(const std::string& document, bool fuzzy) {
  MarkedDocument result;
  const auto writer = std::make_shared<PoWriter>(document, fuzzy);
  for (PoEntry& entry : read_po(document)) {
    if (is_header(entry)) {
      check_charset(entry);
      writer->set_forms(PluralForms::parse(field_of(entry.translations.front().text, "Plural-Forms")));
      continue;
    }
    const bool is_open = std::ranges::all_of(entry.translations, [](const PoText& text) { return text.text.empty(); });
    if (is_open) writer->add(std::move(entry), result);
  }
  result.writer = writer;
  return result;
}

}  // namespace ventris::formats
