package euchrebot

import (
	"crypto/rand"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"

	"euchrebot/internal/fault"
	pb "euchrebot/internal/pb/refereev1"
	"euchrebot/internal/seal"
)

// hides tells whether the cards of an action stay face down.
func hides(word string) bool { return word == "discard" || word == "give" || word == "swap" }

func (s *seat) takeAsk(ask *pb.Ask) error {
	if s.pending != nil && answers(s.pending, ask) {
		s.unanswered = ask // sent already; its ruling is on the way
		return nil
	}
	return s.answer(ask)
}

// answers tells whether an input is an answer to a question.
func answers(said *pb.PlayInput, ask *pb.Ask) bool {
	switch ask.What {
	case "act":
		act := said.GetAct()
		return act != nil && act.Seq == ask.GetView().GetStateVersion()+1
	case "commit":
		commit := said.GetCommit()
		return commit != nil && commit.Deal == ask.Deal
	default:
		reveal := said.GetReveal()
		return reveal != nil && reveal.Deal == ask.Deal
	}
}

func (s *seat) answer(ask *pb.Ask) error {
	s.unanswered = nil
	said := &pb.PlayInput{Match: s.welcome.Match, Seat: s.welcome.Seat, RequestId: newRequestID()}
	number := int(ask.Deal)
	switch ask.What {
	case "commit":
		commit, err := s.witness.Commit(number, ask.Cutter)
		if err != nil {
			return err
		}
		said.Input = &pb.PlayInput_Commit{Commit: &pb.Commit{Deal: ask.Deal, Commit: commit}}
	case "reveal":
		shown, err := s.witness.Reveal(number)
		if err != nil {
			return err
		}
		reveal := &pb.Reveal{
			Deal: ask.Deal, Seed: shown.Seed, Cset: shown.Cset, Head: shown.Head, Sig: shown.Sig,
		}
		if len(shown.Cut) > 0 {
			cut := uint32(shown.Cut[0])
			reveal.Cut = &cut
		}
		said.Input = &pb.PlayInput_Reveal{Reveal: reveal}
	case "act":
		act, err := s.decide(ask)
		if err != nil {
			return err
		}
		said.Input = &pb.PlayInput_Act{Act: act}
	default:
		return fault.New(fault.Lost, "the referee asks for %q: update this client", ask.What)
	}
	s.pending, s.pendingDeal = said, number
	s.send(&pb.PlayRequest{Inputs: []*pb.PlayInput{said}})
	return nil
}

// decide asks the bot, and makes of its word what is sent.
func (s *seat) decide(ask *pb.Ask) (*pb.Act, error) {
	shown := ask.GetView()
	if shown == nil {
		return nil, fault.New(fault.Proof, "deal %d: we are asked to act without a view", ask.Deal)
	}
	number, seq := int(ask.Deal), int(shown.StateVersion)+1
	if err := s.witness.CheckAsk(number, seq, shown.Hand); err != nil {
		return nil, err
	}
	view, err := newView(shown, s.welcome.Match, ask.LimitMs)
	if err != nil {
		return nil, err
	}
	view.Refused = s.refused
	legal := slices.Clone(view.Legal)
	act := &pb.Act{Seq: uint64(seq)}
	if act.Action, err = chosen(s.choose, view, slices.Clone(legal)); err != nil {
		return nil, err
	}
	word, cards, _ := strings.Cut(act.Action, " ")
	if hides(word) && slices.Contains(legal, act.Action) {
		act.Blind = make([]byte, seal.Size*len(strings.Fields(cards)))
		rand.Read(act.Blind)
	}
	act.SeatSig, err = s.witness.Move(number, seq, act.Action, act.Blind)
	return act, err
}

// chosen is the bot's word; a bot that panics ends the match, and we say where it did.
func chosen(choose Choose, view *View, legal []string) (action string, err error) {
	defer func() {
		if why := recover(); why != nil {
			line := strings.Join(strings.Fields(fmt.Sprint(why)), " ")
			err = fault.New(fault.Lost, "the bot failed: %s%s (the seat stays ours: mend it, and start again"+
				" with the same files to go on)", line, panicked())
		}
	}()
	// What is no text cannot be sent: it is refused as an action that is not legal.
	return strings.ToValidUTF8(choose(view, legal), "?"), nil
}

// panicked is where the bot has panicked, and from which line of its choose, as far as it can be told.
func panicked() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	var first, last string
	for after := false; ; {
		frame, more := frames.Next()
		switch {
		case strings.HasSuffix(frame.Function, "euchrebot.chosen"):
			if last == first {
				return first
			}
			return first + ", called" + last
		case frame.Function == "runtime.gopanic":
			after = true
		case after && !strings.HasPrefix(frame.Function, "runtime."):
			last = fmt.Sprintf(" in %s at %s:%d", frame.Function, frame.File, frame.Line)
			if first == "" {
				first = last
			}
		}
		if !more {
			return first
		}
	}
}

func (s *seat) takeRuling(ruling *pb.Ruling) error {
	pending := s.pending
	if pending == nil || string(pending.RequestId) != string(ruling.RequestId) {
		return nil
	}
	s.pending = nil
	if !ruling.Accepted {
		action := pending.GetAct().GetAction()
		say("refused %q: %s: %s", action, ruling.Reason, ruling.Text)
		s.refused = &Refusal{action, ruling.Reason, ruling.Text}
		return s.answerAgain()
	}
	s.unanswered, s.refused = nil, nil
	switch said := pending.Input.(type) {
	case *pb.PlayInput_Act:
		return s.witness.AcceptedMove(s.pendingDeal, int(said.Act.Seq))
	case *pb.PlayInput_Reveal:
		return s.witness.AcceptedReveal(s.pendingDeal)
	default:
		s.witness.AcceptedCommit(s.pendingDeal)
	}
	return nil
}

func (s *seat) takeStatus(requestID []byte, said *status.Status) error {
	code := codes.Code(said.Code)
	words := fmt.Sprintf("the referee says %s: %s", code, said.Message)
	switch {
	case s.pending == nil || string(s.pending.RequestId) != string(requestID):
		say("%s", words)
		return nil
	case code == codes.Unavailable || code == codes.ResourceExhausted:
		if err := s.wait(words); err != nil {
			return err
		}
		s.send(&pb.PlayRequest{Inputs: []*pb.PlayInput{s.pending}})
		return nil
	case code != codes.Aborted:
		say("%s", words)
	}
	s.pending = nil
	return s.answerAgain()
}

// answerAgain answers the question that stands, if one does.
func (s *seat) answerAgain() error {
	if s.unanswered == nil {
		return nil
	}
	return s.answer(s.unanswered)
}
