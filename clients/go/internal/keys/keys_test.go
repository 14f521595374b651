package keys

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"euchrebot/internal/seal"
	"euchrebot/internal/vectors"
)

type signed struct {
	Key string
	Sig vectors.Hex
}

func (s signed) over(message []byte) bool {
	key, err := Parse(s.Key)
	return err == nil && Verifies(key.Public, s.Sig, message)
}

func TestAKeyIsReadInItsOneSoundForm(t *testing.T) {
	vectors.Claims(t, "key", func(_ *testing.T, c struct{ Key string }) bool {
		key, err := Parse(c.Key)
		return err == nil && key.String() == c.Key
	})
}

func TestASignatureIsOneSignersOverOneMessage(t *testing.T) {
	type claim struct {
		signed
		Message vectors.Hex
	}
	vectors.Claims(t, "signature", func(_ *testing.T, c claim) bool { return c.over(c.Message) })
}

func TestASeatSignsItsRevealForOneCommitSet(t *testing.T) {
	type claim struct {
		signed
		Match, Cset, Commit, Head vectors.Hex
		Deal, Seat                int
	}
	vectors.Claims(t, "reveal", func(_ *testing.T, c claim) bool {
		return c.over(seal.RevealMessage(c.Match, c.Deal, c.Seat, c.Cset, c.Commit, c.Head))
	})
}

func TestASeatSignsItsMoveForOnePlaceInTheRecord(t *testing.T) {
	type claim struct {
		signed
		Match, Prev vectors.Hex
		Deal, Seq   int
		Move        string
	}
	vectors.Claims(t, "move", func(_ *testing.T, c claim) bool {
		return c.over(seal.MoveMessage(c.Match, c.Deal, c.Seq, c.Prev, c.Move))
	})
}

func TestAReceiptNamesAllThatWasAccepted(t *testing.T) {
	type claim struct {
		signed
		Items []struct {
			Match, Head vectors.Hex
			Deal, Seq   int
		}
	}
	vectors.Claims(t, "receipt", func(_ *testing.T, c claim) bool {
		var items []seal.Acknowledged
		for _, item := range c.Items {
			items = append(items, seal.Acknowledged{
				Match: item.Match, Deal: item.Deal, Seq: item.Seq, Head: item.Head,
			})
		}
		return c.over(seal.ReceiptMessage(items))
	})
}

func written(t *testing.T, kind string, mode os.FileMode, key any) string {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "seat.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestASeatSignsWithTheKeyOfItsFile(t *testing.T) {
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	seat, err := Load(written(t, "PRIVATE KEY", 0o600, private))
	if err != nil {
		t.Fatal(err)
	}
	if !Verifies(seat.Public(), seat.Sign([]byte("a move")), []byte("a move")) {
		t.Error("its signature does not hold")
	}
}

func TestAFileThatIsNoPrivateKeyOfASeatIsRefused(t *testing.T) {
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	tests := map[string]string{
		written(t, "PRIVATE KEY", 0o644, private):   "chmod 600",
		written(t, "ENCRYPTED KEY", 0o600, private): "no Ed25519 key",
		filepath.Join(t.TempDir(), "absent.pem"):    "no such file",
		t.TempDir():                                 "no regular file",
	}
	for path, says := range tests {
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, not %s", err, says)
		}
	}
}
