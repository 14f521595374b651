#include "fields.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace euchre_bot {

namespace {

constexpr std::uint64_t kLargest = (std::uint64_t{1} << 53U) - 1;
constexpr int kDepth = 6;
constexpr std::size_t kLongestKey = 32;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool is_key(std::string_view key) {
  return !key.empty() && key.size() <= kLongestKey && is_lower(key.front()) &&
         std::ranges::all_of(
             key, [](char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; });
}

bool is_text(const std::string& text) {
  return std::ranges::all_of(text,
                             [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

bool allowed(const Json& value, int depth) {
  switch (value.type()) {
    case Json::value_t::boolean:
      return true;
    case Json::value_t::number_unsigned:
      return value.get<std::uint64_t>() <= kLargest;
    case Json::value_t::number_integer: {
      const auto number = value.get<std::int64_t>();
      return number >= 0 && static_cast<std::uint64_t>(number) <= kLargest;
    }
    case Json::value_t::string:
      return is_text(value.get_ref<const std::string&>());
    case Json::value_t::array:
      return depth < kDepth && std::ranges::all_of(value, [depth](const Json& item) {
               return allowed(item, depth + 1);
             });
    case Json::value_t::object:
      return depth < kDepth && std::ranges::all_of(value.items(), [depth](const auto& entry) {
               return is_key(entry.key()) && allowed(entry.value(), depth + 1);
             });
    default:
      return false;
  }
}

}  // namespace

bool is_canonical(const Json& value) { return allowed(value, 0); }

Bytes canonical(const Json& value) { return value.dump(); }

Fields Fields::parse(std::string where, const Bytes& event) {
  auto value = std::make_shared<Json>(Json::parse(event, nullptr, /*allow_exceptions=*/false));
  if (value->is_discarded()) throw DealProofError(where + " is not JSON in ASCII");
  if (!value->is_object() || !allowed(*value, 0) || value->dump() != event) {
    throw DealProofError(where + " is not an object in canonical form");
  }
  return {std::move(where), std::move(value)};
}

DealProofError Fields::wrong(std::string_view what) const {
  return DealProofError(concat(where_, ": ", what));
}

const Json& Fields::get(const char* key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) throw DealProofError(concat(where_, " has no ", key));
  return *found;
}

bool Fields::has(const char* key) const { return value_->contains(key); }

std::string Fields::text(const char* key) const {
  const Json& value = get(key);
  if (!value.is_string()) throw wrong(concat(key, " is not a string"));
  return value.get<std::string>();
}

bool Fields::truth(const char* key) const {
  const Json& value = get(key);
  if (!value.is_boolean()) throw wrong(concat(key, " is not true or false"));
  return value.get<bool>();
}

std::uint64_t Fields::number(const char* key) const {
  const Json& value = get(key);
  if (!value.is_number()) throw wrong(concat(key, " is not a number"));
  return value.get<std::uint64_t>();
}

std::uint32_t Fields::small(const char* key) const {
  const std::uint64_t value = number(key);
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    throw wrong(concat(key, " is too large a number"));
  }
  return static_cast<std::uint32_t>(value);
}

Seat Fields::seat(const char* key) const {
  const std::string word = text(key);
  const auto seat = seat_named(word);
  if (!seat) throw wrong(concat(key, " is not a seat but ", repr(word)));
  return *seat;
}

Bytes Fields::octets(const char* key, std::size_t size) const {
  const Json& value = get(key);
  const auto bytes = value.is_string() ? unhex(value.get_ref<const std::string&>()) : std::nullopt;
  if (!bytes || bytes->size() != size) {
    throw wrong(concat(key, " is not ", size, " bytes in lower-case hex"));
  }
  return *bytes;
}

Bytes Fields::octets_if_any(const char* key, std::size_t size) const {
  return has(key) ? octets(key, size) : Bytes();
}

const Json& Fields::list(const char* key) const {
  const Json& value = get(key);
  if (!value.is_array()) throw wrong(concat(key, " is not a list"));
  return value;
}

std::vector<Bytes> Fields::octets_list(const char* key, std::size_t count,
                                       std::initializer_list<std::size_t> sizes) const {
  const Json& items = list(key);
  if (items.size() != count) {
    throw wrong(concat(key, " is not a list of ", count, " but of ", items.size()));
  }
  std::vector<Bytes> found;
  for (const Json& item : items) {
    auto bytes = item.is_string() ? unhex(item.get_ref<const std::string&>()) : std::nullopt;
    if (!bytes || std::ranges::find(sizes, bytes->size()) == sizes.end()) {
      throw wrong(
          concat(key, " does not hold ", joined(sizes, " or "), " bytes each, in lower-case hex"));
    }
    found.push_back(std::move(*bytes));
  }
  return found;
}

std::vector<std::uint32_t> Fields::small_numbers(const char* key) const {
  std::vector<std::uint32_t> found;
  for (const Json& item : list(key)) {
    if (!item.is_number() ||
        item.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
      throw wrong(concat(key, " is not a list of numbers"));
    }
    found.push_back(item.get<std::uint32_t>());
  }
  return found;
}

Fields Fields::part(std::string where, const Json& value) const {
  return {std::move(where), std::shared_ptr<const Json>(value_, &value)};
}

Fields Fields::child(const char* key) const {
  const Json& value = get(key);
  if (!value.is_object()) throw wrong(concat(key, " is not an object"));
  return part(concat(where_, ", ", key), value);
}

std::vector<Fields> Fields::children(const char* key) const {
  std::vector<Fields> found;
  for (const Json& item : list(key)) {
    if (!item.is_object()) throw wrong(concat(key, " is not a list of objects"));
    found.push_back(part(concat(where_, ", ", key, " ", found.size()), item));
  }
  return found;
}

std::vector<Fields> Fields::children_if_any(const char* key) const {
  return has(key) ? children(key) : std::vector<Fields>();
}

std::map<std::string, std::string> Fields::texts() const {
  std::map<std::string, std::string> found;
  for (const auto& entry : value_->items()) found[entry.key()] = text(entry.key().c_str());
  return found;
}

}  // namespace euchre_bot
