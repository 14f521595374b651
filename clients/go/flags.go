package euchrebot

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"euchrebot/internal/fault"
	"euchrebot/internal/keep"
	"euchrebot/internal/keys"
)

var (
	isLocal    = regexp.MustCompile(`^(?:unix:.*|(?:localhost|127(?:\.\d+){3}|\[::1\]):\d+)$`)
	isToken    = regexp.MustCompile(`^[!-~]+$`)
	notInFiles = regexp.MustCompile(`[^A-Za-z0-9_-]`)
)

// flags are the words of the command line, as they stand there.
type flags struct {
	referee, tokenFile, invitation, name, level, seatKey string
	secretFile, stateFile, receipts, key                 string
	ca, cert, certKey                                    string
	insecure                                             bool
}

func defineFlags(set *flag.FlagSet, name string) *flags {
	f, folder := &flags{}, keep.Folder()
	text := func(into *string, flag, usage string) { set.StringVar(into, flag, *into, usage) }
	f.referee, f.name = "127.0.0.1:8377", name
	text(&f.referee, "referee", "where the referee is: `HOST:PORT` or unix:PATH")
	text(&f.tokenFile, "token-file", "`file` with the seat's token (or set EUCHRE_TOKEN)")
	text(&f.invitation, "invitation", "take the seat of `CODE`; its token goes to the token file")
	text(&f.name, "name", "the bot's `name` at the table")
	text(&f.level, "level", "`what` we do for the seal: plays, seeds, checks or signs (default checks)")
	text(&f.seatKey, "seat-key", "`file` with the seat's private key (PEM): sign every reveal and move")
	text(&f.secretFile, "secret-file", "`file` of the 32 bytes of our seeds (default: a seat's in "+folder+")")
	text(&f.stateFile, "state-file", "`file` of what we committed to (default: as for the secret)")
	text(&f.receipts, "receipts", "`folder` for the referee's receipts (default: by the state)")
	text(&f.key, "key", "the referee's public `key` to insist on: name+id+base64")
	text(&f.key, "referee-key", "the same as --key `key`")
	text(&f.ca, "ca", "PEM `file` of the authority behind the referee's TLS certificate")
	text(&f.cert, "cert", "`file` of our own certificate (PEM), where the referee asks for one")
	text(&f.certKey, "cert-key", "`file` of its private key (PEM)")
	set.BoolVar(&f.insecure, "insecure", false, "send the token in the clear to another machine")
	return f
}

func usage(set *flag.FlagSet, name string) string {
	text := &strings.Builder{}
	fmt.Fprintf(text, "usage: %s [flags]\n\n%s plays one Euchre match under a referee.\n\n", name, name)
	set.VisitAll(func(one *flag.Flag) {
		value, words := flag.UnquoteUsage(one)
		if one.DefValue != "" && one.DefValue != "false" {
			words += " (default " + one.DefValue + ")"
		}
		fmt.Fprintf(text, "  %-24s %s\n", strings.TrimSpace("--"+one.Name+" "+value), words)
	})
	text.WriteString("\nexit status: 0 the match was closed; 1 the referee was lost, or the bot failed;\n" +
		"2 a flag or file is wrong, or the key is not the pinned one; 3 the seal does not hold;\n" +
		"4 another process took the seat\n")
	return text.String()
}

func wrongUsage(format string, args ...any) error {
	return fault.New(fault.Usage, format, args...)
}

// options are where to play, as whom, and with which files.
type options struct {
	referee, token, name, level     string
	secretFile, stateFile, receipts string
	seatKey                         *keys.Seat
	key                             *keys.Named
	tls                             *tls.Config // nil for plaintext
}

// noneEmpty refuses a flag with nothing in it, as --key "$KEY" is where there is no KEY: it is not
// the same as no flag.
func noneEmpty(set *flag.FlagSet) (err error) {
	set.Visit(func(given *flag.Flag) {
		if given.Value.String() == "" && given.Name != "seed" {
			err = wrongUsage("--%s is empty (give it a value, or leave it out)", given.Name)
		}
	})
	return err
}

// isAddress tells whether an address has the form of one.
func isAddress(address string) bool {
	if path, isPath := strings.CutPrefix(address, "unix:"); isPath {
		return path != ""
	}
	colon := strings.LastIndexByte(address, ':')
	number, err := strconv.ParseUint(address[colon+1:], 10, 16)
	return err == nil && colon > 0 && number > 0
}

// parse reads the command line and the files that it names; an invitation is taken up on the way.
func (f *flags) parse(set *flag.FlagSet, args []string) (*options, error) {
	set.SetOutput(io.Discard)
	if err := set.Parse(args); err == flag.ErrHelp {
		return nil, err
	} else if err != nil {
		return nil, wrongUsage("%w (--help lists the flags)", err)
	}
	if set.NArg() > 0 {
		return nil, wrongUsage("not a flag: %q (--help lists the flags)", set.Arg(0))
	}
	if err := noneEmpty(set); err != nil {
		return nil, err
	}
	if !isAddress(f.referee) {
		return nil, wrongUsage("not an address: %q (write HOST:PORT or unix:PATH)", f.referee)
	}
	if f.ca == "" && !f.insecure && !isLocal.MatchString(f.referee) {
		return nil, wrongUsage("%q is not this machine: a token goes there only over TLS"+
			" (give --ca FILE, or --insecure to send it in the clear)", f.referee)
	}
	o := &options{
		referee: f.referee, name: f.name, level: f.level,
		secretFile: f.secretFile, stateFile: f.stateFile, receipts: f.receipts,
	}
	if err := o.readFiles(f); err != nil {
		return nil, err
	}
	if err := f.takeSeat(o.tls); err != nil {
		return nil, err
	}
	var err error
	o.token, err = readToken(f.tokenFile)
	return o, err
}

func (o *options) readFiles(f *flags) (err error) {
	if !keys.IsName(o.name) {
		return wrongUsage("not a name for a bot: %q"+
			` (1 to 32 printable ASCII characters without space, ", \ and +)`, o.name)
	}
	if o.level == "" {
		o.level = "checks"
		if f.seatKey != "" {
			o.level = "signs"
		}
	}
	if _, known := levels[o.level]; !known {
		return wrongUsage("not a level: %q (plays, seeds, checks or signs)", o.level)
	}
	if (o.level == "signs") != (f.seatKey != "") {
		return wrongUsage("level %s and --seat-key do not go together:"+
			" give the key to sign with --level signs, or neither", o.level)
	}
	if f.seatKey != "" {
		if o.seatKey, err = keys.Load(f.seatKey); err != nil {
			return err
		}
	}
	if f.key != "" {
		key, err := keys.Parse(f.key)
		if err != nil {
			return err
		}
		o.key = &key
	}
	o.tls, err = f.tlsConfig()
	return err
}

// tlsConfig is the authority that we trust and, where the referee asks who dials in, our certificate.
func (f *flags) tlsConfig() (*tls.Config, error) {
	if (f.cert == "") != (f.certKey == "") || f.cert != "" && f.ca == "" {
		return nil, wrongUsage("--cert, --cert-key and --ca go together: give all three, or --ca alone")
	}
	if f.ca == "" {
		return nil, nil
	}
	authority, err := keep.Read(f.ca, "the authority", keep.Longest)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	if !config.RootCAs.AppendCertsFromPEM(authority) {
		return nil, wrongUsage("%q holds no certificate in PEM form", f.ca)
	}
	if f.cert == "" {
		return config, nil
	}
	cert, err := keep.Read(f.cert, "the certificate", keep.Longest)
	if err != nil {
		return nil, err
	}
	key, err := keep.Read(f.certKey, "the certificate's key", keep.Longest)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, wrongUsage("%q and %q are not a certificate and its key in PEM form", f.cert, f.certKey)
	}
	config.Certificates = []tls.Certificate{pair}
	return config, nil
}

func readToken(path string) (string, error) {
	token, where := os.Getenv("EUCHRE_TOKEN"), "EUCHRE_TOKEN"
	if path != "" {
		text, err := keep.Read(path, "the token", keep.LongestLine)
		if err != nil {
			return "", err
		}
		token, where = string(text), fmt.Sprintf("the token file %q", path)
	}
	token = strings.TrimSpace(token)
	if !isToken.MatchString(token) {
		return "", wrongUsage("%s holds no token: give --token-file FILE with the token alone", where)
	}
	return token, nil
}

// files are the secret, the state and the receipts of a seat; no two seats share them unless they
// are named.
func (o *options) files(match, seat string) (secret, state, receipts string) {
	stem := filepath.Join(keep.Folder(), notInFiles.ReplaceAllString(o.name, "_")+"-"+seat)
	secret, state, folder := stem+".secret", stem+".state.jsonl", o.receipts
	if o.secretFile != "" {
		secret = o.secretFile
	}
	if o.stateFile != "" {
		state = o.stateFile
	}
	if folder == "" {
		folder = filepath.Join(filepath.Dir(state), "receipts")
	}
	return secret, state, filepath.Join(folder, match+"-"+seat+".jsonl")
}
