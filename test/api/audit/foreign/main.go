// Verifies a log of Annals with the reference implementation of the Go checksum database: the checkpoint, tiles,
// inclusion and consistency proofs. Standard input has one JSON object. It prints "verified" and the paths of the tiles
// that it needed, or ends with an error.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Verifier string `json:"verifier"`
	Note     string `json:"note"`
	// Base64 by the paths of C2SP tlog-tiles.
	Tiles     map[string]string `json:"tiles"`
	Inclusion []struct {
		LeafIndex int64    `json:"leaf_index"`
		Size      int64    `json:"size"`
		Hashes    []string `json:"hashes"`
		Event     string   `json:"event"`
	} `json:"inclusion"`
	Consistency []struct {
		From   int64    `json:"from"`
		To     int64    `json:"to"`
		Hashes []string `json:"hashes"`
	} `json:"consistency"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func hashOf(text string) tlog.Hash {
	bytes, err := base64.StdEncoding.DecodeString(text)
	check(err)
	var hash tlog.Hash
	if copy(hash[:], bytes) != len(hash) || len(bytes) != len(hash) {
		check(fmt.Errorf("a hash has %d bytes", len(bytes)))
	}
	return hash
}

func hashesOf(texts []string) []tlog.Hash {
	var hashes []tlog.Hash
	for _, text := range texts {
		hashes = append(hashes, hashOf(text))
	}
	return hashes
}

// The tiles of the input.
type tiles struct {
	given map[string]string
	read  map[string]bool
}

func (t tiles) Height() int { return 8 }

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(asked []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range asked {
		path := strings.TrimPrefix(tile.Path(), "tile/8/")
		text, ok := t.given[path]
		if !ok {
			return nil, fmt.Errorf("there is no tile %s", path)
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		t.read[path] = true
		all = append(all, data)
	}
	return all, nil
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	verifier, err := note.NewVerifier(in.Verifier)
	check(err)
	opened, err := note.Open([]byte(in.Note), note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		check(fmt.Errorf("the origin %s is not the name of the key", lines[0]))
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root := hashOf(lines[2])
	used := tiles{in.Tiles, map[string]bool{}}
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, used)
	rootOf := func(size int64) tlog.Hash {
		hash, err := tlog.TreeHash(size, reader)
		check(err)
		return hash
	}
	for _, proof := range in.Inclusion {
		event, err := base64.StdEncoding.DecodeString(proof.Event)
		check(err)
		hashes := hashesOf(proof.Hashes)
		check(tlog.CheckRecord(hashes, proof.Size, rootOf(proof.Size), proof.LeafIndex, tlog.RecordHash(event)))
	}
	for _, proof := range in.Consistency {
		check(tlog.CheckTree(hashesOf(proof.Hashes), proof.To, rootOf(proof.To), proof.From, rootOf(proof.From)))
	}
	paths := make([]string, 0, len(used.read))
	for path := range used.read {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	fmt.Println("verified", strings.Join(paths, " "))
}
