import type { Moment, Static, TSchema } from '@annals/kernel/domain';
import { Rejected, parseMoment, t } from '@annals/kernel/domain';
import { jsonParser, parseBoolean, parseId, parseInteger, parseJson } from './json';
import { reject } from './rejections';
import { declareParam } from './spec';
import type { DeclaredParam } from './spec';
import type { TextRules } from './text';
import { checkText } from './text';

/** Options of every parameter decorator. */
export interface ParamOptions {
  /** May be left out. A property with an initial value is optional anyway, and the initial value is its default. */
  readonly optional?: boolean;
  /** Name in the API. The property's name when left out. */
  readonly name?: string;
  /** Older names. Sending two names of one parameter is REQUEST_CONFUSING_VAR. */
  readonly aliases?: readonly string[];
  /** One sentence for the reference. */
  readonly about?: string;
  /** It is checked, but has no effect yet. Answers list it among the ignored parameters. */
  readonly noEffect?: boolean;
}

/** For parameters whose text is JSON. */
export interface JsonOptions extends ParamOptions {
  /** The text `null` is a value. Otherwise an optional parameter counts as missing with it. */
  readonly nullable?: boolean;
}

/** For words and texts that some clients send in JSON quotes. */
export interface QuotableOptions {
  /** Accepts `"word"` beside `word`. */
  readonly quoted?: boolean;
}

type Decode = (text: string, name: string) => unknown;

/** A raw text (contract/conventions.md section 2, plain strings). */
export function TextParam(options: ParamOptions & QuotableOptions & TextRules = {}): PropertyDecorator {
  const { min, max } = options;
  const schema = t.String({
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
  });
  return raw(options, schema, (text, name) => checkText(options.quoted ? unquoted(text) : text, name, options));
}

/** One of some words. */
export function WordParam(words: readonly string[], options: ParamOptions & QuotableOptions = {}): PropertyDecorator {
  const schema = t.Unsafe<string>({ type: 'string', enum: words });
  return raw(options, schema, (text, name) => {
    const word = options.quoted ? unquoted(text) : text;
    if (!words.includes(word)) throw reject.invalid({ name });
    return word;
  });
}

/** Exactly `true` or `false`. */
export function BooleanParam(options: JsonOptions = {}): PropertyDecorator {
  return json(options, t.Boolean(), parseBoolean);
}

/** A whole number within 53 bits. */
export function IntegerParam(options: JsonOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  const bounds = {
    ...(options.min !== undefined && { minimum: min }),
    ...(options.max !== undefined && { maximum: max }),
  };
  return json(options, t.Integer(bounds), (text, name) => {
    const value = parseInteger(text, name);
    if (value < min) throw new Rejected('BAD_REQUEST', `${name} is too small`);
    if (value > max) throw new Rejected('BAD_REQUEST', `${name} is too large`);
    return value;
  });
}

/** A JSON list of whole numbers. */
export function IntegersParam(options: JsonOptions & { min?: number; maxItems?: number } = {}): PropertyDecorator {
  const { min = Number.MIN_SAFE_INTEGER, maxItems = 50_000 } = options;
  const item = t.Integer(options.min === undefined ? {} : { minimum: min });
  return json(options, t.Array(item, { maxItems }), (text, name) => {
    const list = parseJson(text, name);
    if (!isList(list)) throw new Rejected('BAD_REQUEST', `${name} is not a list`);
    if (list.length > maxItems) throw new Rejected('BAD_REQUEST', `${name} is too long (limit: ${maxItems} entries)`);
    const wrong = list.findIndex((value) => !Number.isSafeInteger(value) || Number(value) < min);
    if (wrong >= 0) throw new Rejected('BAD_REQUEST', `${name}[${wrong}] is not an integer`);
    return list;
  });
}

/** JSON of one shape. A TypeBox schema declares, checks and documents it. */
export function JsonParam(schema: TSchema, options: JsonOptions = {}): PropertyDecorator {
  return json(options, schema, jsonParser(schema));
}

/**
 * For the few parameters with an encoding of their own, for example a number or one of some words.
 *
 * @param encoding `json` when the text `null` means "missing" for an optional parameter
 * @param decode throws Rejected for an invalid text
 */
export function CustomParam<T extends TSchema>(
  schema: T,
  encoding: 'raw' | 'json',
  decode: (text: string, name: string) => Static<T>,
  options: JsonOptions = {},
): PropertyDecorator {
  return declare('fields', encoding, options, schema, decode);
}

/** The ids of the boxes that somebody has ticked in the form of a page (`choices`). A form without a ticked box does not have it. */
export function TickedParam(options: Pick<ParamOptions, 'name' | 'about'> = {}): PropertyDecorator {
  const decode: Decode = (text, name) => text.split(',').map((id) => parseTicked(id, name));
  return declare('boxes', 'raw', { ...options, optional: true }, t.Array(t.Integer({ minimum: 0 })), decode);
}

/** A moment of the past: a position, UNIX seconds, or an RFC 3339 time (contract/audit.md). */
export function MomentParam(options: ParamOptions = {}): PropertyDecorator {
  const schema = t.Unsafe<Moment>({ type: 'string', examples: ['p1234', '1764100000', '2026-11-23T09:18:52.113Z'] });
  return raw(options, schema, parseMoment);
}

/** A decimal id in the path. A segment with other characters does not match the route (404). */
export function PathId(options: Pick<ParamOptions, 'name' | 'about'> = {}): PropertyDecorator {
  return declare('path', 'raw', { ...options, optional: false }, t.Integer({ minimum: 0 }), parseId);
}

/** A percent-decoded text in the path. */
export function PathText(options: Pick<ParamOptions, 'name' | 'about'> & TextRules = {}): PropertyDecorator {
  const decode: Decode = (text, name) => checkText(text, name, options);
  return declare('path', 'raw', { ...options, optional: false }, t.String(), decode);
}

function parseTicked(id: string, name: string): number {
  if (!/^\d+$/.test(id)) throw reject.invalid({ name });
  return parseId(id, name);
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** The text within JSON quotes, or the text itself when it is no JSON string. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

const raw = (options: ParamOptions, schema: TSchema, decode: Decode) =>
  declare('fields', 'raw', options, schema, decode);
const json = (options: JsonOptions, schema: TSchema, decode: Decode) =>
  declare('fields', 'json', options, schema, decode);

function declare(
  place: DeclaredParam['place'],
  encoding: DeclaredParam['encoding'],
  options: JsonOptions,
  schema: TSchema,
  decode: Decode,
): PropertyDecorator {
  return (prototype, key) => {
    const property = String(key);
    const names = [options.name ?? property, ...(options.aliases ?? [])] as const;
    const { optional, nullable = false, about, noEffect = false } = options;
    declareParam(prototype, { property, names, place, encoding, optional, nullable, schema, about, noEffect, decode });
  };
}
