import { fetchText } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import type { TokenKind } from '../domain/events';

/** URL and credentials of a push service. */
export interface BouncerAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly orgId: string;
  readonly orgKey: string;
  /** Limit of an answer, in milliseconds. Left out: 10 s. */
  readonly timeoutMs?: number;
}

/**
 * Why a request to the push service failed: it was unreachable or gave an invalid answer, it had an error of its own,
 * an operator must act, or it refused the request.
 */
export type FailureKind = 'away' | 'broken' | 'administrator' | 'refused';

/** Contains nothing that was sent, and no credentials of this server. */
export class BouncerFailure extends Error {
  override readonly name = 'BouncerFailure';

  constructor(
    readonly trouble: FailureKind,
    /** Error code of the service. Empty without one. */
    readonly code: string,
  ) {
    super(`the push service: ${trouble}${code === '' ? '' : ` (${code})`}`);
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.trouble !== 'refused' || this.code === 'RATE_LIMIT_HIT';
  }
}

/** A notification for one device, encrypted for it. */
export interface PushRequest {
  readonly device_id: number;
  readonly [field: string]: unknown;
}

const TIMEOUT_MS = 10_000;
/** Answers are a few numbers. A longer one is invalid. */
const MAX_ANSWER_BYTES = 1_000_000;
const CODE = /^[A-Z][A-Z0-9_]{0,99}$/;
/** Error codes for servers that are not registered, or whose plan has ended. */
const FOR_ADMINISTRATORS: ReadonlySet<string> = new Set([
  'INVALID_ZULIP_SERVER',
  'MISSING_REMOTE_REALM',
  'REMOTE_REALM_SERVER_MISMATCH_ERROR',
  'PUSH_NOTIFICATIONS_DISALLOWED',
  'REMOTE_SERVER_DEACTIVATED',
]);

/** The client of the push service (contract/push.md section 4.1), the only way to reach phones. */
@Injectable()
export class Bouncer {
  /** @param access null if not configured */
  constructor(private readonly access: BouncerAccess | null) {}

  get isConfigured(): boolean {
    return this.access !== null;
  }

  /** @returns the service's id of the device @throws BouncerFailure */
  async register(registration: {
    readonly realmUuid: string;
    readonly tokenId: string;
    readonly bouncerPublicKey: string;
    readonly encryptedRegistration: string;
  }): Promise<number> {
    const { device_id: id } = await this.call('push/e2ee/register', {
      realm_uuid: registration.realmUuid,
      token_id: registration.tokenId,
      bouncer_public_key: registration.bouncerPublicKey,
      encrypted_push_registration: registration.encryptedRegistration,
    });
    if (!isId(id)) throw new BouncerFailure('away', '');
    return id;
  }

  /** @returns those of the devices whose tokens have expired. @throws BouncerFailure */
  async notify(realmUuid: string, requests: readonly PushRequest[]): Promise<ReadonlySet<number>> {
    const { delete_device_ids: expired } = await this.call('push/e2ee/notify', {
      realm_uuid: realmUuid,
      push_requests: JSON.stringify(requests),
    });
    return new Set(Array.isArray(expired) ? expired.filter(isId) : []);
  }

  /** The test notification of older apps. @throws BouncerFailure */
  async testLegacy(
    realmUuid: string,
    to: { readonly userId: number; readonly kind: TokenKind; readonly token: string },
    payload: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.call('push/test_notification', {
      realm_uuid: realmUuid,
      user_id: String(to.userId),
      token: to.token,
      token_kind: to.kind,
      base_payload: JSON.stringify(payload),
    });
  }

  private async call(path: string, fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    if (!this.access) throw new BouncerFailure('administrator', '');
    const { url, orgId, orgKey, timeoutMs = TIMEOUT_MS } = this.access;
    const { status, text } = await answerOf(`${url}/api/v1/remotes/${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${orgId}:${orgKey}`).toString('base64')}` },
      body: new URLSearchParams(fields),
      // Credentials of this server are sent to the URL of the operator, and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return checkedFields(status, fieldsOf(text));
  }
}

/** @throws BouncerFailure `away`, without the cause, which could contain the URL and its credentials */
async function answerOf(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  try {
    return await fetchText(url, request, MAX_ANSWER_BYTES);
  } catch {
    throw new BouncerFailure('away', '');
  }
}

/** @returns the fields of a success. @throws BouncerFailure */
function checkedFields(status: number, fields: Record<string, unknown> | null): Record<string, unknown> {
  const code = fields !== null && typeof fields['code'] === 'string' && CODE.test(fields['code']) ? fields['code'] : '';
  if (status >= 500) throw new BouncerFailure('broken', code);
  if (status === 401 || status === 403 || FOR_ADMINISTRATORS.has(code)) throw new BouncerFailure('administrator', code);
  if (fields === null) throw new BouncerFailure('away', '');
  if (status === 429) throw new BouncerFailure('refused', 'RATE_LIMIT_HIT');
  if (fields['result'] === 'error') throw new BouncerFailure('refused', code === '' ? 'BAD_REQUEST' : code);
  if (status !== 200 || fields['result'] !== 'success') throw new BouncerFailure('away', '');
  return fields;
}

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);
