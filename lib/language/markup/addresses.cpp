#include "markup/addresses.h"

#include <algorithm>
#include <array>

#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kOfOwner = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";
constexpr size_t kNoEnd = 0;  // instead of the end of an address

/// The characters of an e-mail address before its "@". Most of these runs are words.
bool is_in_run(UChar32 c) { return is_word_character(c) || c == '.' || c == '+' || c == '-'; }

class AddressFinder {
 public:
  explicit AddressFinder(std::string_view text) : text_(text) {}

  std::vector<ByteRange> find() {
    while (at_ < text_.size()) {
      if (is_in_run(character_at(text_, at_))) {
        find_in_run();
      } else {
        next_character(text_, at_);
      }
    }
    return std::move(found_);
  }

 private:
  bool is_at(size_t at, std::string_view sign) const { return stands_at(text_, at, sign); }
  bool is_alnum(size_t at) const { return is_letter(at) || (text_[at] >= '0' && text_[at] <= '9'); }
  bool is_letter(size_t at) const {
    return (text_[at] >= 'a' && text_[at] <= 'z') || (text_[at] >= 'A' && text_[at] <= 'Z');
  }

  /// Looks for an address that begins in the run at this place, and goes on behind both.
  void find_in_run() {
    const size_t begin = at_, end = end_of_run(text_, at_, is_in_run);
    at_ = end;
    if (add_www(begin, end)) return;
    if (is_at(end, "@")) add_mail(begin, end);
    if (is_at(end, "://")) add_url(begin, end);
    if (is_at(end, "/")) add_host(begin, end);
  }

  bool add(size_t begin, size_t end) {
    if (end == kNoEnd) return false;
    found_.push_back({begin, end});
    at_ = std::max(at_, end);
    return true;
  }
  bool add_www(size_t begin, size_t end) {
    const std::string_view until_end = text_.substr(0, end);
    for (size_t at = until_end.find("www.", begin); at != std::string_view::npos; at = until_end.find("www.", at + 1)) {
      if (at == begin || !is_alnum(at - 1)) return add(at, end_of_url(at + 4));
    }
    return false;
  }
  void add_mail(size_t run, size_t at_sign) {
    size_t begin = at_sign, before = at_sign;
    while (begin > run && !is_cjk(previous_character(text_, before))) begin = before;
    if (begin == at_sign) return;
    const size_t end = end_of_domain(at_sign + 1);
    add(begin, end == kNoEnd ? end : end_of_path_of_git(end));
  }
  /// Of "git@github.com:User/Repo.git", from the colon on: an owner, and what a URL may have; `colon` if there is none.
  size_t end_of_path_of_git(size_t colon) const {
    constexpr size_t kLongestOwner = 100;
    if (!is_at(colon, ":")) return colon;
    const std::string_view owner = text_.substr(colon + 1, kLongestOwner);
    const size_t size = owner.find_first_not_of(kOfOwner);
    if (size == 0 || size == std::string_view::npos || owner[size] != '/') return colon;
    const size_t end = end_of_url(colon + 1 + size);
    return end == kNoEnd ? colon : end;
  }
  void add_url(size_t run, size_t colon) {
    const auto is_in_scheme = [&](size_t at) {
      return is_alnum(at) || std::string_view("+-.").find(text_[at]) != std::string_view::npos;
    };
    size_t begin = colon;
    while (begin > run && is_in_scheme(begin - 1)) --begin;
    while (begin < colon && !is_letter(begin)) ++begin;
    if (begin < colon) add(begin, end_of_url(colon + 3));
  }

  /// The name of a computer in a usual domain, with a path: "bit.ly/abc".
  void add_host(size_t run, size_t slash) {
    constexpr std::array<std::string_view, 38> kDomains{
        "com", "org", "net", "edu", "gov", "io", "co", "uk",  "de",  "fr",   "es",  "it",  "nl",
        "be",  "ch",  "pl",  "se",  "dk",  "fi", "eu", "ca",  "au",  "jp",   "cn",  "br",  "ru",
        "me",  "ly",  "gl",  "gg",  "tv",  "ai", "cc", "app", "dev", "info", "biz", "link"};
    const std::string_view name = text_.substr(run, slash - run);
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || std::ranges::find(kDomains, name.substr(dot + 1)) == kDomains.end()) return;
    const auto is_of_host = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    };
    const bool follows = run > 0 && std::string_view("/\\@:%#~$").find(text_[run - 1]) != std::string_view::npos;
    if (follows || dot == 0 || name.starts_with('-') || name.find("..") != std::string_view::npos ||
        !std::ranges::all_of(name, is_of_host) || slash + 1 >= text_.size() || !is_alnum(slash + 1))
      return;
    add(run, end_of_url(slash + 1));
  }

  size_t end_of_url(size_t at) const {
    constexpr std::u32string_view kStops = U"<>\"`\\\u2018\u201c\u201d\u201e\u00ab\u00bb";
    const size_t end = end_of_run(text_, at, [&](UChar32 c) {
      return !is_space(c) && !is_cjk(c) && kStops.find(static_cast<char32_t>(c)) == std::u32string_view::npos;
    });
    const size_t last = without_punctuation(at, end);
    return last == at ? kNoEnd : last;
  }

  size_t end_of_domain(size_t at) const {
    const auto label = [&](size_t from) {
      return end_of_run(text_, from, [](UChar32 c) { return (is_word_character(c) && !is_cjk(c)) || c == '-'; });
    };
    size_t end = label(at);
    const size_t first = end;
    while (end > at && is_at(end, ".")) {
      const size_t next = label(end + 1);
      if (next == end + 1) break;
      end = next;
    }
    return end == first ? kNoEnd : end;  // a domain has a full stop
  }

  size_t without_punctuation(size_t begin, size_t end) const {
    constexpr std::string_view kOpening = "([{", kClosing = ")]}";
    constexpr std::u32string_view kPunctuation = U".,;:!?'([{\u2019\u2026";
    std::array<int64_t, kOpening.size()> open{};
    for (const char c : text_.substr(begin, end - begin)) {
      if (const size_t kind = kOpening.find(c); kind != std::string_view::npos) ++open.at(kind);
      if (const size_t kind = kClosing.find(c); kind != std::string_view::npos) --open.at(kind);
    }
    while (end > begin) {
      size_t before = end;
      const UChar32 last = previous_character(text_, before);
      const size_t kind = last > 0 && last < 0x80 ? kClosing.find(static_cast<char>(last)) : std::string_view::npos;
      if (kind != std::string_view::npos
              ? open.at(kind) >= 0
              : kPunctuation.find(static_cast<char32_t>(last)) == std::u32string_view::npos) {
        break;
      }
      if (kind != std::string_view::npos) ++open.at(kind);
      end = before;
    }
    return end;
  }

  std::string_view text_;
  std::vector<ByteRange> found_;
  size_t at_ = 0;
};

}  // namespace

std::vector<ByteRange> find_addresses(std::string_view text) { return AddressFinder(text).find(); }

}  // namespace ventris::markup
