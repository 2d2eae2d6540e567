import { createHash } from 'node:crypto';
import type { KeyId } from '../../domain/events';

/** What a key looks like (contract/conventions.md section 3). */
export const API_KEY = /^[A-Za-z0-9]{32}$/;

/** Name of a key's secret. */
export const keySecret = (keyId: KeyId): string => `api-key-${keyId}`;

/** What is kept of a key. Keys are random, so nothing slower than this is needed. */
export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();
