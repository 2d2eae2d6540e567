/** The first bytes of a body, and whether it has more. The rest is not read. */
export async function beginningOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left < 0) break;
  }
  return { body: Buffer.concat(chunks), isCut: left < 0 };
}
