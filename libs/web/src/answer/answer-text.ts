import { longWork } from '@annals/kernel';
import { ReadyJson } from '@annals/kernel/domain';

/** Lists and objects with more than this are written in pieces. */
const FEW = 100;
/** Depth to which longer lists are searched: a list in a field of an object in an answer. */
const MAX_DEPTH = 4;
/** Characters of one piece. A thousand take about a microsecond to write. */
const PIECE = 32_768;
/** Characters that are written without a pause for other work. An ordinary page of messages has fewer. */
const AT_ONCE = 4 * PIECE;

/** Whether writing an answer as JSON may take long, or a part of it is written already. */
export function isLong(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ReadyJson) return true;
  if (depth === 0) return false;
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.length > FEW || values.some((one) => isLong(one, depth - 1));
}

/**
 * The JSON text of a long answer as UTF-8, written in time slices: ten megabytes at once would delay all other
 * requests.
 *
 * @param asker the account whose work it is
 */
export async function writtenInTurns(answer: object, asker: string): Promise<Buffer> {
  const texts = textsOf(answer);
  const first = nextPiece(texts, AT_ONCE);
  if (first.length < AT_ONCE) return Buffer.from(first);
  const written = [Buffer.from(first)];
  for (;;) {
    const { result } = await longWork.run(asker, () => Buffer.from(nextPiece(texts, PIECE)));
    if (result.length === 0) return Buffer.concat(written);
    written.push(result);
  }
}

function nextPiece(texts: Iterator<string, void>, length: number): string {
  let piece = '';
  while (piece.length < length) {
    const next = texts.next();
    if (next.done) return piece;
    piece += next.value;
  }
  return piece;
}

/** The JSON of a value, in small texts. */
function* textsOf(value: unknown, depth = MAX_DEPTH): Generator<string, void> {
  if (value instanceof ReadyJson) yield* partsOf(value.text);
  else if (!isLong(value, depth)) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* listed(value, depth);
  else yield* keyed(value as object, depth);
}

function* listed(values: readonly unknown[], depth: number): Generator<string, void> {
  let before = '[';
  for (const one of values) {
    yield before;
    yield* textsOf(one === undefined ? null : one, depth - 1);
    before = ',';
  }
  yield values.length === 0 ? '[]' : ']';
}

function* keyed(value: object, depth: number): Generator<string, void> {
  let before = '{';
  for (const [name, one] of Object.entries(value) as [string, unknown][]) {
    if (one === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* textsOf(one, depth - 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** A text in parts, none of which ends within a pair of surrogates. */
function* partsOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    let to = from + PIECE;
    if ((text.codePointAt(to - 1) ?? 0) > 0xffff) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}
