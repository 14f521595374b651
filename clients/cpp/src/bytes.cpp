#include "bytes.hpp"

#include <algorithm>
#include <array>

namespace euchre_bot {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

std::string hex_of(unsigned char byte) { return {kDigits[byte >> 4U], kDigits[byte & 15U]}; }

}  // namespace

std::string hex(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) text += hex_of(static_cast<unsigned char>(byte));
  return text;
}

std::optional<Bytes> unhex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  Bytes bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const std::size_t high = kDigits.find(text[at]);
    const std::size_t low = kDigits.find(text[at + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(static_cast<unsigned char>(high * 16 + low));
  }
  return bytes;
}

std::string repr(std::string_view text) {
  std::string said = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      said += '\\';
      said += c;
    } else if (c < ' ' || c > '~') {
      said += "\\x" + hex_of(static_cast<unsigned char>(c));
    } else {
      said += c;
    }
  }
  return said + "'";
}

std::string ascii(std::string_view text) {
  std::string plain(text);
  std::ranges::replace_if(
      plain, [](char c) { return static_cast<unsigned char>(c) > 0x7f; }, '?');
  return plain;
}

std::string_view stripped(std::string_view text) {
  constexpr std::string_view space = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::size_t start = 0;
  for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', start)) {
    words.emplace_back(text.substr(start, at - start));
    start = at + 1;
  }
  words.emplace_back(text.substr(start));
  return words;
}

}  // namespace euchre_bot
