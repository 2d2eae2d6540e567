// Verifies a log of Annals with the reference implementation of the Go checksum database: the checkpoint, tiles,
// inclusion and consistency proofs. Standard input has one JSON object. It prints "verified" or ends with an error.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Verifier  string   `json:"verifier"`
	Note      string   `json:"note"`
	Leaves    []string `json:"leaves"`
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

// The tree that the leaves make, and its root at every size.
func rootsOf(leaves []string) []tlog.Hash {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	roots := []tlog.Hash{{}}
	for n, leaf := range leaves {
		hashes, err := tlog.StoredHashesForRecordHash(int64(n), hashOf(leaf), reader)
		check(err)
		stored = append(stored, hashes...)
		root, err := tlog.TreeHash(int64(n)+1, reader)
		check(err)
		roots = append(roots, root)
	}
	return roots
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
	roots := rootsOf(in.Leaves)
	if size != int64(len(in.Leaves)) || roots[size] != root {
		check(fmt.Errorf("the tiles have another root than the checkpoint"))
	}
	for _, proof := range in.Inclusion {
		event, err := base64.StdEncoding.DecodeString(proof.Event)
		check(err)
		check(tlog.CheckRecord(hashesOf(proof.Hashes), proof.Size, roots[proof.Size], proof.LeafIndex, tlog.RecordHash(event)))
	}
	for _, proof := range in.Consistency {
		check(tlog.CheckTree(hashesOf(proof.Hashes), proof.To, roots[proof.To], proof.From, roots[proof.From]))
	}
	fmt.Println("verified")
}
