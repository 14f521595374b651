// Bytes, as protobuf holds them: in strings.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace euchre_bot {

using Bytes = std::string;

inline void append_to(std::string& text, std::string_view part) { text += part; }
template <std::integral Number>
void append_to(std::string& text, Number number) {
  text += std::to_string(number);
}

/// Texts and numbers, one after the other.
template <typename... Parts>
std::string concat(const Parts&... parts) {
  std::string text;
  (append_to(text, parts), ...);
  return text;
}

/// The items of a list with a separator between them.
template <typename List>
std::string joined(const List& list, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& item : list) {
    if (!first) text += separator;
    append_to(text, item);
    first = false;
  }
  return text;
}

/// Lower-case hex of bytes.
std::string hex(std::string_view bytes);

/// The bytes of lower-case hex; nothing where it is not that.
std::optional<Bytes> unhex(std::string_view text);

/// Text from outside in single quotes, with whatever is not printable ASCII escaped.
std::string repr(std::string_view text);

/// The text with every byte that is not ASCII replaced by a question mark.
std::string ascii(std::string_view text);

/// The text without white space at its ends.
std::string_view stripped(std::string_view text);

/// The words of a text that single spaces separate.
std::vector<std::string> words_of(std::string_view text);

}  // namespace euchre_bot
