package euchrebot

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"euchrebot/internal/fault"
	"euchrebot/internal/keep"
	pb "euchrebot/internal/pb/refereev1"
)

const (
	requestIDSize = 16
	joinPatience  = 10 * time.Second
	joinTotal     = time.Minute
	joinPause     = 500 * time.Millisecond
)

// takeSeat takes the seat of --invitation, unless the token file holds its token already.
//
// The request is kept beside the token file until the token is there: whoever is stopped between the
// two gets the same token when the same command is started again.
func (f *flags) takeSeat(config *tls.Config) error {
	if f.invitation == "" {
		return nil
	}
	if f.tokenFile == "" {
		return wrongUsage("--invitation needs --token-file FILE: the seat's token is kept there")
	}
	if _, err := os.Lstat(f.tokenFile); err == nil {
		return nil
	}
	request := f.tokenFile + ".request"
	id, err := keptRequest(request)
	if err != nil {
		return err
	}
	token, err := join(f.referee, config, &pb.JoinMatchRequest{Code: f.invitation, RequestId: id})
	var known *fault.Error
	if errors.As(err, &known) && known.Status == fault.Usage {
		os.Remove(request) // nothing can come of it any more
	}
	if err != nil {
		return err
	}
	part := f.tokenFile + ".part"
	if err := keep.WritePrivate(part, token); err != nil {
		return err
	}
	if err := os.Rename(part, f.tokenFile); err != nil {
		return wrongUsage("cannot write %q: %w", f.tokenFile, keep.Reason(err))
	}
	os.Remove(request)
	return nil
}

// keptRequest is the request's id, drawn the first time.
func keptRequest(path string) ([]byte, error) {
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		if err := keep.WritePrivate(path, hex.EncodeToString(newRequestID())); err != nil {
			return nil, err
		}
	}
	text, err := keep.Read(path, "the request", keep.LongestLine)
	if err != nil {
		return nil, err
	}
	id, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, wrongUsage("%q is no request of ours: remove it, and try again", path)
	}
	return id, nil
}

func newRequestID() []byte {
	id := make([]byte, requestIDSize)
	rand.Read(id)
	return id
}

// join is the seat's token; a lost answer is asked for again.
func join(referee string, config *tls.Config, request *pb.JoinMatchRequest) (string, error) {
	conn, err := dial(referee, config)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	lobby := pb.NewLobbyServiceClient(conn)
	var told time.Time
	for end := time.Now().Add(joinTotal); ; time.Sleep(joinPause) {
		ctx, cancel := context.WithTimeout(context.Background(), joinPatience)
		response, err := lobby.JoinMatch(ctx, request)
		cancel()
		if err == nil {
			return response.Token, nil
		}
		said := status.Convert(err)
		switch said.Code() {
		case codes.InvalidArgument, codes.NotFound, codes.FailedPrecondition:
			return "", wrongUsage("the invitation gives no seat: %s", said.Message())
		case codes.Unavailable:
			if now := time.Now(); now.Before(end) {
				if now.Sub(told) >= toldEvery {
					why := wordOf(said.Code()) + ": " + said.Message()
					say("%s", noWord(referee, why, end.Sub(now), !told.IsZero()))
					told = now
				}
				continue
			}
		}
		return "", fault.New(fault.Lost, "%s: %s", wordOf(said.Code()), said.Message())
	}
}
