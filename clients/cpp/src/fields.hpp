// The events of a match as bytes: restricted canonical JSON, read strictly.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "euchre_bot/errors.hpp"
#include "euchre_bot/view.hpp"

namespace euchre_bot {

using Json = nlohmann::json;

/// Whether a value has a canonical spelling at all.
bool is_canonical(const Json& value);

/// The one spelling of a value.
Bytes canonical(const Json& value);

/// The fields of an event, read with their types; a wrong one is a DealProofError.
class Fields {
 public:
  /// The fields of an event that is spelt in the one allowed way.
  static Fields parse(std::string where, const Bytes& event);

  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] Fields named(std::string where) const { return {std::move(where), value_}; }

  [[nodiscard]] bool has(const char* key) const;
  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] bool truth(const char* key) const;
  [[nodiscard]] std::uint64_t number(const char* key) const;

  /// A number that has to fit four bytes: a deal, a position.
  [[nodiscard]] std::uint32_t small(const char* key) const;
  [[nodiscard]] Seat seat(const char* key) const;

  /// Bytes of a size, from lower-case hex.
  [[nodiscard]] Bytes octets(const char* key, std::size_t size) const;

  /// As `octets`, but empty where the key is absent.
  [[nodiscard]] Bytes octets_if_any(const char* key, std::size_t size) const;

  /// A list of so many bytes, each of one of the sizes.
  [[nodiscard]] std::vector<Bytes> octets_list(const char* key, std::size_t count,
                                               std::initializer_list<std::size_t> sizes) const;
  [[nodiscard]] std::vector<std::uint32_t> small_numbers(const char* key) const;
  [[nodiscard]] Fields child(const char* key) const;
  [[nodiscard]] std::vector<Fields> children(const char* key) const;

  /// As `children`, but none where the key is absent.
  [[nodiscard]] std::vector<Fields> children_if_any(const char* key) const;

  /// The whole object, where every value is a string.
  [[nodiscard]] std::map<std::string, std::string> texts() const;

  [[nodiscard]] DealProofError wrong(std::string_view what) const;

 private:
  Fields(std::string where, std::shared_ptr<const Json> value)
      : where_(std::move(where)), value_(std::move(value)) {}

  [[nodiscard]] const Json& get(const char* key) const;
  [[nodiscard]] const Json& list(const char* key) const;
  [[nodiscard]] Fields part(std::string where, const Json& value) const;

  std::string where_;
  std::shared_ptr<const Json> value_;  // shares the ownership of the whole event
};

}  // namespace euchre_bot
