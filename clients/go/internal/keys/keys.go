// Package keys reads Ed25519 keys and checks signatures, and refuses what fits more than one signer.
package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"euchrebot/internal/fault"
	"euchrebot/internal/keep"
	"euchrebot/internal/seal"
)

var (
	one        = big.NewInt(1)
	fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(one, 255), big.NewInt(19))
	groupOrder = new(big.Int).Add(
		new(big.Int).Lsh(one, 252), number("14def9dea2f79cd65812631a5cf5d3ed"),
	)
	orderEight = number("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826")
	// The y of the eight points of small order: under such a key one signature fits every message.
	smallOrder = []*big.Int{
		new(big.Int), one, new(big.Int).Sub(fieldPrime, one),
		orderEight, new(big.Int).Sub(fieldPrime, orderEight),
	}
	aName = regexp.MustCompile(`^[!#-*,-\[\]-~]{1,32}$`)
)

func number(text string) *big.Int {
	value, _ := new(big.Int).SetString(text, 16)
	return value
}

func littleEndian(raw []byte) *big.Int {
	turned := slices.Clone(raw)
	slices.Reverse(turned)
	return new(big.Int).SetBytes(turned)
}

// coordinate is the y of a point, without the bit that holds the sign of its x.
func coordinate(point []byte) *big.Int {
	return new(big.Int).SetBit(littleEndian(point), 255, 0)
}

// IsName tells whether text may be the name of a bot or of a key.
func IsName(text string) bool { return aName.MatchString(text) }

// Usable tells whether bytes are a public key that can be trusted to mean one signer.
func Usable(public []byte) bool {
	if len(public) != ed25519.PublicKeySize {
		return false
	}
	y := coordinate(public)
	small := func(point *big.Int) bool { return point.Cmp(y) == 0 }
	return y.Cmp(fieldPrime) < 0 && !slices.ContainsFunc(smallOrder, small)
}

// Verifies tells whether a signature is this key's over the message; malleable forms are refused.
func Verifies(public, signature, message []byte) bool {
	return Usable(public) && len(signature) == ed25519.SignatureSize &&
		coordinate(signature[:32]).Cmp(fieldPrime) < 0 &&
		littleEndian(signature[32:]).Cmp(groupOrder) < 0 &&
		ed25519.Verify(public, message, signature)
}

// Named is a public key with the name that its holder gave it.
type Named struct {
	Name   string
	Public []byte
}

// Parse reads a key in its printed form, name+id+base64.
func Parse(text string) (Named, error) {
	refuse := func(why string) (Named, error) {
		const form = "write name+id+base64, as the referee prints it"
		return Named{}, fault.New(fault.Usage, "not a public key: %q %s (%s)", text, why, form)
	}
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 || !IsName(parts[0]) {
		return refuse("has not the three parts")
	}
	public, err := base64.StdEncoding.Strict().DecodeString(parts[2])
	if err != nil || base64.StdEncoding.EncodeToString(public) != parts[2] {
		return refuse("has no base64")
	}
	if !Usable(public) {
		return refuse("holds no sound Ed25519 key")
	}
	key := Named{parts[0], public}
	if key.id() != parts[1] {
		return refuse("has the id of another key")
	}
	return key, nil
}

func (k Named) id() string {
	return hex.EncodeToString(seal.Hash("key-id", []byte(k.Name), k.Public)[:4])
}

// String is the key as it is written on a command line.
func (k Named) String() string {
	return k.Name + "+" + k.id() + "+" + base64.StdEncoding.EncodeToString(k.Public)
}

// Is tells whether two names stand for the same key.
func (k Named) Is(public []byte) bool { return bytes.Equal(k.Public, public) }

// Seat is a seat's private key; nothing but its public half is ever shown.
type Seat struct{ private ed25519.PrivateKey }

// Load reads the key in a PKCS8 PEM file, as `euchre-referee keygen` writes it.
func Load(path string) (*Seat, error) {
	text, err := keep.ReadPrivate(path, "the key", keep.Longest)
	if err != nil {
		return nil, err
	}
	private, err := parsePrivate(text)
	if err != nil {
		return nil, fault.New(fault.Usage,
			"%q holds no Ed25519 key in PKCS8 PEM form (make one with euchre-referee keygen)", path)
	}
	return &Seat{private}, nil
}

func parsePrivate(text []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, errors.New("no PEM block of a private key")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("a key of another kind")
	}
	return private, nil
}

// Public is the half that everybody may know.
func (s *Seat) Public() []byte {
	return s.private.Public().(ed25519.PublicKey)
}

// Sign is the 64 bytes of a signature.
func (s *Seat) Sign(message []byte) []byte {
	return ed25519.Sign(s.private, message)
}
