package dcbconfig

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestTheFilesOfValidateDCB(t *testing.T) {
	t.Parallel()
	got, err := Read([]byte(`
$AllNodes    = @()  # none yet
$Nodes = 'A', "B"
<# each node
   alike #>
$Nodes | ForEach-Object {
	$AllNodes += @{
		NodeName = $_

		RDMAEnabledAdapters = @(
			@{ Name = 'R''1' ; VLANID = '101' ; JumboPacket = 9000 }
			@{ Name = 'R2' ; VLANID = 101 }
		)
		VMSwitch = @(@{ Name = 'S'; EmbeddedTeamingEnabled = $True }, @{ Name = 'T' })
	}
}
$Global:configData = @{
	AllNodes    = $AllNodes
	NonNodeData = @{ NetQoS = @( @{ Name = 'SMB' } ) }
}
`))
	if err != nil {
		t.Fatal(err)
	}
	node := func(name string) map[string]any {
		return map[string]any{
			"NodeName": name,
			"RDMAEnabledAdapters": []any{
				map[string]any{"Name": "R'1", "VLANID": "101", "JumboPacket": int64(9000)},
				map[string]any{"Name": "R2", "VLANID": int64(101)},
			},
			"VMSwitch": []any{map[string]any{"Name": "S", "EmbeddedTeamingEnabled": true}, map[string]any{"Name": "T"}},
		}
	}
	want := map[string]any{
		"AllNodes":    []any{node("A"), node("B")},
		"NonNodeData": map[string]any{"NetQoS": []any{map[string]any{"Name": "SMB"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestUTF16(t *testing.T) {
	t.Parallel()
	const source = "$configData = @{ Name = 'Größe' }\r\n"
	for _, big := range []bool{false, true} {
		data := []byte{0xff, 0xfe}
		if big {
			data = []byte{0xfe, 0xff}
		}
		for _, u := range utf16.Encode([]rune(source)) {
			if big {
				data = append(data, byte(u>>8), byte(u))
			} else {
				data = append(data, byte(u), byte(u>>8))
			}
		}
		if got, err := Read(data); err != nil || got["Name"] != "Größe" {
			t.Errorf("big %v: %v, %v", big, got, err)
		}
	}
}

// TestWhatIsRefused has the line and the reason of what can't be read.
func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		line int
		want string
	}{
		{"$a = 1\n", 2, "assigns no table to $configData"},
		{"\n$Nodes = (Get-ClusterNode -Cluster S2D).Name", 2, "Get-ClusterNode, which PowerShell would have to run"},
		{"Get-NetAdapter", 1, "an assignment such as"},
		{"$configData = @{ A = 1; a = 2 }", 1, "the field a twice"},
		{"$configData = @{\n A = 1", 1, "the table that begins here has no end"},
		{"$configData = @(\n 1", 1, "the list that begins here has no end"},
		{"$configData = @{ A = $b }", 1, "$b has no value"},
		{"$configData = \"$a\"", 1, "double quotes"},
		{"$configData = 'a\nb'", 1, "no end on its line"},
		{"<# a", 1, "no end"},
		{"$n = 'a'\n$n | ForEach-Object { $n | ForEach-Object { } }", 2, "nested loops"},
		{"$n | ForEach-Object { }", 1, "$n has no value"},
		{"$n = @()\n$n | ForEach-Object { }", 2, "1 to 1024 nodes"},
		{"$n = 'a'\n$n | Where-Object { }", 2, "ForEach-Object after the |"},
		{"$env:x = 1", 1, "of env can't be read"},
		{"$_ = 1", 1, "a variable that the file may set"},
		{"$configData = @{ A = [int] 1 }", 1, "'[' has no meaning"},
		{"$configData = 1 2", 1, "the end of the line is required"},
		{"$configData = " + strings.Repeat("@(", 40), 1, "nested too deeply"},
		{"$a = 1, 1, 1, 1, 1, 1, 1, 1\n" + strings.Repeat("$a = $a, $a, $a, $a\n", 12), 8, "too many values"},
	} {
		_, err := Read([]byte(c.text))
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Line != c.line || !strings.Contains(wrong.Problem, c.want) {
			t.Errorf("%.60q: %v, want line %d: %s", c.text, err, c.line, c.want)
		}
	}
	for _, data := range []string{"\xff\xfea", "\xff", strings.Repeat(" ", MaxBytes+1)} {
		if _, err := Read([]byte(data)); err == nil {
			t.Errorf("%.20q was read", data)
		}
	}
}

func FuzzRead(f *testing.F) {
	paths, _ := filepath.Glob("../testdata/*.ps1")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("$n = 'a', 2\n$n | foreach { $x += @{ A = $_; B = @($true, $null) } }\n$configData = @{ N = $x }"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(data)
		if (err == nil) == (got == nil) {
			t.Errorf("%v, %v", got, err)
		}
		if again, _ := Read(data); !reflect.DeepEqual(got, again) {
			t.Error("a second reading differs")
		}
	})
}
