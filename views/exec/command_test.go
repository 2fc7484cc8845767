package exec

import "testing"

func TestTrimExe(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"mlx5cmd.exe": "mlx5cmd", "MLX5CMD.EXE": "MLX5CMD", "a.exe": "a", ".exe": ".exe", "exe": "exe", "": "", "a.exe.exe": "a.exe", "mlx5cmd": "mlx5cmd", "exe.": "exe.",
	} {
		if got := TrimExe(word); got != want {
			t.Errorf("%q is the program %q, want %q", word, got, want)
		}
	}
}
