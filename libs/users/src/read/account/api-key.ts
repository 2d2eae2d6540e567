import { hash } from 'node:crypto';
import type { KeyId } from '../../domain/events';

/** The form of a key (contract/conventions.md section 3). */
export const API_KEY = /^[A-Za-z0-9]{32}$/;

/** Name of a key's secret. */
export const apiKeySecret = (keyId: KeyId): string => `api-key-${keyId}`;

/** The stored form of a key. Keys are random, so a fast hash is enough. */
export const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer');
