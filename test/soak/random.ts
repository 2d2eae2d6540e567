/** Numbers from 0 up to 1 that are the same for the same seed (xorshift32). */
export function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The same things in another order. */
export function shuffled<Thing>(things: readonly Thing[], random: () => number): Thing[] {
  const left = [...things];
  return things.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}
