// The flags, and what they come to.
#include "options.hpp"

#include "support.hpp"
#include "test_keys.hpp"

namespace euchre_bot::testing {
namespace {

class OptionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("EUCHRE_TOKEN");
    ::setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    write(folder_ / "token", "abc123\n");
    write(folder_ / "key.pem", new_key_pem());
  }

  Flags parse(std::vector<std::string> words) {
    words.insert(words.begin(), "bot");
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    Help help;
    About about;
    about.flags = {{.name = "--seed", .help = "a seed", .value = &seed_}};
    auto flags = parse_flags(about, static_cast<int>(argv.size()), argv.data(), help);
    help_ = help.text;
    return flags.value_or(Flags());
  }

  Options read(const std::vector<std::string>& words) {
    std::vector<std::string> all{"--token-file", (folder_ / "token").string()};
    all.insert(all.end(), words.begin(), words.end());
    return Options::read(parse(all));
  }

  std::string refusal(const std::vector<std::string>& words) {
    return said_by<UsageError>([&] { read(words); });
  }

  Folder folder_;
  std::string seed_ = "0";
  std::string help_;
};

TEST_F(OptionsTest, HaveTheDefaultsOfEveryLanguage) {
  const Options options = read({});
  EXPECT_EQ(options.place.referee, "127.0.0.1:8377");
  EXPECT_EQ(options.token, "abc123");
  EXPECT_EQ(options.name, "my-bot");
  EXPECT_EQ(options.level, "checks");
  EXPECT_FALSE(options.pinned);
}

TEST_F(OptionsTest, NameTheFilesOfASeat) {
  const Options options = read({"--name", "a.b"});
  const auto home = folder_ / "state/euchre-bot";
  EXPECT_EQ(options.secret_of(Seat::west), home / "a_b-west.secret");
  EXPECT_EQ(options.state_of(Seat::west), home / "a_b-west.state.jsonl");
  EXPECT_EQ(options.receipts_of(Seat::west, "00ff"), home / "receipts/00ff-west.jsonl");
  const Options named = read({"--state-file", "/s/my.state", "--secret-file", "/s/my.secret"});
  EXPECT_EQ(named.secret_of(Seat::east), "/s/my.secret");
  EXPECT_EQ(named.receipts_of(Seat::east, "00ff"), "/s/receipts/00ff-east.jsonl");
  EXPECT_EQ(read({"--receipts", "/r"}).receipts_of(Seat::east, "00ff"), "/r/00ff-east.jsonl");
}

TEST_F(OptionsTest, TakeTheTokenFromTheEnvironmentWhereNoFileIsNamed) {
  ::setenv("EUCHRE_TOKEN", " t0ken ", 1);
  EXPECT_EQ(Options::read(parse({})).token, "t0ken");
  ::unsetenv("EUCHRE_TOKEN");
  EXPECT_TRUE(contains(said_by<UsageError>([&] { Options::read(parse({})); }), "holds no token"));
  write(folder_ / "token", "two words");
  EXPECT_TRUE(contains(refusal({}), "holds no token"));
}

TEST_F(OptionsTest, SendATokenToAnotherMachineOverTlsOnly) {
  EXPECT_TRUE(contains(refusal({"--referee", "play.example:8377"}), "only over TLS"));
  EXPECT_EQ(read({"--referee", "play.example:8377", "--insecure"}).place.tls.has_value(), false);
  for (const char* local : {"unix:/run/x", "localhost:1", "127.1.2.3:80", "[::1]:443"}) {
    EXPECT_EQ(read({"--referee", local}).place.referee, local);
  }
  EXPECT_TRUE(contains(refusal({"--referee", "127.0.0.1.example:1"}), "only over TLS"));
  EXPECT_TRUE(contains(refusal({"--referee", "nowhere"}), "not an address: 'nowhere'"));
}

TEST_F(OptionsTest, AskForWholeCertificates) {
  const std::string rubbish = (folder_ / "token").string();
  EXPECT_TRUE(contains(refusal({"--ca", "/nowhere/ca.pem"}), "cannot read the authority"));
  EXPECT_TRUE(contains(refusal({"--ca", rubbish}), "holds no certificate"));
  EXPECT_TRUE(contains(refusal({"--cert", rubbish}), "give all three"));
  EXPECT_TRUE(contains(refusal({"--cert", rubbish, "--cert-key", rubbish}), "give all three"));
}

TEST_F(OptionsTest, SignWithTheKeyOfTheSeatAndNotOtherwise) {
  const std::string key = (folder_ / "key.pem").string();
  EXPECT_EQ(read({"--seat-key", key}).level, "signs");
  EXPECT_EQ(read({"--seat-key", key}).seat_key->public_key().size(), 32U);
  EXPECT_TRUE(contains(refusal({"--level", "signs"}), "do not go together"));
  EXPECT_TRUE(contains(refusal({"--level", "seeds", "--seat-key", key}), "do not go together"));
  EXPECT_TRUE(contains(refusal({"--level", "most"}), "not a level: 'most'"));
  ::chmod(key.c_str(), 0644);
  EXPECT_TRUE(contains(refusal({"--seat-key", key}), "chmod 600"));
  EXPECT_TRUE(contains(refusal({"--seat-key", (folder_ / "token").string()}), "no Ed25519 key"));
}

TEST_F(OptionsTest, PinAKeyInItsOneForm) {
  const std::string key = "referee+63813cf6+wFDFY3pE+oYp//PMzOIwDLNipj2Z2V/FQUUmb0MyRFo=";
  EXPECT_EQ(read({"--key", key}).pinned->text(), key);
  EXPECT_EQ(read({"--referee-key", key}).pinned->text(), key);
  EXPECT_TRUE(contains(refusal({"--key", "rubbish"}), "write name+id+base64"));
  std::string other = key;
  other[8] = '0';
  EXPECT_TRUE(contains(refusal({"--key", other}), "of another key"));
}

TEST_F(OptionsTest, RefuseNamesThatNoTableTakes) {
  for (const char* name : {"", "a b", "a+b", "a\"b", "a\\b", "\xc3\xa9"}) {
    EXPECT_TRUE(contains(refusal({"--name", name}), "not a name for a bot")) << name;
  }
  EXPECT_TRUE(contains(refusal({"--name", std::string(33, 'x')}), "1 to 32"));
}

TEST_F(OptionsTest, RefuseFlagsThatNobodyKnows) {
  EXPECT_TRUE(contains(refusal({"--tokn-file", "x"}), "--tokn-file"));
  EXPECT_TRUE(contains(refusal({"--referee"}), "--referee"));
}

TEST_F(OptionsTest, TakeTheBotsOwnFlagsAndTheLastOfEach) {
  read({"--seed", "7", "--seed=8", "--name", "a", "--name", "b"});
  EXPECT_EQ(seed_, "8");
}

TEST_F(OptionsTest, ListEveryFlagUnderHelp) {
  parse({"--help"});
  for (const char* flag :
       {"--referee", "--token-file", "--invitation", "--name", "--level", "--seat-key",
        "--secret-file", "--state-file", "--receipts", "--key", "--referee-key", "--ca", "--cert",
        "--cert-key", "--insecure", "--seed"}) {
    EXPECT_TRUE(contains(help_, flag)) << flag;
  }
}

}  // namespace
}  // namespace euchre_bot::testing
