#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "formats/document_text.h"
#include "formats/messages.h"
#include "markup/markup.h"

namespace ventris::formats {

/// Makes a text a value of its file, as it stands between the marks of the value: with escapes.
using WriteValue = std::function<std::string(const std::string& text)>;

/// Writes a file in which messages are values, each in its place.
class ValueWriter : public markup::DocumentWriter {
 public:
  /// `java`: see MessageList.
  explicit ValueWriter(std::string document, bool java = false) : document_(std::move(document)), messages_(java) {}

  /// A value of the document, behind those that were added before: its place, and its text without escapes.
  void add(ByteRange range, const std::string& text, int64_t line, WriteValue write, markup::MarkedDocument& document);

  /// A value of the document that is this one in every translation, and is written as it is.
  void put(ByteRange range, std::string value) { fixed_.push_back({range, std::move(value)}); }

  std::string write(const std::vector<std::string>& translations) const override;

 private:
  struct Value {
    ByteRange range;
    size_t message;
    WriteValue write;
  };

  const std::string document_;
  MessageList messages_;
  std::vector<Value> values_;
  std::vector<Replacement> fixed_;
};

}  // namespace ventris::formats
