import { isUtf8 } from 'node:buffer';
import { rejection } from '@annals/kernel/domain';
import { missingParameter } from '../params/decode';
import { parseAnyJson } from '../params/json';
import type { Fields } from '../params/spec';
import { decoded } from './decoded';
import { decodeForm } from './form';

const malformed = rejection('INVALID_JSON', 'Malformed JSON');
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** A body that says it is a form, but begins like JSON. Programs such as curl send one unless they are told otherwise. */
const JSON_START = /^\s*[[{]/;
/** Field of a form with the payload. */
const FIELD = 'payload';

/** The parts of a request that have its payload. */
export interface PayloadSource {
  readonly headers: { readonly 'content-type'?: string | undefined };
  /** The body as it was received. Left out for a multipart body, whose fields were read. */
  readonly payload?: Buffer;
  readonly body: Fields | undefined;
}

/**
 * The payload of another system: the body, or the field `payload` of a form.
 *
 * @throws Rejected INVALID_JSON, REQUEST_VARIABLE_MISSING for a form without the field, or BAD_REQUEST for a payload that is
 *   nested too deeply or has too many entries
 */
export function readPayload({ payload, body, headers }: PayloadSource, asker: string, maxKeys?: number): unknown {
  const parse = (text: string): unknown => parseAnyJson(text, FIELD, malformed, maxKeys);
  if (!payload) return parse(body?.[FIELD] ?? '');
  return decoded(payload.length, asker, () => parse(textOf(payload, headers['content-type'] ?? '')));
}

function textOf(body: Buffer, type: string): string {
  if (!isUtf8(body)) throw malformed();
  const text = body.toString();
  if (!FORM.test(type) || JSON_START.test(text)) return text;
  const field = decodeForm(text)[FIELD];
  if (field === undefined) throw missingParameter(FIELD);
  return field;
}
