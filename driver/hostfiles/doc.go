// Package hostfiles holds the files on the host's disks that drivers write, such as dumps: folders of files, compressed and bounded in
// size, with paths as Windows has them.
package hostfiles
