import canonicalize from 'canonicalize';
import { hash, randomFillSync } from 'node:crypto';
import type { Metadata } from '../../domain/index';

/**
 * Canonical JSON text (RFC 8785): one value has one text, in whatever order its keys were written.
 *
 * @throws TypeError for what JSON cannot represent exactly: NUL, lone surrogates, non-finite numbers
 */
export function canonicalText(value: unknown): string {
  return ensureExact(canonicalize(value));
}

/** @throws TypeError for a result of `canonicalize` that does not represent its value exactly */
export function ensureExact(text: string | undefined): string {
  if (text === undefined) throw new TypeError('value has no JSON form');
  if (text.includes('\\u') && FORBIDDEN_ESCAPE.test(text)) {
    throw new TypeError('text holds a NUL character or a lone surrogate');
  }
  return text;
}

// JSON.stringify writes both as escapes. After an even number of backslashes it is an escape, and not two characters.
const FORBIDDEN_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

const SALT_BYTES = 16;
const salts = Buffer.alloc(SALT_BYTES * 256);
let nextSalt = salts.length;

/**
 * Sixteen random bytes that keep a commitment from being guessed. They are made in blocks, because each call costs a
 * system call.
 */
export function newSalt(): Buffer {
  if (nextSalt === salts.length) {
    randomFillSync(salts);
    nextSalt = 0;
  }
  const salt = Buffer.from(salts.subarray(nextSalt, nextSalt + SALT_BYTES));
  nextSalt += SALT_BYTES;
  return salt;
}

/** SHA-256(salt ‖ canonical sealed text): proves later what was sealed without showing it. */
export function commitmentOf(salt: Buffer, sealedText: string): Buffer {
  return hash('sha256', Buffer.concat([salt, Buffer.from(sealedText)]), 'buffer');
}

/** The hashed part of an event, in its final text. */
export interface Written {
  readonly v: number;
  readonly dataText: string;
  readonly commitment: Buffer | null;
}

/** The canonical text of an event without its sealed part: finished parts in key order. */
export function leafText(event: Metadata & { readonly type: string }, { v, dataText, commitment }: Written): string {
  const committed = commitment ? `"${commitment.toString('hex')}"` : 'null';
  const causation = event.causation === null ? 'null' : JSON.stringify(event.causation);
  return (
    `{"actorId":${event.actorId},"at":${event.at},"causation":${causation},"client":${JSON.stringify(event.client)}` +
    `,"commandId":"${event.commandId}","commitment":${committed},"correlation":"${event.correlation}"` +
    `,"data":${dataText},"position":${event.position},"realmId":${event.realmId}` +
    `,"stream":${JSON.stringify(event.stream)},"type":"${event.type}","v":${v},"version":${event.version}}`
  );
}

/** RFC 6962 leaf hash: SHA-256(0x00 ‖ leaf). */
export const leafHash = (event: Metadata & { readonly type: string }, written: Written): Buffer =>
  hash('sha256', `\0${leafText(event, written)}`, 'buffer');

/** The canonical bytes of a stored event, which its leaf hash is of. They have no part of what is sealed. */
export const canonicalEvent = (event: Metadata & { readonly type: string } & Written): Buffer =>
  Buffer.from(leafText(event, event));
