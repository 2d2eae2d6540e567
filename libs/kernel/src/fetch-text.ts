/**
 * Sends a request to another server and reads the answer as text.
 *
 * @param maxBytes of the answer
 * @throws RangeError when the answer is longer, and what `fetch` throws
 */
export async function fetchText(
  url: string,
  request: RequestInit,
  maxBytes: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, request);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes) throw new RangeError('too long');
    chunks.push(chunk as Uint8Array);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString() };
}
