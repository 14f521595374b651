// The secret, and the promises of the state file.
#include "files.hpp"

#include <set>

#include "support.hpp"

namespace euchre_bot::testing {
namespace {

const Bytes kMatch(16, '\x01');
const Bytes kTip(32, '\x02');
const Bytes kSet(32, '\x03');
const Bytes kOtherSet(32, '\x04');

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0);
  return found.st_mode & 0777U;
}

TEST(Secret, IsMadeOnceAndForItsOwnerAlone) {
  const Folder folder;
  const auto path = folder / "deep/er/bot.secret";
  const Bytes secret = load_secret(path);
  EXPECT_EQ(secret.size(), 32U);
  EXPECT_EQ(load_secret(path), secret);
  EXPECT_EQ(text_of(path), hex(secret) + "\n");
  EXPECT_EQ(mode_of(path), 0600U);
  EXPECT_EQ(mode_of(path.parent_path()), 0700U);
}

TEST(Secret, ThatOthersMayReadOrThatIsTornIsRefused) {
  const Folder folder;
  write(folder / "open", std::string(64, 'a'), 0644);
  EXPECT_TRUE(contains(said_by<UsageError>([&] { load_secret(folder / "open"); }), "chmod 600"));
  write(folder / "torn", std::string(62, 'a'));
  EXPECT_TRUE(
      contains(said_by<UsageError>([&] { load_secret(folder / "torn"); }), "64 hex digits"));
}

TEST(State, IsTheFileThatEveryLanguageWrites) {
  const Folder folder;
  const auto path = folder / "state.jsonl";
  StateFile state(path, "north");
  state.promise(kMatch, kTip, 1, 7);
  state.promise(kMatch, kTip, 2, {});
  state.answer(kMatch, 1, kSet);
  const std::string match = hex(kMatch);
  EXPECT_EQ(text_of(path), R"({"cut":7,"deal":1,"match":")" + match + R"(","r0":")" + hex(kTip) +
                               R"(","seat":"north"})" + "\n" + R"({"deal":2,"match":")" + match +
                               R"(","r0":")" + hex(kTip) + R"(","seat":"north"})" + "\n" +
                               R"({"cset":")" + hex(kSet) + R"(","deal":1,"match":")" + match +
                               R"("})" + "\n");
  EXPECT_EQ(mode_of(path), 0600U);
}

TEST(State, KeepsTheCutAndTheCommitSetAcrossARestart) {
  const Folder folder;
  const auto path = folder / "state.jsonl";
  {
    StateFile state(path, "north");
    EXPECT_EQ(state.promise(kMatch, kTip, 1, 7), Cut(7));
    state.answer(kMatch, 1, kSet);
  }
  StateFile state(path, "north");
  EXPECT_EQ(state.promise(kMatch, kTip, 1, 8), Cut(7));
  EXPECT_EQ(state.promised_cut(kMatch, 1), Cut(7));
  state.answer(kMatch, 1, kSet);
  EXPECT_TRUE(contains(said_by<DealProofError>([&] { state.answer(kMatch, 1, kOtherSet); }),
                       "second commit set"));
  EXPECT_TRUE(contains(said_by<DealProofError>([&] { state.check_answer(kMatch, 1, kOtherSet); }),
                       "which we answered"));
}

TEST(State, RefusesAMatchUnderAnotherChainOrInAnotherSeat) {
  const Folder folder;
  const auto path = folder / "state.jsonl";
  StateFile(path, "north").promise(kMatch, kTip, 1, {});
  StateFile again(path, "north");
  EXPECT_TRUE(
      contains(said_by<DealProofError>([&] { again.check_match(kMatch, kSet); }), "another r0"));
  StateFile east(path, "east");
  EXPECT_TRUE(contains(said_by<UsageError>([&] { east.check_match(kMatch, kTip); }),
                       "that of north in this match"));
}

TEST(State, SeesWhatAnotherProcessHasPromised) {
  const Folder folder;
  const auto path = folder / "state.jsonl";
  StateFile one(path, "north");
  StateFile other(path, "north");
  one.promise(kMatch, kTip, 1, 7);
  EXPECT_EQ(other.promise(kMatch, kTip, 1, 9), Cut(7));
  other.answer(kMatch, 1, kSet);
  EXPECT_TRUE(contains(said_by<DealProofError>([&] { one.answer(kMatch, 1, kOtherSet); }),
                       "second commit set"));
}

TEST(State, LeavesALineThatACrashHasTornWhereItIs) {
  const Folder folder;
  const auto path = folder / "state.jsonl";
  StateFile(path, "north").answer(kMatch, 1, kSet);
  const std::string whole = text_of(path);
  const std::string torn = whole + R"({"cset":"04)";
  write(path, torn);
  StateFile(path, "north").answer(kMatch, 2, kSet);
  EXPECT_TRUE(text_of(path).starts_with(torn + "\n{"));
  StateFile state(path, "north");
  EXPECT_NO_THROW(state.check_answer(kMatch, 1, kSet));
  EXPECT_THROW(state.check_answer(kMatch, 2, kOtherSet), DealProofError);
}

TEST(State, NamesALineThatIsNotOurs) {
  const Folder folder;
  for (const char* line : {"rubbish\n", "[1]\n", "{\"deal\":1}\n", "7\n"}) {
    write(folder / "state", line);
    const std::string said = said_by<UsageError>([&] { StateFile(folder / "state", "north"); });
    EXPECT_TRUE(contains(said, "holds a line that is not ours")) << line;
  }
}

TEST(State, ThatOthersMayReadIsRefused) {
  const Folder folder;
  write(folder / "state", "", 0640);
  EXPECT_TRUE(
      contains(said_by<UsageError>([&] { StateFile(folder / "state", "north"); }), "chmod 600"));
}

}  // namespace
}  // namespace euchre_bot::testing
