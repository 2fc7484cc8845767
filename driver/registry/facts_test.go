package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cxdeck/device/description"
)

// fact is what the manuals state of a key, as far as they do.
type fact struct {
	Name     string          `json:"name"`
	Scope    Scope           `json:"scope"`
	Path     string          `json:"path"`
	Group    string          `json:"group"`
	Type     string          `json:"type"`
	Defaults map[string]any  `json:"defaults"`
	Min      *uint32         `json:"min"`
	Max      *uint32         `json:"max"`
	Enum     []uint32        `json:"enum"`
	Unit     string          `json:"unit"`
	Apply    EffectTime      `json:"apply"`
	Invalid  InvalidHandling `json:"invalid_value"`
	Exposed  *bool           `json:"ui_exposed"`
	VF       VFLimit         `json:"vf"`
	Create   bool            `json:"must_create"`
	Related  []string        `json:"interacts_with"`
}

// decided are the facts that the catalogue departs from; the key's decision says why.
var decided = []string{
	"winof *JumboPacket range",
	"winof2 *JumboPacket range",
	"winof *JumboPacket default",
	"winof *JumboPacket remedy",
	"winof *EncapsulatedPacketTaskOffload default",
	"winof *EncapsulatedPacketTaskOffload range",
	"winof2 RecvCompletionMethod range",
	"winof TxForwardingProcessor default",
	"winof DefaultRecvRingProcessor default",
	"winof TxInterruptProcessor default",
	"winof *NumRSSQueues range",
	"winof2 *NumRSSQueues range",
	"winof *NumRSSQueues remedy",
	"winof2 *NumRSSQueues remedy",
	"winof PerPriRxPause range",
	"winof PerPriTxPause range",
	"winof MaxNumRssCpus create",
	"winof RssBaseCpu create",
	"winof DumpModeFlags range",
	"winof DscpForGlobalFlowControl range",
	"winof2 DscpForGlobalFlowControl range",
	"winof2 DumpEventsNum path",
	"winof2 DcqcnRpgMinRate unit",
	"winof2 DcqcnEnablePrio range",
	"winof VFAllowedTxEtherType range",
	"winof2 VFAllowedTxEtherType range",
	"winof2 NetworkAddress moment",
	"winof MaxNumberOfPacketsToIndicateDPC default",
	"winof MaxNumberOfPacketsToIndicateDPC range",
	"winof MaxNumberOfPacketsToIndicateThread default",
	"winof MaxNumberOfPacketsToIndicateThread range",
	"winof MaxCallsToNdisIndicate default",
	"winof MaxCallsToNdisIndicate range",
	"winof MaxNumTxPacketsToIndicateComplete default",
	"winof MaxNumTxPacketsToIndicateComplete range",
	"winof NicMinRfd default",
	"winof NicMinRfd range",
	"winof UponMaxConsumedReceivesMoveToDPC default",
	"winof UponMaxConsumedReceivesMoveToDPC range",
	"winof UponMaxConsumedTransmitsMoveToDPC default",
	"winof UponMaxConsumedTransmitsMoveToDPC range",
	"winof TrackNBLReturnLatency default",
	"winof TrackNBLReturnLatency range",
	"winof CountersModeFlags default",
	"winof CountersModeFlags range",
	"winof QueryStatsMsec default",
	"winof QueryStatsMsec range",
	"winof2 RedirectVfDHCPToPF moment",
	"winof *SpeedDuplex range",
	"winof2 *SpeedDuplex range",
	"winof TxRingNum range",
	"winof TxRingNum unit",
	"winof PortType choices",
	"winof LogNumQP range",
	"winof LogNumRdmaRc range",
	"winof2 TCStallCount range",
	"winof2 TCStallCount unit",
}

// TestCatalogueHoldsTheFactsOfTheManuals has no key missing, and no default, range or type that is another than stated,
// but where a decision says why.
func TestCatalogueHoldsTheFactsOfTheManuals(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for family, name := range map[description.Family]string{description.WinOF: "winof", description.WinOF2: "winof2"} {
		facts := readFacts(t, name)
		for _, f := range facts {
			r, ok := Keys(family).Find(string(f.Scope)+"/"+f.Name, f.Scope)
			if !ok || r.Name != f.Name {
				t.Errorf("%s: no key %s of %s", name, f.Name, f.Scope)
				continue
			}
			for field, say := range differences(r, f) {
				key := strings.TrimRight(name+" "+f.Name, "01234567") + " " + field
				switch {
				case !slices.Contains(decided, key):
					t.Errorf("%s: %s", key, say)
				case r.Detail().Decision == "":
					t.Errorf("%s: %s, and no decision says why", key, say)
				}
				used[key] = true
			}
		}
	}
	for _, key := range decided {
		if !used[key] {
			t.Errorf("%s does not depart from the facts any more", key)
		}
	}
}

func readFacts(t *testing.T, family string) (facts []fact) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "facts-"+family+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &facts); err != nil {
		t.Fatal(err)
	}
	return facts
}

// differences are the fields in which a key departs from its facts.
func differences(r *Row, f fact) map[string]string {
	found := map[string]string{}
	differ := func(field string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			found[field] = fmt.Sprintf("%v, and the manuals have %v", got, want)
		}
	}
	differ("group", r.Group, f.Group)
	differ("type", r.Type, statedType(r, f.Type))
	differ("range", ends(r.Min, r.Max), ends(f.Min, f.Max))
	differ("unit", r.Unit, f.Unit)
	differ("create", r.MustCreate, f.Create)
	differ("vf", r.VF, f.VF)
	if f.Exposed != nil {
		differ("exposure", r.Exposure == InDialog, *f.Exposed)
	}
	if f.Apply != "" || r.AppliesGiven {
		differ("moment", r.Applies, f.Apply)
	}
	if f.Invalid != "" || r.Bad != UseDefault {
		differ("remedy", r.Bad, f.Invalid)
	}
	differ("choices", values(r), slices.Sorted(slices.Values(f.Enum)))
	if f.Path != "" {
		differ("path", folded(r.Path("<nn>")), folded(f.Path))
	}
	for _, link := range []struct {
		name  string
		value Value
	}{{"eth", r.Ethernet}, {"ipoib", r.InfiniBand}} {
		want, stated := f.Defaults[link.name]
		if !stated {
			want, stated = f.Defaults["any"]
		}
		if stated && link.value.String() != asText(want) {
			found["default"] = fmt.Sprintf("%v, and the manuals have %v", link.value, want)
		}
	}
	if len(f.Defaults) == 0 && (r.Ethernet.Exists() || r.InfiniBand.Exists()) {
		found["default"] = fmt.Sprintf("%v, and the manuals have none", r.Ethernet)
	}
	return found
}

// statedType is the type of the manuals; they give none for most keys, and then the catalogue chooses.
func statedType(r *Row, stated string) Type {
	switch stated {
	case "":
		return r.Type
	case "REG_SZ":
		return Text
	default: // REG_DWORD, and the words of the congestion control table: uint32, BOOLEAN, 6 bits
		return Number
	}
}

func ends(least, most *uint32) string {
	words := []string{"", ""}
	for i, n := range []*uint32{least, most} {
		if n != nil {
			words[i] = fmt.Sprint(*n)
		}
	}
	return strings.Join(words, " to ")
}

func values(r *Row) []uint32 {
	found := map[uint32]bool{}
	list := r.Choices
	if len(list) == 0 && r.Name == "DumpModeFlags" {
		list = r.Bits
	}
	for _, c := range list {
		found[c.Value] = true
	}
	return slices.Sorted(maps.Keys(found))
}

func folded(path string) string {
	return strings.ToLower(strings.NewReplacer("HKEY_LOCAL_MACHINE", "HKLM", "<mlx4eth63|ipoib6>", "mlx4eth63").Replace(path))
}

func asText(stated any) string {
	switch v := stated.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		if n, ok := parseNumber(v); ok {
			return fmt.Sprint(n)
		}
		return v
	}
	return fmt.Sprint(stated)
}
