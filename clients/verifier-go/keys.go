package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
)

var (
	fieldPrime = number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed")
	groupOrder = number("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed")
	// The y of the points of small order; the sign of x is left aside, so all eight are met.
	smallOrder = []*big.Int{
		big.NewInt(0),
		big.NewInt(1),
		new(big.Int).Sub(fieldPrime, big.NewInt(1)),
		littleEndian(fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
		littleEndian(fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")),
	}
)

func fromHex(text string) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil {
		panic(err) // only constants come here
	}
	return raw
}

func number(text string) *big.Int {
	return new(big.Int).SetBytes(fromHex(text))
}

func littleEndian(raw []byte) *big.Int {
	turned := slices.Clone(raw)
	slices.Reverse(turned)
	return new(big.Int).SetBytes(turned)
}

// coordinate is the y of a point, without the bit that holds the sign of x.
func coordinate(raw []byte) *big.Int {
	y := littleEndian(raw)
	return y.SetBit(y, 255, 0)
}

// publicKey is a key and the name under which it is known.
type publicKey struct {
	name string
	raw  []byte
}

// parseKey reads name+id+base64, and refuses keys under which more verifies than was signed.
func parseKey(text string) (publicKey, bool) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 || !nameIsSound(parts[0]) {
		return publicKey{}, false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(parts[2])
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return publicKey{}, false
	}
	if base64.StdEncoding.EncodeToString(raw) != parts[2] || !keyIsSound(raw) {
		return publicKey{}, false
	}
	id := taggedHash(tagKeyID, []byte(parts[0]), raw)[:4]
	return publicKey{parts[0], raw}, hex.EncodeToString(id) == parts[1]
}

func nameIsSound(name string) bool {
	wrong := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`+"\`, r) }
	return len(name) >= 1 && len(name) <= 64 && !strings.ContainsFunc(name, wrong)
}

func keyIsSound(raw []byte) bool {
	y := coordinate(raw)
	small := slices.ContainsFunc(smallOrder, func(other *big.Int) bool { return y.Cmp(other) == 0 })
	return y.Cmp(fieldPrime) < 0 && !small
}

// signed tells whether the key has signed the message, in the one form that is accepted.
func (k publicKey) signed(message, sig []byte) bool {
	if len(sig) != ed25519.SignatureSize || coordinate(sig[:32]).Cmp(fieldPrime) >= 0 {
		return false
	}
	if littleEndian(sig[32:]).Cmp(groupOrder) >= 0 {
		return false
	}
	return ed25519.Verify(k.raw, message, sig)
}
