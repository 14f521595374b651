// The referee's receipts.
#include "receipts.hpp"

#include "crypto.hpp"
#include "support.hpp"
#include "test_keys.hpp"

namespace euchre_bot::testing {
namespace {

const Bytes kMatch(16, '\x01');
const Bytes kHead(32, '\x02');
const Bytes kOtherHead(32, '\x03');

class ReceiptsTest : public ::testing::Test {
 protected:
  void take(const std::vector<ReceiptItem>& items) {
    receipts_.take(items, key_.sign(receipt_bytes(items)));
  }

  Folder folder_;
  Ed25519Key key_ = test_key();
  Receipts receipts_{kMatch, key_.public_key(), ReceiptFile(folder_ / "r.jsonl")};
};

TEST_F(ReceiptsTest, AreKeptAsTheVerifierReadsThem) {
  take({{kMatch, 1, 7, kHead}});
  const std::string line = text_of(folder_ / "r.jsonl");
  EXPECT_TRUE(line.starts_with(R"({"items":[{"deal":1,"head":")" + hex(kHead) + R"(","match":")" +
                               hex(kMatch) + R"(","seq":7}],"sig":")"));
  EXPECT_TRUE(line.ends_with("\"}\n"));
}

TEST_F(ReceiptsTest, OfAnotherSignerAreRefused) {
  const std::vector<ReceiptItem> items{{kMatch, 1, 7, kHead}};
  EXPECT_TRUE(contains(said_by<DealProofError>([&] { receipts_.take(items, Bytes(64, '\0')); }),
                       "not the referee's"));
  EXPECT_EQ(text_of(folder_ / "r.jsonl"), "");
}

TEST_F(ReceiptsTest, HaveToCoverWhatWasAcceptedInTheMessage) {
  receipts_.accepted(1, 7);
  EXPECT_TRUE(contains(said_by<DealProofError>([&] { receipts_.end_of_message(); }),
                       "what stands in event 7 without a receipt"));
  take({{kMatch, 1, 8, kHead}});
  EXPECT_THROW(receipts_.end_of_message(), DealProofError);
  take({{kMatch, 1, 7, kHead}});
  EXPECT_NO_THROW(receipts_.end_of_message());
  receipts_.accepted(2, std::nullopt);
  EXPECT_THROW(receipts_.end_of_message(), DealProofError);
  take({{kMatch, 2, 12, kHead}});
  EXPECT_NO_THROW(receipts_.end_of_message());
}

TEST_F(ReceiptsTest, BindTheRecordBeforeAndAfterTheyCome) {
  receipts_.saw(7, kHead);
  EXPECT_THROW(take({{kMatch, 1, 7, kOtherHead}}), DealProofError);
  take({{kMatch, 1, 8, kHead}});
  EXPECT_THROW(receipts_.saw(8, kOtherHead), DealProofError);
  take({{Bytes(16, '\x09'), 1, 7, kOtherHead}});
  receipts_.forget_before(8);
  EXPECT_NO_THROW(take({{kMatch, 1, 7, kOtherHead}}));
}

TEST_F(ReceiptsTest, MendALineThatACrashHasTorn) {
  take({{kMatch, 1, 7, kHead}});
  const std::string whole = text_of(folder_ / "r.jsonl");
  write(folder_ / "r.jsonl", whole + R"({"items":[)");
  const ReceiptFile again(folder_ / "r.jsonl");
  EXPECT_EQ(text_of(folder_ / "r.jsonl"), whole);
}

TEST_F(ReceiptsTest, KeepCardsThatWereSignedAndNotSealed) {
  PrivateDeal dealt{kMatch, 1, Seat::east, kHead, {{0, "JH", kHead}}, Bytes(64, '\x05')};
  EXPECT_TRUE(receipts_.keep_deal(dealt));
  EXPECT_TRUE(contains(text_of(folder_ / "r.jsonl"), R"("seat":"east")"));
  dealt.cards.front().card = "\"";
  EXPECT_FALSE(receipts_.keep_deal(dealt));
}

}  // namespace
}  // namespace euchre_bot::testing
