package euchrebot

import (
	"context"
	"encoding/hex"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"

	"euchrebot/internal/canonical"
	"euchrebot/internal/fault"
	pb "euchrebot/internal/pb/refereev1"
)

func first(_ *View, legal []string) string { return legal[0] }

func ends(t *testing.T, err error, status int, says string) {
	t.Helper()
	var known *fault.Error
	if !errors.As(err, &known) || known.Status != status || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, not %q with status %d", err, says, status)
	}
}

func voided(t *testing.T, end result, err error) {
	t.Helper()
	if err != nil || end.outcome != "void" {
		t.Errorf("%v, %v", end, err)
	}
}

// begun has shown a seat the first two events and asked it for a commitment.
func begun(c *connection) error {
	return c.tell(append(append([]*pb.PlayItem{welcome()}, c.opening()...), askCommit())...)
}

// committed accepts a commitment with all that goes with it.
func (c *connection) committed(said *pb.PlayInput) error {
	stands := c.event("seat_commit", canonical.Object{
		"deal": 1, "seat": "north", "commit": hex.EncodeToString(said.GetCommit().GetCommit()),
	})
	return c.tell(ruling(said, true), stands, c.receipt())
}

func TestWhatHasNoAnswerIsSentAgainUnderTheSameNumberFromWhereTheSeatWas(t *testing.T) {
	var lost *pb.PlayInput
	r := newReferee(t,
		func(c *connection) error {
			err := begun(c)
			lost = c.hear()
			return err
		},
		func(c *connection) error {
			if c.hello.Resume != 2 {
				t.Errorf("the seat resumes at %d", c.hello.Resume)
			}
			if err := c.tell(welcome(), askCommit()); err != nil {
				return err
			}
			again := c.hear()
			if string(again.RequestId) != string(lost.RequestId) ||
				string(again.GetCommit().GetCommit()) != string(lost.GetCommit().GetCommit()) {
				t.Errorf("%v is not %v", again, lost)
			}
			return errors.Join(c.committed(again), c.tell(c.closing()...))
		},
	)
	end, err := play(first, r.options(), quick)
	voided(t, end, err)
}

func TestWhatTheRefereeCouldNotRecordIsSentAgain(t *testing.T) {
	r := newReferee(t, func(c *connection) error {
		err := begun(c)
		said := c.hear()
		away := &status.Status{Code: int32(codes.Unavailable), Message: "not now"}
		err = errors.Join(err, c.tell(&pb.PlayItem{
			RequestId: said.RequestId, Item: &pb.PlayItem_Status{Status: away},
		}))
		again := c.hear()
		if string(again.RequestId) != string(said.RequestId) {
			t.Error("it is sent under another number")
		}
		return errors.Join(err, c.committed(again), c.tell(c.closing()...))
	})
	end, err := play(first, r.options(), quick)
	voided(t, end, err)
}

func TestAnAcceptedInputWithoutAReceiptEndsTheMatch(t *testing.T) {
	r := newReferee(t, func(c *connection) error {
		err := begun(c)
		return errors.Join(err, c.tell(ruling(c.hear(), true)), c.stream.Context().Err())
	})
	_, err := play(first, r.options(), quick)
	ends(t, err, fault.Proof, "without a receipt")
}

func TestARefusedActionIsAskedAgainAndTheBotIsToldWhy(t *testing.T) {
	r := newReferee(t, func(c *connection) error {
		err := c.tell(append(append([]*pb.PlayItem{welcome()}, c.opening()...), c.askAct("pass", "order"))...)
		refused := c.hear()
		err = errors.Join(err, c.tell(c.askAct("pass", "order"), ruling(refused, false)))
		again := c.hear()
		if refused.GetAct().GetAction() != "pass" || again.GetAct().GetAction() != "order" ||
			string(refused.RequestId) == string(again.RequestId) {
			t.Errorf("%v, then %v", refused, again)
		}
		return errors.Join(err, c.tell(append([]*pb.PlayItem{ruling(again, true)}, c.closing()...)...))
	})
	r.level = "plays"
	end, err := play(func(view *View, legal []string) string {
		if view.Refused == nil {
			return "pass"
		}
		if *view.Refused != (Refusal{"pass", "DEALER_STUCK", "the dealer may not pass"}) {
			t.Errorf("%+v", view.Refused)
		}
		return "order"
	}, r.options(), quick)
	voided(t, end, err)
}

func TestABotThatPanicsEndsWithStatusOneAndTheLineThatItPanickedIn(t *testing.T) {
	for says, choose := range map[string]Choose{
		"the bot failed: no idea in euchrebot.TestABotThatPanics": func(*View, []string) string { panic("no\nidea") },
		"index out of range [9] with length 1 in euchrebot.Test":  func(_ *View, legal []string) string { return legal[9] },
		"in strings.Repeat at ":                                   func(*View, []string) string { return strings.Repeat("pass", -1) },
	} {
		r := newReferee(t, func(c *connection) error {
			err := c.tell(append(append([]*pb.PlayItem{welcome()}, c.opening()...), c.askAct("pass"))...)
			<-c.stream.Context().Done()
			return err
		})
		r.level = "plays"
		_, err := play(choose, r.options(), quick)
		ends(t, err, fault.Lost, says)
		if text := err.Error(); strings.Contains(text, "\n") || strings.Count(text, "seat_test.go:") != 1 {
			t.Errorf("it is said as %q", text)
		}
	}
}

func TestAnAnswerThatIsNoTextIsSentAsOneThatIsRefused(t *testing.T) {
	r := newReferee(t, func(c *connection) error {
		err := c.tell(append(append([]*pb.PlayItem{welcome()}, c.opening()...), c.askAct("pass"))...)
		said := c.hear()
		if said.GetAct().GetAction() != "pass?" {
			t.Errorf("it is sent as %v", said)
		}
		return errors.Join(err, c.tell(append([]*pb.PlayItem{ruling(said, true)}, c.closing()...)...))
	})
	r.level = "plays"
	end, err := play(func(*View, []string) string { return "pass\xff" }, r.options(), quick)
	voided(t, end, err)
}

func TestASeatThatAnotherProcessHasIsLeftWithStatusFour(t *testing.T) {
	r := newReferee(t, func(c *connection) error {
		return c.tell(welcome(), &pb.PlayItem{Item: &pb.PlayItem_Superseded{Superseded: &pb.Superseded{}}})
	})
	_, err := play(first, r.options(), quick)
	ends(t, err, fault.Taken, "another process")
}

func TestADrainingRefereeIsComeBackTo(t *testing.T) {
	r := newReferee(t,
		func(c *connection) error {
			draining := &pb.Draining{RetryMs: 20}
			return c.tell(welcome(), &pb.PlayItem{Item: &pb.PlayItem_Draining{Draining: draining}})
		},
		func(c *connection) error {
			err := begun(c)
			return errors.Join(err, c.committed(c.hear()), c.tell(c.closing()...))
		},
	)
	end, err := play(first, r.options(), quick)
	voided(t, end, err)
}

func TestARefereeThatComesBackWithAnotherKeyIsLeft(t *testing.T) {
	other := func(*connection) *pb.PlayItem {
		item := welcome()
		key := append([]byte{}, public.Public...)
		key[0] ^= 1
		item.GetWelcome().RefereeKey = key
		return item
	}
	for pinned, exit := range map[bool]int{true: fault.Usage, false: fault.Proof} {
		r := newReferee(t,
			func(c *connection) error { return c.tell(welcome()) },
			func(c *connection) error { return c.tell(other(c)) },
		)
		options := r.options()
		if !pinned {
			options.key = nil
		}
		_, err := play(first, options, quick)
		ends(t, err, exit, "key")
	}
}

func TestARefereeThatDoesNotKnowTheTokenIsNotAskedAgain(t *testing.T) {
	r := newReferee(t, func(*connection) error {
		return grpcstatus.Error(codes.Unauthenticated, "unknown token")
	})
	_, err := play(first, r.options(), quick)
	ends(t, err, fault.Usage, "ask for a new one (unknown token)")
}

func TestARefereeThatIsAwayIsGivenUpInTheEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := newReferee(t)
	options := r.options()
	options.referee = listener.Addr().String()
	listener.Close()
	_, err = play(first, options, pace{quick.first, quick.most, 20 * quick.most})
	ends(t, err, fault.Lost, "start the bot again with the same files to go on")
}

func TestAnInvitationIsTakenUnderOneNumberUntilItsTokenIsThere(t *testing.T) {
	var asked []string
	r := newReferee(t)
	r.join = func(request *pb.JoinMatchRequest) (*pb.JoinMatchResponse, error) {
		asked = append(asked, string(request.RequestId))
		if len(asked) == 1 {
			return nil, grpcstatus.Error(codes.Unavailable, "not now")
		}
		return &pb.JoinMatchResponse{Token: "for-" + request.Code}, nil
	}
	path := filepath.Join(t.TempDir(), "token")
	f := &flags{referee: r.address, invitation: "CODE", tokenFile: path}
	for range 2 { // the second time the token is there, and nobody is asked
		if err := f.takeSeat(nil); err != nil {
			t.Fatal(err)
		}
	}
	token, err := readToken(path)
	if err != nil || token != "for-CODE" || len(asked) != 2 || asked[0] != asked[1] {
		t.Errorf("%q, %v, asked %d times", token, err, len(asked))
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("what is left is %v", left)
	}
}

func TestAnInvitationThatGivesNoSeatIsWrongUsage(t *testing.T) {
	r := newReferee(t)
	r.join = func(*pb.JoinMatchRequest) (*pb.JoinMatchResponse, error) {
		return nil, grpcstatus.Error(codes.NotFound, "no such invitation")
	}
	path := filepath.Join(t.TempDir(), "token")
	err := (&flags{referee: r.address, invitation: "CODE", tokenFile: path}).takeSeat(nil)
	ends(t, err, fault.Usage, "no such invitation")
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
		t.Errorf("what is left is %v", left)
	}
}

func (r *referee) JoinMatch(_ context.Context, request *pb.JoinMatchRequest) (*pb.JoinMatchResponse, error) {
	return r.join(request)
}
