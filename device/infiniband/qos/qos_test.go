package qos

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestShares: lanes share a congested link by their weights and the limit of the high table, and lose nothing when it is not congested.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, options string
		demand, want  [Lanes]float64
	}{
		{"one lane", "qos TRUE", [Lanes]float64{150}, [Lanes]float64{100}},
		{"room for all", "qos TRUE", [Lanes]float64{30, 20, 10}, [Lanes]float64{30, 20, 10}},
		{"weights of the low table", "qos TRUE\nqos_vlarb_high 0:0\nqos_vlarb_low 0:192,1:64", [Lanes]float64{100, 100}, [Lanes]float64{75, 25}},
		{"what one leaves", "qos TRUE\nqos_vlarb_high 0:0\nqos_vlarb_low 0:192,1:64,2:64", [Lanes]float64{30, 100, 100}, [Lanes]float64{30, 35, 35}},
		{"a packet of each table in turn", "qos TRUE\nqos_vlarb_high 0:4\nqos_vlarb_low 1:4", [Lanes]float64{100, 100}, [Lanes]float64{50, 50}},
		{"a limit of 12 kB", "qos TRUE\nqos_high_limit 3\nqos_vlarb_high 0:4\nqos_vlarb_low 1:4", [Lanes]float64{100, 100}, [Lanes]float64{75, 25}},
		{"no limit", "qos TRUE\nqos_high_limit 255\nqos_vlarb_high 0:4\nqos_vlarb_low 1:4", [Lanes]float64{80, 100}, [Lanes]float64{80, 20}},
		{"no weight", "qos TRUE\nqos_vlarb_high 0:4\nqos_vlarb_low 0:4", [Lanes]float64{60, 100}, [Lanes]float64{60, 40}},
		{"an entry twice", "qos TRUE\nqos_vlarb_high 0:0\nqos_vlarb_low 0:4,1:4,0:4", [Lanes]float64{100, 100}, [Lanes]float64{200.0 / 3, 100.0 / 3}},
	} {
		tables, err := Parse(c.options)
		if err != nil {
			t.Fatal(err)
		}
		for lane, got := range tables.Share(100, c.demand) {
			if math.Abs(got-c.want[lane]) > 1e-6 {
				t.Errorf("%s: lane %d gets %g, expected %g", c.name, lane, got, c.want[lane])
			}
		}
	}
}

// TestAnyTables: with any tables and demands, no lane gets more than it wants, the link carries all that fits, and the same inputs give the
// same shares.
func TestAnyTables(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 9))
	for range 5000 {
		tables := &Tables{Limit: uint8(r.IntN(256))}
		for lane := range uint8(Lanes) {
			tables.High = append(tables.High, Weight{lane, uint8(r.IntN(3) * r.IntN(256) / 2)})
			tables.Low = append(tables.Low, Weight{lane, uint8(r.IntN(3) * r.IntN(256) / 2)})
		}
		var demand [Lanes]float64
		sum := 0.0
		for lane := range demand {
			demand[lane] = float64(r.IntN(3)) * r.Float64() * 20
			sum += demand[lane]
		}
		given, total := tables.Share(100, demand), 0.0
		for lane, got := range given {
			if got < 0 || got > demand[lane]+1e-9 {
				t.Fatalf("lane %d gets %g of %g", lane, got, demand[lane])
			}
			total += got
		}
		if want := min(100, sum); math.Abs(total-want) > 1e-6 {
			t.Fatalf("the link carries %g, expected %g: %v of %v by %+v", total, want, given, demand, tables)
		}
		if tables.Share(100, demand) != given {
			t.Fatal("the shares depend on chance")
		}
	}
}

// TestOptions: bad options are refused, and without qos there are no tables.
func TestOptions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "qos FALSE\nqos_high_limit 3", "# qos TRUE", "sm_priority 3"} {
		if tables, err := Parse(text); tables != nil || err != nil {
			t.Errorf("%q: %v, %v", text, tables, err)
		}
	}
	for _, text := range []string{"qos maybe", "qos_high_limit 256", "qos_vlarb_low 15:4", "qos_vlarb_low 1", "qos_vlarb_high 1:999", "qos_sl2vl 16", "qos_sl2vl 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0", "qos_sl2vl", "qos_max_vls 16", "qos_ca_high_limit x", "qos_sw0_sl2vl 16"} {
		if _, err := Parse("qos TRUE\n" + text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	tables, err := Parse("qos TRUE\nqos_sl2vl 0,1,0,1\n")
	if err != nil || tables.LaneOf[3] != 1 || tables.LaneOf[4] != 0 || !tables.Valid() {
		t.Errorf("%+v, %v", tables, err)
	}
}

// TestKinds: options of a kind of ports win over the ones of all, which win over the defaults of OpenSM.
func TestKinds(t *testing.T) {
	t.Parallel()
	tables, err := Parse(`qos TRUE
qos_max_vls 8
qos_high_limit 3
qos_vlarb_high (null)
qos_vlarb_low 0:0,1:4,2:9
qos_sl2vl 0,1,2,3
qos_ca_sl2vl 0,0,1,1,15
qos_ca_high_limit -1
qos_swe_vlarb_low 3:33,14:2
qos_rtr_high_limit 13
qos_rtr_max_vls 2
`)
	if err != nil || !tables.Valid() {
		t.Fatal(err)
	}
	adapter, external, router, port0 := tables.For(Adapter), tables.For(External), tables.For(Router), tables.For(Port0)
	if adapter.LaneOf[3] != 1 || adapter.LaneOf[4] != 15 || adapter.LaneOf[5] != 0 || adapter.Limit != 3 || adapter.Low[1] != (Weight{1, 4}) {
		t.Errorf("adapters: %+v", adapter)
	}
	if external.LaneOf[3] != 3 || external.Low[0] != (Weight{3, 33}) || external.Low[1] != (Weight{6, 2}) || len(external.Low) != 8 || external.High[0] != (Weight{0, 4}) {
		t.Errorf("switches: %+v", external)
	}
	if router.Limit != 13 || router.Low[2] != (Weight{2, 9}) || port0.Limit != 3 || port0.Low[2] != (Weight{2, 9}) {
		t.Errorf("routers and port 0: %+v, %+v", router, port0)
	}
	plain, _ := Parse("qos TRUE")
	if plain.Adapters != nil || plain.For(Adapter) != plain || !plain.equals(Default()) {
		t.Errorf("the defaults are %+v", plain)
	}
}

func FuzzOptions(f *testing.F) {
	f.Add("qos TRUE\nqos_vlarb_low 0:4,1:4\nqos_sl2vl 0,1")
	f.Fuzz(func(t *testing.T, text string) {
		if tables, err := Parse(text); err == nil && tables != nil && !tables.Valid() {
			t.Errorf("%+v", tables)
		}
	})
}
