#include "markup/open_code.h"

#include <algorithm>

#include "markup/code_ends.h"
#include "markup/html.h"
#include "markup/html_token.h"

namespace ventris::markup {

void OpenCode::read(std::string_view html) {
  size_t at = raw_.empty() ? 0 : end_of_raw_text(html, 0, raw_);
  if (at < html.size()) raw_.clear();
  while (at < html.size()) {
    const HtmlToken token = html_token(html, at);
    at = token.range.end;
    if (token.kind == HtmlToken::Kind::kEndTag) end(token.name);
    if (token.kind != HtmlToken::Kind::kStartTag) continue;
    if (is_raw_text_element(token.name)) {
      at = end_of_raw_text(html, at, token.name);
      if (at == html.size()) raw_ = token.name;
    } else if (!is_void_element(token.name)) {
      const HtmlRole role = role_of_element(token.name);
      start(token.name, !token.translated && (role == HtmlRole::kInlineCode || role == HtmlRole::kBlockCode));
    }
  }
}

void OpenCode::start(const std::string& name, bool code) {
  for (const std::string_view ended : ended_by_start_tag(name)) {
    const auto found = others_.find(ended);
    if (codes_.empty() || found == others_.end() || found->second.empty()) continue;
    std::erase_if(codes_, [&](const Code& open) {
      return open.number > found->second.back() && ends_at_start_tag(open.name, ended);
    });
  }
  if (code) {
    codes_.push_back({name, count_++});
  } else {
    others_[name].push_back(count_++);
  }
}

void OpenCode::end(const std::string& name) {
  for (size_t i = codes_.size(); i-- > 0;) {
    if (codes_[i].name == name) return codes_.resize(i);
  }
  const auto found = others_.find(name);
  if (found == others_.end() || found->second.empty()) return;
  const size_t number = found->second.back();
  found->second.pop_back();
  std::erase_if(codes_, [&](const Code& open) { return open.number > number && ends_with(open.name, name); });
}

void OpenCode::leave(std::string_view name) {
  if (around_.empty()) return;
  const size_t first = around_.back();
  around_.pop_back();
  std::erase_if(codes_, [&](const Code& open) { return open.number >= first && ends_with(open.name, name); });
}

}  // namespace ventris::markup
