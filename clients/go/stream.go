package euchrebot

import (
	"crypto/tls"
	"strings"
	"time"
	"unicode"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"euchrebot/internal/fault"
)

// A dead network is noticed also while the others think.
var alive = keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}

// dial is a connection to the referee; over TLS where there is a configuration for it.
func dial(referee string, config *tls.Config) (*grpc.ClientConn, error) {
	safety := insecure.NewCredentials()
	if config != nil {
		safety = credentials.NewTLS(config)
	}
	conn, err := grpc.NewClient(
		referee, grpc.WithTransportCredentials(safety), grpc.WithKeepaliveParams(alive),
	)
	if err != nil {
		return nil, wrongUsage("not an address of a referee: %q (%w)", referee, err)
	}
	return conn, nil
}

var hopeless = map[codes.Code]string{
	codes.Unauthenticated:    "the referee does not know this token: ask for a new one",
	codes.PermissionDenied:   "this token is for another seat",
	codes.FailedPrecondition: "the referee does not accept our Hello",
	codes.InvalidArgument:    "the referee does not understand our Hello",
	codes.Unimplemented:      "there is no Euchre referee at this address",
}

// wordOf is a status in the spelling that every language has for it, as UNAVAILABLE.
func wordOf(code codes.Code) string {
	var word strings.Builder
	for place, letter := range code.String() {
		if place > 0 && unicode.IsUpper(letter) {
			word.WriteByte('_')
		}
		word.WriteRune(unicode.ToUpper(letter))
	}
	return word.String()
}

// broken is why a stream ended, in words; where trying again is hopeless, it is an error.
func broken(err error) (string, error) {
	said, ok := status.FromError(err)
	if !ok { // the referee ended it without a status
		return "the referee ended the stream", nil
	}
	words, given := hopeless[said.Code()]
	if !given {
		return wordOf(said.Code()) + ": " + said.Message(), nil
	}
	exit := fault.Lost
	if said.Code() == codes.Unauthenticated {
		exit = fault.Usage
	}
	return "", fault.New(exit, "%s (%s)", words, said.Message())
}
