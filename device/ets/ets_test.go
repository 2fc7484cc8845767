package ets

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// random makes up to eight classes, of which some are idle, limited, strict or without weight.
func random(r *rand.Rand) []Class {
	classes := make([]Class, 1+r.IntN(Classes))
	for i := range classes {
		c := &classes[i]
		c.Priority = uint8(r.IntN(Classes))
		c.Strict = r.IntN(4) == 0
		c.Weight = float64(r.IntN(4) * r.IntN(30))
		if r.IntN(4) > 0 {
			c.Demand = r.Float64() * 20000
		}
		if r.IntN(3) == 0 {
			c.Limit = float64(100 + r.IntN(9000))
		}
	}
	return classes
}

const tolerance = 1e-6

// TestShares holds the rules over random classes: nobody gets more than it wants, the link is never overbooked, no rate
// is left over that somebody wants, and classes with a weight that want more are served in proportion.
func TestShares(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 20000 {
		classes, link := random(r), float64(1+r.IntN(40))*1000
		rates := make([]float64, len(classes))
		Share(link, classes, rates)
		sum, wanted := 0.0, 0.0
		for i := range classes {
			want := classes[i].demandedRate()
			if limit := classes[i].Limit; limit > 0 && rates[i] > limit {
				t.Fatalf("round %d: class %d gets %f above its limit of %f", round, i, rates[i], limit)
			}
			if rates[i] < 0 || rates[i] > want+tolerance {
				t.Fatalf("round %d: class %d gets %f, wants %f: %+v", round, i, rates[i], want, classes)
			}
			sum += rates[i]
			wanted += want
		}
		if math.Abs(sum-min(link, wanted)) > tolerance*link {
			t.Fatalf("round %d: %f of %f given, %f wanted: %+v", round, sum, link, wanted, classes)
		}
		for i := range classes {
			for j := range classes {
				checkPair(t, &classes[i], &classes[j], rates[i], rates[j])
			}
		}
	}
}

// checkPair: while a class still wants more, one that goes after it gets nothing, and an equal one gets no larger part.
func checkPair(t *testing.T, hungry, other *Class, rate, others float64) {
	t.Helper()
	if rate >= hungry.demandedRate()-tolerance {
		return
	}
	after := hungry.Strict && (!other.Strict || other.Priority < hungry.Priority) ||
		!hungry.Strict && !other.Strict && hungry.Weight > 0 && other.Weight == 0
	if after && others > tolerance {
		t.Fatalf("%+v gets %f while %+v, which goes first, has only %f", *other, others, *hungry, rate)
	}
	equal := !hungry.Strict && !other.Strict && (hungry.Weight > 0) == (other.Weight > 0)
	if equal && others/other.weight() > rate/hungry.weight()+tolerance {
		t.Fatalf("%+v gets %f, a larger part than %+v with %f, who wants more", *other, others, *hungry, rate)
	}
}

func TestOnlyDemandCounts(t *testing.T) {
	t.Parallel()
	classes := []Class{{Priority: 3, Weight: 16, Demand: 10000}, {Priority: 5, Weight: 80, Demand: 10000}, {Weight: 4}}
	rates := make([]float64, len(classes))
	Share(10000, classes, rates)
	if math.Abs(rates[0]-10000.0/6) > tolerance || math.Abs(rates[1]-50000.0/6) > tolerance || rates[2] != 0 {
		t.Errorf("rates are %v", rates)
	}
}

// Allocations are counted for the whole process, so this test runs alone.
func TestShareAllocatesNothing(t *testing.T) {
	classes := random(rand.New(rand.NewPCG(5, 6)))
	rates := make([]float64, len(classes))
	if allocations := testing.AllocsPerRun(100, func() { Share(10000, classes, rates) }); allocations != 0 {
		t.Errorf("a share allocates %v times", allocations)
	}
}

func TestRoundedLimits(t *testing.T) {
	t.Parallel()
	for requested := range 110_000 {
		stored, unit := RoundLimit(requested)
		if stored%unit != 0 || stored > max(requested, fineUnit) || requested-stored >= unit || stored/unit > 255 {
			t.Fatalf("%d is stored as %d in units of %d", requested, stored, unit)
		}
	}
}

func TestDefaultClass(t *testing.T) {
	t.Parallel()
	if rest, ok := DefaultWeight(16, 80); rest != 4 || !ok {
		t.Errorf("16 and 80 leave %v, %v", rest, ok)
	}
	if _, ok := DefaultWeight(60, 41); ok {
		t.Error("101 percent is accepted")
	}
}

func TestWrongPairs(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "3", "3 100 5", "8 100", "-1 100", "3 -100", "3 99999999999999999999", "x 100", "3 1e3"} {
		if limits, err := ParseLimits(strings.Fields(text)); err == nil {
			t.Errorf("%q gives %v", text, limits)
		}
	}
}

func FuzzParseLimits(f *testing.F) {
	for _, seed := range []string{"3 100 5 300", "0 0", "7 4294967296", "9 1", "1 2 3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		limits, err := ParseLimits(strings.Fields(text))
		for class, limit := range limits {
			if limit != 0 && limit < fineUnit {
				t.Errorf("class %d is limited to %d (%v)", class, limit, err)
			}
		}
	})
}

func BenchmarkShare(b *testing.B) {
	classes := []Class{
		{Priority: 7, Strict: true, Demand: 500}, {Priority: 6, Strict: true, Demand: 300}, {Weight: 40, Demand: 9000},
		{Weight: 20, Demand: 100}, {Weight: 20, Demand: 9000, Limit: 300}, {Weight: 20, Demand: 9000}, {Demand: 100}, {},
	}
	rates := make([]float64, len(classes))
	b.ReportAllocs()
	for b.Loop() {
		Share(15000, classes, rates)
	}
}

// TestRoundedLimitsAtTheirEnds has the last limit in fine units, and the first in coarse ones.
func TestRoundedLimitsAtTheirEnds(t *testing.T) {
	t.Parallel()
	for requested, want := range map[int][2]int{
		0: {100, 100}, 99: {100, 100}, 100: {100, 100}, 199: {100, 100}, 200: {200, 100}, 25_499: {25_400, 100}, 25_500: {25_500, 100},
		25_501: {25_000, 1000}, 25_999: {25_000, 1000}, 26_000: {26_000, 1000}, 100_000: {100_000, 1000},
	} {
		if stored, unit := RoundLimit(requested); stored != want[0] || unit != want[1] {
			t.Errorf("%d is stored as %d in units of %d, want %v", requested, stored, unit, want)
		}
	}
}

func TestPairsOfLimits(t *testing.T) {
	t.Parallel()
	limits, err := ParseLimits(strings.Fields("3 150 7 30500 0 0"))
	if want := (Limits{0: 100, 3: 100, 7: 30_000}); err != nil || limits != want {
		t.Errorf("%v, %v", limits, err)
	}
	for text, want := range map[string]string{
		"8 100": `invalid traffic class "8"; give 0 to 7`, "1 2 3": "3 values are not pairs", "7 x": `invalid limit "x"`, "300 1": `invalid traffic class "300"`,
	} {
		if _, err := ParseLimits(strings.Fields(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestThePercentagesMayAddUpToAll, and leave nothing then.
func TestThePercentagesMayAddUpToAll(t *testing.T) {
	t.Parallel()
	if rest, ok := DefaultWeight(60, 40); rest != 0 || !ok {
		t.Errorf("60 and 40 leave %v, %t", rest, ok)
	}
	if rest, ok := DefaultWeight(60, 40.5); rest != 0 || ok {
		t.Errorf("60 and 40.5 leave %v, %t", rest, ok)
	}
	if rest, ok := DefaultWeight(); rest != 100 || !ok {
		t.Errorf("nothing leaves %v, %t", rest, ok)
	}
}

// TestALinkThatIsJustWideEnough serves the whole demand.
func TestALinkThatIsJustWideEnough(t *testing.T) {
	t.Parallel()
	classes := []Class{{Priority: 5, Strict: true, Demand: 30}, {Weight: 10, Demand: 50}, {Demand: 20}, {Demand: 40, Limit: 10}, {Limit: 5}, {Demand: -1}}
	rates := make([]float64, len(classes))
	for _, link := range []float64{110, 109, 30, 29} {
		Share(link, classes, rates)
		want := map[float64][]float64{
			110: {30, 50, 20, 10, 0, 0}, 109: {30, 50, 19, 10, 0, 0}, 30: {30, 0, 0, 0, 0, 0}, 29: {29, 0, 0, 0, 0, 0},
		}[link]
		for i := range want {
			if math.Abs(rates[i]-want[i]) > tolerance {
				t.Errorf("a link of %g: %v, want %v", link, rates, want)
				break
			}
		}
	}
}
