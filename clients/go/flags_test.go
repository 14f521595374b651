package euchrebot

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"euchrebot/internal/fault"
)

func parsed(args ...string) (*options, error) {
	set := flag.NewFlagSet("my-bot", flag.ContinueOnError)
	return defineFlags(set, "my-bot").parse(set, args)
}

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsWrongWithTheCommandLineIsSaidInOneLine(t *testing.T) {
	t.Setenv("EUCHRE_TOKEN", "token")
	absent, empty := filepath.Join(t.TempDir(), "absent"), written(t, "")
	const small = "a+5feceb66+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	tests := []struct{ args, says string }{
		{"--colour red", "not defined: -colour"},
		{"--insecure=perhaps", "invalid boolean"},
		{"north.token", `not a flag: "north.token"`},
		{"--referee euchre.example:8377", "only over TLS"},
		{"--referee 127.0.0.1.example:8377", "only over TLS"},
		{"--name two+words", "not a name for a bot"},
		{"--name " + strings.Repeat("x", 33), "not a name for a bot"},
		{"--level guesses", `not a level: "guesses"`},
		{"--level signs", "do not go together"},
		{"--level checks --seat-key " + empty, "do not go together"},
		{"--seat-key " + absent, "cannot read the key"},
		{"--seat-key " + empty, "holds no Ed25519 key"},
		{"--key nonsense", "write name+id+base64"},
		{"--referee-key " + small, "no sound Ed25519 key"},
		{"--token-file " + absent, "cannot read the token"},
		{"--token-file " + empty, "holds no token"},
		{"--ca " + absent, "cannot read the authority"},
		{"--ca " + empty, "no certificate in PEM form"},
		{"--cert " + empty, "go together"},
		{"--cert " + empty + " --cert-key " + empty, "go together"},
		{"--invitation CODE", "needs --token-file"},
	}
	for _, test := range tests {
		_, err := parsed(strings.Fields(test.args)...)
		var known *fault.Error
		if !errors.As(err, &known) || known.Status != fault.Usage || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, not %s", test.args, err, test.says)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than a line: %v", test.args, err)
		}
	}
}

func TestWithoutATokenNothingIsPlayed(t *testing.T) {
	t.Setenv("EUCHRE_TOKEN", "")
	if _, err := parsed(); err == nil || !strings.Contains(err.Error(), "EUCHRE_TOKEN holds no token") {
		t.Error(err)
	}
}

func TestATokenFileGoesBeforeTheEnvironment(t *testing.T) {
	t.Setenv("EUCHRE_TOKEN", "theirs")
	options, err := parsed("--token-file", written(t, " ours\n"))
	if err != nil || options.token != "ours" {
		t.Errorf("%+v, %v", options, err)
	}
}

func TestAnotherMachineIsDialedInTheClearOnlyWhereThatIsSaid(t *testing.T) {
	t.Setenv("EUCHRE_TOKEN", "token")
	for _, args := range []string{
		"--referee localhost:1", "--referee [::1]:1", "--referee unix:/run/euchre",
		"--referee euchre.example:8377 --insecure",
	} {
		if _, err := parsed(strings.Fields(args)...); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestEverySeatHasFilesOfItsOwn(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	o := &options{name: "my/bot.2"}
	secret, state, receipts := o.files("00ff", "east")
	if secret != "/state/euchre-bot/my_bot_2-east.secret" ||
		state != "/state/euchre-bot/my_bot_2-east.state.jsonl" ||
		receipts != "/state/euchre-bot/receipts/00ff-east.jsonl" {
		t.Error(secret, state, receipts)
	}
	o = &options{name: "b", secretFile: "s", stateFile: "/elsewhere/t", receipts: ""}
	secret, state, receipts = o.files("00ff", "east")
	if secret != "s" || state != "/elsewhere/t" || receipts != "/elsewhere/receipts/00ff-east.jsonl" {
		t.Error(secret, state, receipts)
	}
}

func TestTheHelpNamesEveryFlagAndStatus(t *testing.T) {
	set := flag.NewFlagSet("my-bot", flag.ContinueOnError)
	defineFlags(set, "my-bot")
	text := usage(set, "my-bot")
	for _, word := range strings.Fields("--referee --token-file --invitation --name --level --seat-key" +
		" --secret-file --state-file --receipts --key --referee-key --ca --cert --cert-key --insecure exit") {
		if !strings.Contains(text, word+" ") {
			t.Errorf("%s is not in %s", word, text)
		}
	}
}
