package euchrebot

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"net"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"

	"euchrebot/internal/canonical"
	"euchrebot/internal/keys"
	pb "euchrebot/internal/pb/refereev1"
	"euchrebot/internal/seal"
)

var (
	private = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public  = keys.Named{Name: "test", Public: private.Public().(ed25519.PublicKey)}
	theID   = bytes.Repeat([]byte{7}, 16)
	rules   = map[string]string{"pack": "E24", "packets": "3-2"}
	quick   = pace{time.Millisecond, 5 * time.Millisecond, 10 * time.Second}
)

// referee is a referee that does what a test says, one connection after the other.
type referee struct {
	pb.UnimplementedPlayServiceServer
	pb.UnimplementedLobbyServiceServer
	t       *testing.T
	address string
	level   string
	courses []func(c *connection) error
	join    func(*pb.JoinMatchRequest) (*pb.JoinMatchResponse, error)
	link    []byte // R_2 of the chain, from which the others follow
	head    []byte
	seq     int
}

// connection is one stream, and the Hello that it began with.
type connection struct {
	*referee
	stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]
	hello  *pb.SeatHello
}

// newReferee listens on a free port; each course is what it does on one connection.
func newReferee(t *testing.T, courses ...func(c *connection) error) *referee {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &referee{
		t: t, address: listener.Addr().String(), level: "checks", courses: courses,
		link: bytes.Repeat([]byte{9}, seal.Size), head: make([]byte, seal.Size),
	}
	server := grpc.NewServer()
	pb.RegisterPlayServiceServer(server, r)
	pb.RegisterLobbyServiceServer(server, r)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return r
}

// options are those of a bot at this referee's table.
func (r *referee) options() *options {
	folder := r.t.TempDir()
	return &options{
		referee: r.address, token: "token", name: "tester", level: r.level,
		secretFile: filepath.Join(folder, "secret"), stateFile: filepath.Join(folder, "state.jsonl"),
		key: &public,
	}
}

func (r *referee) Play(stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]) error {
	request, err := stream.Recv()
	if err != nil {
		return err
	}
	course := r.courses[0]
	r.courses = r.courses[1:]
	return course(&connection{r, stream, request.Hello.Seats[0]})
}

// chain is R of a number.
func (r *referee) chain(number int) []byte { return seal.Descend(theID, r.link, 2, number) }

// event is the next event of the match.
func (r *referee) event(kind string, object canonical.Object) *pb.PlayItem {
	object["kind"], object["seq"], object["prev"] = kind, r.seq, hex.EncodeToString(r.head)
	text, ok := canonical.Dump(object)
	if !ok {
		r.t.Errorf("%v is not canonical", object)
	}
	r.seq, r.head = r.seq+1, seal.Head(r.head, text)
	sig := ed25519.Sign(private, seal.EventMessage(r.head))
	return &pb.PlayItem{Item: &pb.PlayItem_Event{Event: &pb.Event{Event: text, Sig: sig}}}
}

func (r *referee) opening() []*pb.PlayItem {
	knobs := canonical.Object{}
	for knob, value := range rules {
		knobs[knob] = value
	}
	text, _ := canonical.Dump(knobs)
	by := map[string]string{"checks": "seat", "plays": "host"}[r.level]
	entries := []any{canonical.Object{"name": "tester", "level": r.level, "seed_by": by}}
	for _, name := range []string{"e", "s", "w"} {
		entries = append(entries, canonical.Object{"name": name, "level": "checks", "seed_by": "seat"})
	}
	return []*pb.PlayItem{
		r.event("match_open", canonical.Object{
			"match": hex.EncodeToString(theID), "protocol": seal.Protocol, "rules": knobs,
			"rule_set": hex.EncodeToString(seal.Hash("rule-set", text)), "pack": rules["pack"],
			"seats": entries, "referee_key": public.String(), "chain": 2, "policy": canonical.Object{"rated": true},
			"r0": hex.EncodeToString(r.chain(0)),
		}),
		r.event("deal_open", canonical.Object{"deal": 1, "dealer": "east"}),
	}
}

func (r *referee) closing() []*pb.PlayItem {
	return []*pb.PlayItem{
		r.event("deal_close", canonical.Object{
			"deal": 1, "outcome": "void", "r": hex.EncodeToString(r.chain(2)),
			"score": canonical.Object{"ns": 0, "ew": 0},
		}),
		r.event("match_close", canonical.Object{
			"outcome": "void", "deals": 0, "score": canonical.Object{"ns": 0, "ew": 0},
		}),
	}
}

func welcome() *pb.PlayItem {
	return &pb.PlayItem{Item: &pb.PlayItem_Welcome{Welcome: &pb.Welcome{
		Match: hex.EncodeToString(theID), Seat: pb.Seat_SEAT_NORTH, Rules: rules, RefereeKey: public.Public,
	}}}
}

func askCommit() *pb.PlayItem {
	return &pb.PlayItem{Item: &pb.PlayItem_Ask{Ask: &pb.Ask{What: "commit", Deal: 1}}}
}

// askAct is a question at the newest event, of a seat that has no cards yet.
func (r *referee) askAct(legal ...string) *pb.PlayItem {
	return &pb.PlayItem{Item: &pb.PlayItem_Ask{Ask: &pb.Ask{What: "act", Deal: 1, View: &pb.View{
		Seat: pb.Seat_SEAT_NORTH, Phase: "round_one", Dealer: pb.Seat_SEAT_EAST, Turn: pb.Seat_SEAT_NORTH.Enum(),
		Counts: []uint32{0, 5, 5, 5}, Legal: legal, StateVersion: uint64(r.seq - 1), Deal: 1,
	}}}}
}

func ruling(said *pb.PlayInput, accepted bool) *pb.PlayItem {
	return &pb.PlayItem{Item: &pb.PlayItem_Ruling{Ruling: &pb.Ruling{
		RequestId: said.RequestId, Accepted: accepted, Reason: "DEALER_STUCK", Text: "the dealer may not pass",
	}}}
}

// receipt is for what stands in the newest event.
func (r *referee) receipt() *pb.PlayItem {
	named := []seal.Acknowledged{{Match: theID, Deal: 1, Seq: r.seq - 1, Head: r.head}}
	return &pb.PlayItem{Item: &pb.PlayItem_Receipt{Receipt: &pb.Receipt{
		Items: []*pb.ReceiptItem{{Match: theID, Deal: 1, Seq: uint64(r.seq - 1), Head: r.head}},
		Sig:   ed25519.Sign(private, seal.ReceiptMessage(named)),
	}}}
}

// tell sends items in one message.
func (c *connection) tell(items ...*pb.PlayItem) error {
	return c.stream.Send(&pb.PlayResponse{Items: items})
}

// hear is the next input of the bot.
func (c *connection) hear() *pb.PlayInput {
	request, err := c.stream.Recv()
	if err != nil || len(request.Inputs) != 1 {
		c.t.Errorf("%v, %v where an input was due", request, err)
		return &pb.PlayInput{}
	}
	return request.Inputs[0]
}
