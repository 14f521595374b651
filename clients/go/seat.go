package euchrebot

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"time"

	"google.golang.org/grpc"

	"euchrebot/internal/canonical"
	"euchrebot/internal/fault"
	"euchrebot/internal/keep"
	"euchrebot/internal/keys"
	pb "euchrebot/internal/pb/refereev1"
	"euchrebot/internal/seal"
	"euchrebot/internal/witness"
)

const protocolVersion = 1

var levels = map[string]pb.Level{
	"plays":  pb.Level_LEVEL_PLAYS,
	"seeds":  pb.Level_LEVEL_SEEDS,
	"checks": pb.Level_LEVEL_CHECKS,
	"signs":  pb.Level_LEVEL_SIGNS,
}

// pace is how often and how long to try again when the referee is away.
type pace struct{ first, most, total time.Duration }

// No referee is waited for longer than this because it says so.
const longestDrain = time.Hour

// toldEvery is how often an operator is told that the referee is still away.
const toldEvery = 10 * time.Second

// noWord is what the operator is told while nobody answers, and how long we go on trying.
func noWord(referee, why string, left time.Duration, still bool) string {
	begins := "no word"
	if still {
		begins = "still no word"
	}
	return fmt.Sprintf("%s from %s (%s); trying again for %.0f s", begins, referee, why, left.Seconds())
}

var everyday = pace{200 * time.Millisecond, 5 * time.Second, time.Minute}

type playStream = grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse]

// seat is one seat's conversation with the referee, over as many connections as it takes.
type seat struct {
	choose  Choose
	options *options
	stream  playStream
	welcome *pb.Welcome
	witness *witness.Witness
	last    *Sides // the score of the game at hand, as the last closed deal left it
	result  *result

	// The last input that has no answer yet, the deal it is for, and the question that stands if it
	// has to be answered anew.
	pending     *pb.PlayInput
	pendingDeal int
	unanswered  *pb.Ask
	refused     *Refusal

	// What is waited for while the referee is away.
	pace       pace
	delay      time.Duration
	retryAfter time.Duration
	giveUp     time.Time
	told       time.Time
}

// play plays one match to its end.
func play(choose Choose, options *options, pace pace) (result, error) {
	if err := checkNamed(options); err != nil {
		return result{}, err
	}
	s := &seat{choose: choose, options: options, pace: pace, delay: pace.first}
	defer s.close()
	for {
		why, err := s.connect()
		if s.result != nil {
			return *s.result, nil
		}
		if err == nil {
			err = s.wait(why)
		}
		if err != nil {
			return result{}, err
		}
	}
}

// checkNamed looks at the files that are named: what does not do is said before the match.
func checkNamed(options *options) error {
	if options.secretFile != "" {
		if _, err := keep.Secret(options.secretFile); err != nil {
			return err
		}
	}
	if options.stateFile == "" {
		return nil
	}
	state, err := keep.OpenState(options.stateFile, "")
	if err != nil {
		return err
	}
	return state.Close()
}

func (s *seat) close() {
	if s.witness != nil {
		s.witness.Close()
	}
}

// wait pauses before the referee is asked again; it is an error once that has lasted too long.
func (s *seat) wait(why string) error {
	now, pause, begun := time.Now(), max(s.delay, s.retryAfter), s.giveUp.IsZero()
	if begun {
		s.giveUp = now.Add(s.retryAfter + s.pace.total)
	}
	if begun || now.Sub(s.told) >= toldEvery {
		s.told = now
		say("%s", noWord(s.options.referee, why, s.giveUp.Sub(now), !begun))
	}
	if now.Add(pause).After(s.giveUp) {
		return fault.New(fault.Lost, "gave up on %s after %s: %s"+
			" (start the bot again with the same files to go on)", s.options.referee, s.pace.total, why)
	}
	s.retryAfter, s.delay = 0, min(s.pace.most, 2*s.delay)
	time.Sleep(pause)
	return nil
}

// arrived notes that the referee is there.
func (s *seat) arrived() { s.giveUp, s.delay = time.Time{}, s.pace.first }

// connect follows the match on one connection, and says why that ended.
func (s *seat) connect() (why string, err error) {
	conn, err := dial(s.options.referee, s.options.tls)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if s.stream, err = pb.NewPlayServiceClient(conn).Play(ctx); err != nil {
		return broken(err)
	}
	s.send(&pb.PlayRequest{Hello: s.hello()})
	for {
		response, err := s.stream.Recv()
		if err != nil {
			return broken(err)
		}
		for _, item := range response.Items {
			if err := s.take(item); err != nil {
				return "", err
			}
		}
		if s.witness != nil {
			if err := s.witness.EndOfMessage(); err != nil {
				return "", err
			}
		}
		if s.result != nil {
			return "", nil
		}
	}
}

// send gives the stream a request; where the stream has broken, the next Recv says why.
func (s *seat) send(request *pb.PlayRequest) { _ = s.stream.Send(request) }

func (s *seat) hello() *pb.Hello {
	entry := &pb.SeatHello{
		Token: s.options.token, Name: s.options.name,
		Level: levels[s.options.level], OwnSeeds: s.options.level != "plays",
	}
	if s.options.seatKey != nil {
		entry.Key = s.options.seatKey.Public()
	}
	if s.witness != nil {
		entry.Resume = uint64(s.witness.Next())
	}
	return &pb.Hello{Protocol: protocolVersion, Seats: []*pb.SeatHello{entry}}
}

// take takes one thing that we are told.
func (s *seat) take(item *pb.PlayItem) error {
	switch what := item.Item.(type) {
	case *pb.PlayItem_Welcome:
		return s.greet(what.Welcome)
	case *pb.PlayItem_Status:
		return s.takeStatus(item.RequestId, what.Status)
	case *pb.PlayItem_Draining:
		s.retryAfter = min(time.Duration(min(what.Draining.RetryMs, math.MaxUint32))*time.Millisecond, longestDrain)
		return nil
	case *pb.PlayItem_Superseded:
		return fault.New(fault.Taken, "another process has taken this seat with the same token")
	case *pb.PlayItem_Fault:
		number, err := seatNumber(what.Fault.Seat)
		if err == nil {
			say("%s is at fault: %s", witness.Seats[number], what.Fault.Why)
		}
		return err
	}
	if s.witness == nil && item.Item != nil {
		return fault.New(fault.Lost, "the referee spoke of the match before Welcome")
	}
	switch what := item.Item.(type) {
	case *pb.PlayItem_Event:
		return s.takeEvent(what.Event)
	case *pb.PlayItem_PrivateDeal:
		given := what.PrivateDeal
		return s.witness.PrivateDeal(int(given.Deal), given.Root, opened(given.Cards), given.Sig)
	case *pb.PlayItem_Ask:
		return s.takeAsk(what.Ask)
	case *pb.PlayItem_Ruling:
		return s.takeRuling(what.Ruling)
	case *pb.PlayItem_Receipt:
		return s.takeReceipt(what.Receipt)
	default: // a kind from after this client was written
		return nil
	}
}

func opened(cards []*pb.OpenedCard) []seal.Opened {
	var found []seal.Opened
	for _, card := range cards {
		found = append(found, seal.Opened{Position: int(card.Position), Card: card.Card, Salt: card.Salt})
	}
	return found
}

func (s *seat) takeReceipt(receipt *pb.Receipt) error {
	var items []seal.Acknowledged
	for _, item := range receipt.Items {
		if item.Seq > math.MaxUint32 {
			return fault.New(fault.Proof, "a receipt names event %d, and no match has so many", item.Seq)
		}
		items = append(items, seal.Acknowledged{
			Match: item.Match, Deal: int(item.Deal), Seq: int(item.Seq), Head: item.Head,
		})
	}
	return s.witness.Receipt(items, receipt.Sig)
}

// greet takes Welcome: the first says who we are, the others that we are there again.
func (s *seat) greet(welcome *pb.Welcome) error {
	s.arrived() // though nothing may happen for a while
	if err := s.checkKey(welcome.RefereeKey); err != nil {
		return err
	}
	switch {
	case s.welcome == nil:
		if err := s.sit(welcome); err != nil {
			return err
		}
	case welcome.Match != s.welcome.Match || welcome.Seat != s.welcome.Seat:
		return fault.New(fault.Lost, "the referee now has this token for another match")
	case !bytes.Equal(welcome.RefereeKey, s.welcome.RefereeKey):
		return fault.New(fault.Proof, "the referee came back with another key")
	}
	if s.pending != nil {
		s.send(&pb.PlayRequest{Inputs: []*pb.PlayInput{s.pending}})
	}
	return nil
}

func (s *seat) sit(welcome *pb.Welcome) error {
	match, err := hex.DecodeString(welcome.Match)
	if err != nil || len(match) != requestIDSize || hex.EncodeToString(match) != welcome.Match {
		return fault.New(fault.Lost, "the referee named a match %q, which is no match id", welcome.Match)
	}
	number, err := seatNumber(welcome.Seat)
	if err != nil {
		return err
	}
	files, err := s.openFiles(welcome.Match, witness.Seats[number])
	if err != nil {
		return err
	}
	s.welcome = welcome
	s.witness = witness.New(witness.Claim{
		Match: match, Seat: number, Name: s.options.name, Level: s.options.level,
		Rules: welcome.Rules, RefereeKey: welcome.RefereeKey, Key: s.options.seatKey,
	}, files)
	say("seated %s in match %s", witness.Seats[number], welcome.Match)
	return nil
}

func (s *seat) openFiles(match, seat string) (files witness.Files, err error) {
	secret, state, receipts := s.options.files(match, seat)
	if files.Secret, err = keep.Secret(secret); err != nil {
		return files, err
	}
	if files.Receipts, err = keep.OpenReceipts(receipts); err != nil {
		return files, err
	}
	if files.State, err = keep.OpenState(state, seat); err != nil {
		files.Receipts.Close()
	}
	return files, err
}

func (s *seat) checkKey(public []byte) error {
	if !keys.Usable(public) {
		return wrongUsage("the referee shows no sound Ed25519 key: do not play there")
	}
	if pinned := s.options.key; pinned != nil && !pinned.Is(public) {
		shown := keys.Named{Name: pinned.Name, Public: public}
		return wrongUsage("the referee's key is not the pinned one but %q", shown)
	}
	return nil
}

func (s *seat) takeEvent(event *pb.Event) error {
	taken, err := s.witness.Take(event.Event, event.Sig)
	if err != nil {
		return err
	}
	s.arrived()
	switch taken.Kind {
	case "match_open":
		if s.options.key == nil {
			say("warning: the referee's key is not pinned; to pin it: --key %s",
				taken.Fields.Text("referee_key"))
		}
	case "seat_commit":
		if twin, found := s.witness.Twin(taken); found {
			say("warning: %s plays with our secret: two equal seeds count for one"+
				" (give each seat its own --secret-file)", witness.Seats[twin])
		}
	case "action":
		s.unanswered, s.refused = nil, nil
	case "deal_close":
		if taken.Fields.Text("outcome") != "draw" {
			score := scoreOf(taken.Fields)
			s.last = &score
		}
		return taken.Fields.Err()
	case "match_close":
		return s.finish(taken.Fields)
	}
	return nil
}

func (s *seat) finish(fields canonical.Fields) error {
	counted, found := s.welcome.Rules["deals"]
	end := result{
		match: s.welcome.Match, outcome: fields.Text("outcome"), deals: fields.Number("deals"),
		score: scoreOf(fields), games: !found || counted == "none", last: s.last,
	}
	if fields.Has("winner") {
		end.winner = fields.Text("winner")
	}
	if fields.Has("by") {
		end.by = fields.Text("by")
	}
	if fields.Err() == nil {
		s.result = &end
	}
	return fields.Err()
}
