import type { Static, TSchema } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { reject } from './rejections';
import { isUnstorable } from './text';

/** Deepest nesting of arrays and objects that a JSON-encoded parameter may have. */
const MAX_DEPTH = 32;
/** Most entries of all its arrays and objects together. The longest list of a parameter has half as many. */
const MAX_ENTRIES = 100_000;
/** Most keys of all its objects together. Reading keys takes ten times as long as reading numbers. */
const MAX_KEYS = 10_000;
const INTEGER = /^\s*-?(?:0|[1-9]\d*)\s*$/;

const NUMBER = /-?\d[\d.eE+-]*/g;
/** A fast search for a fraction, an exponent or many digits, also within a text. */
const PERHAPS_OTHER_NUMBER = /\d(?:[.eE]|\d{15})/;

const notA = (kind: string, name: string) => new Rejected('BAD_REQUEST', `${name} is not ${kind}`);

/** @throws Rejected BAD_REQUEST unless the text is exactly `true` or `false` */
export function parseBoolean(text: string, name: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw notA('a boolean', name);
}

/** @throws Rejected BAD_REQUEST for anything but a whole number within 53 bits */
export function parseInteger(text: string, name: string): number {
  const value = INTEGER.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw notA('an integer', name);
  return value === 0 ? 0 : value; // `-0` is JSON too
}

/** @throws Rejected BAD_REQUEST for a number beyond all ids. Other texts do not match the route at all */
export function parseId(digits: string, name: string): number {
  const id = Number(digits);
  if (!Number.isSafeInteger(id)) throw reject.invalid({ name });
  return id;
}

/**
 * Parses JSON text.
 *
 * @throws Rejected BAD_REQUEST when it is malformed, nested too deeply, has too many entries, or contains NUL, half a
 *   surrogate pair or a number that is not whole and within 53 bits (contract/conventions.md section 2)
 */
export function parseJson(text: string, name: string): unknown {
  const value = parseAnyJson(text, name, () => new Rejected('BAD_REQUEST', `${name} is not valid JSON`));
  refuseOtherNumbers(text, name);
  return value;
}

/**
 * The same with any numbers, for JSON that another system made.
 *
 * @param malformed the refusal of what is no JSON
 * @param maxKeys most keys of all its objects together
 */
export function parseAnyJson(text: string, name: string, malformed: () => Rejected, maxKeys = MAX_KEYS): unknown {
  if (isUnstorable(text)) throw reject.badCharacter({ name });
  refuseTooMuch(text, name, maxKeys);
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    throw malformed();
  }
  // Only an escape can add a character that the text itself does not contain.
  if (text.includes('\\u') && holdsUnstorable(value)) throw reject.badCharacter({ name });
  return value;
}

/**
 * Creates a parser for JSON text of one shape.
 *
 * @throws Rejected BAD_REQUEST from the parser, with the first part that is wrong
 */
export function jsonParser<T extends TSchema>(schema: T): (text: string, name: string) => Static<T> {
  const shape = TypeCompiler.Compile(schema);
  return (text, name) => {
    const value = parseJson(text, name);
    if (shape.Check(value)) return value;
    const problem = shape.Errors(value).First();
    throw new Rejected(
      'BAD_REQUEST',
      `Invalid ${name}${place(problem?.path ?? '')}: ${inWords(problem?.message ?? '')}`,
    );
  };
}

/** The message of the validator, for users of an API. */
function inWords(problem: string): string {
  if (problem === 'Expected union value') return 'has a value of another kind than allowed';
  if (problem === 'Expected required property') return 'is missing';
  if (problem === 'Unexpected property') return 'is an unexpected key';
  return problem
    .replace(/^Expected (\w+) length to be (\w+) or equal to (\d+)$/, 'expected a length $2 than or equal to $3')
    .replace(/^Expected/, 'expected');
}

/** `/0/id` → `[0]["id"]` */
function place(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `["${key}"]`))
    .join('');
}

/**
 * Reads the text, because the value does not distinguish `1.0` from 1, nor a number beyond 53 bits from the next one.
 */
function refuseOtherNumbers(text: string, name: string): void {
  if (!PERHAPS_OTHER_NUMBER.test(text)) return;
  for (const [number] of withoutTexts(text).matchAll(NUMBER)) parseInteger(number, `${number} in ${name}`);
}

/** Well-formed JSON, of which only what is outside its texts and keys remains. */
function withoutTexts(text: string): string {
  let kept = '';
  let from = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', from)) {
    kept += text.slice(from, start);
    from = endOfText(text, start) + 1;
  }
  return kept + text.slice(from);
}

/** Reads the text before it is parsed, so a refusal costs no more than reading it. */
function refuseTooMuch(text: string, name: string, maxKeys: number): void {
  if (text.length <= 2 * MAX_DEPTH) return;
  let [depth, entries, keys] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfText(text, at);
    else if (unit === COMMA) entries += 1;
    else if (unit === COLON) keys += 1;
    else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) depth += 1;
    else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) throw new Rejected('BAD_REQUEST', `${name} is nested too deeply`);
    if (entries > MAX_ENTRIES || keys > maxKeys) throw new Rejected('BAD_REQUEST', `${name} has too many entries`);
  }
}

/** @returns the index of the quote that ends the text that begins here. The end if there is none */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return isUnstorable(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => isUnstorable(key) || holdsUnstorable(item));
}
