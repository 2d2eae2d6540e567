import { beginningOf } from './beginning-of';

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
  const { body, isCut } = await beginningOf(response.body ?? [], maxBytes);
  if (isCut) throw new RangeError('too long');
  return { status: response.status, text: body.toString() };
}
