#include "receipts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "euchre_bot/errors.hpp"
#include "keys.hpp"

namespace euchre_bot {

namespace {

constexpr mode_t kPrivate = 0600;

UsageError failure(std::string_view verb, const std::filesystem::path& path, int error) {
  return UsageError(
      concat("cannot ", verb, " the receipts ", repr(path.string()), ": ", std::strerror(error)));
}

}  // namespace

Bytes PrivateDeal::signed_bytes() const {
  return private_deal_bytes(match, deal, index_of(seat), root, cards);
}

ReceiptFile::ReceiptFile(std::filesystem::path path) : path_(std::move(path)), file_(-1) {
  make_parent(path_);
  check_regular(path_, "the receipts");
  file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivate));
  if (file_.get() < 0) throw failure("open", path_, errno);
  const auto held = file_.read_on();
  if (!held) throw failure("read", path_, errno);
  const auto whole = static_cast<off_t>(held->rfind('\n') + 1);
  // A line that a crash has torn proves nothing.
  if (::ftruncate(file_.get(), whole) != 0 || ::lseek(file_.get(), whole, SEEK_SET) < 0) {
    throw failure("mend", path_, errno);
  }
}

void ReceiptFile::keep(const std::vector<ReceiptItem>& items, const Bytes& sig) {
  Json rows = Json::array();
  for (const ReceiptItem& item : items) {
    rows.push_back({{"match", hex(item.match)},
                    {"deal", item.deal},
                    {"seq", item.seq},
                    {"head", hex(item.head)}});
  }
  write({{"items", std::move(rows)}, {"sig", hex(sig)}});
}

bool ReceiptFile::keep_deal(const PrivateDeal& dealt) {
  Json cards = Json::array();
  bool readable = dealt.root.size() == kHashBytes;
  for (const Opened& card : dealt.cards) {
    readable = readable && card.salt.size() == kHashBytes;
    cards.push_back({{"card", card.card}, {"position", card.position}, {"salt", hex(card.salt)}});
  }
  const Json row = {{"cards", std::move(cards)},   {"deal", dealt.deal},
                    {"match", hex(dealt.match)},   {"root", hex(dealt.root)},
                    {"seat", name_of(dealt.seat)}, {"sig", hex(dealt.sig)}};
  if (!readable || !is_canonical(row)) return false;
  write(row);
  return true;
}

void ReceiptFile::write(const Json& row) {
  if (!file_.write_all(canonical(row) + "\n")) throw failure("write", path_, errno);
}

Receipts::Receipts(Bytes match, Bytes key, ReceiptFile file)
    : match_(std::move(match)), key_(std::move(key)), file_(std::move(file)) {}

void Receipts::accepted(std::uint32_t deal, std::optional<std::uint64_t> seq) {
  due_.push_back({deal, seq});
}

void Receipts::take(const std::vector<ReceiptItem>& items, const Bytes& sig) {
  const bool sound = std::ranges::all_of(items, [](const ReceiptItem& item) {
    return item.seq <= std::numeric_limits<std::uint32_t>::max();
  });
  if (!sound || !verifies(key_, sig, receipt_bytes(items))) {
    throw DealProofError("a receipt has a signature that is not the referee's");
  }
  file_.keep(items, sig);
  for (const ReceiptItem& item : items) {
    if (item.match != match_) continue;
    const auto covered = std::ranges::find_if(due_, [&item](const Due& due) {
      return due.deal == item.deal && (!due.seq || *due.seq == item.seq);
    });
    if (covered != due_.end()) due_.erase(covered);
    compare(item.seq, heads_, item.head);
    compare(item.seq, promised_, item.head);
    if (!heads_.contains(item.seq)) promised_[item.seq] = item.head;
  }
}

void Receipts::end_of_message() const {
  if (due_.empty()) return;
  const Due& due = due_.front();
  throw DealProofError(
      concat("deal ", due.deal, ": the referee accepted ",
             due.seq ? concat("what stands in event ", *due.seq) : "our commitment",
             " without a receipt"));
}

void Receipts::saw(std::uint64_t seq, const Bytes& head) {
  compare(seq, promised_, head);
  promised_.erase(seq);
  heads_[seq] = head;
}

void Receipts::forget_before(std::uint64_t seq) {
  heads_.erase(heads_.begin(), heads_.lower_bound(seq));
}

void Receipts::compare(std::uint64_t seq, const std::map<std::uint64_t, Bytes>& heads,
                       const Bytes& head) const {
  const auto known = heads.find(seq);
  if (known != heads.end() && known->second != head) {
    throw DealProofError(concat("event ", seq,
                                " is not the one that the referee gave us a receipt for"
                                " (the receipt is kept: it is the proof)"));
  }
}

}  // namespace euchre_bot
