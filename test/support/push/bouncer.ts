import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { CallRecorder } from '../events/call-recorder';
import type { KeyPair } from './sealed-box';
import { newKeyPair, opened, sealed } from './sealed-box';

/** How a push service behaves. */
export type BouncerBehaviour =
  | 'accepts'
  /** Ends the connection. */
  | 'away'
  /** Answers 500. */
  | 'broken'
  /** Answers what is no envelope. */
  | 'babbles'
  /** Does not know this server. */
  | 'strange'
  /** Answers when `release` is called. */
  | 'slow'
  /** Does what it is asked for and never says so. */
  | 'mute'
  | { readonly refuses: string };

/** A phone as the reference push service knows it, and as its app does. */
export interface Phone {
  readonly kind: 'fcm' | 'apns';
  readonly token: string;
  readonly keyId: number;
  readonly key: Buffer;
}

export interface DeliveredNotification {
  readonly phone: string;
  /** The decrypted part, which only the phone can read. */
  readonly text: Record<string, unknown>;
  readonly request: Record<string, unknown>;
}

const ORGANIZATION = { id: '6f1a0c5e-3f31-4a52-9d3a-2f2a7f2b8c11', key: 'the key of this organization' };

/** A small push service on this machine: it opens sealed registrations and, unlike a real one, reads what it carries. */
export class ReferenceBouncer {
  behaviour: BouncerBehaviour = 'accepts';
  /** Tokens that phones have thrown away. */
  readonly expired = new Set<string>();
  /** Every request with its fields. */
  readonly asked = new CallRecorder<[path: string, fields: Readonly<Record<string, string>>]>();
  readonly notified = new CallRecorder<[DeliveredNotification]>();
  private readonly tokens = new Map<number, string>();
  private readonly phones = new Map<string, Phone>();
  private readonly keys: KeyPair = newKeyPair();
  private readonly waiting: (() => void)[] = [];
  private readonly sockets = new Set<Socket>();

  private url = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ReferenceBouncer> {
    const server = createServer();
    const bouncer = new ReferenceBouncer(server);
    server.on('request', (request, response) => void bouncer.answer(request, response));
    server.on('connection', (socket) => bouncer.sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    bouncer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return bouncer;
  }

  async stop(): Promise<void> {
    this.release();
    await this.leave();
  }

  /** Ends connections, and refuses new ones. */
  async leave(): Promise<void> {
    const left = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    await left;
  }

  /** Is there again, where it was before it left. */
  async comeBack(): Promise<void> {
    const { port } = new URL(this.url);
    await new Promise<void>((resolve) => this.server.listen(Number(port), '127.0.0.1', resolve));
  }

  /** The settings of a server for it. */
  get env(): Record<string, string> {
    return {
      ANNALS_PUSH_BOUNCER_URL: this.url,
      ANNALS_PUSH_ORG_ID: ORGANIZATION.id,
      ANNALS_PUSH_ORG_KEY: ORGANIZATION.key,
    };
  }

  /** A phone of which the push service knows nothing but what is encrypted for it. */
  phone(kind: Phone['kind'] = 'fcm'): Phone {
    const token = randomBytes(32).toString('hex');
    const phone = {
      kind,
      token,
      keyId: randomBytes(4).readUInt32BE(),
      key: Buffer.concat([Buffer.of(0x31), randomBytes(32)]),
    };
    this.phones.set(token, phone);
    return phone;
  }

  /** The phone has another key from now on. */
  rekeyed(phone: Phone): Phone {
    const changed = { ...phone, ...this.newKey() };
    this.phones.set(phone.token, changed);
    return changed;
  }

  /** The parameters with which an app registers a phone: the key, the token, or both. */
  registration(phone: Phone, only: 'both' | 'key' | 'token' = 'both'): Record<string, string | number> {
    const key = { push_key_id: phone.keyId, push_key: phone.key.toString('base64') };
    const secret = { token: phone.token, token_kind: phone.kind, timestamp: 1_767_225_600 };
    const plain = JSON.stringify({ ...secret, ...(phone.kind === 'apns' && { ios_app_id: 'org.example.App' }) });
    const token = {
      token_kind: phone.kind,
      token_id: tokenIdOf(phone.token),
      bouncer_public_key: this.keys.publicKey.toString('base64'),
      encrypted_push_registration: sealed(plain, this.keys.publicKey).toString('base64'),
    };
    return { ...(only !== 'token' && key), ...(only !== 'key' && token) };
  }

  /** Answers the requests that it has delayed. */
  release(): void {
    for (const answer of this.waiting.splice(0)) answer();
  }

  private newKey(): Pick<Phone, 'keyId' | 'key'> {
    return { keyId: randomBytes(4).readUInt32BE(), key: Buffer.concat([Buffer.of(0x31), randomBytes(32)]) };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const { behaviour: mood } = this;
    const path = (request.url ?? '').replace('/api/v1/remotes/push/', '');
    this.asked.listener(path, fields);
    if (mood === 'slow') await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (mood === 'away' || response.destroyed) return void request.socket.destroy();
    const { status, body } = this.judge(mood === 'slow' || mood === 'mute' ? 'accepts' : mood, request, path, fields);
    if (mood === 'mute') return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private judge(
    mood: Exclude<BouncerBehaviour, 'slow' | 'mute' | 'away'>,
    { headers }: IncomingMessage,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): { status: number; body: unknown } {
    const refused = (code: string, status = 400) => ({ status, body: { result: 'error', msg: 'No.', code } });
    const expected = `Basic ${Buffer.from(`${ORGANIZATION.id}:${ORGANIZATION.key}`).toString('base64')}`;
    if (headers.authorization !== expected) return refused('INVALID_ZULIP_SERVER', 401);
    if (mood === 'broken') return { status: 500, body: '<h1>500</h1>' };
    if (mood === 'babbles') return { status: 200, body: 'hello' };
    if (mood === 'strange') return refused('MISSING_REMOTE_REALM');
    if (typeof mood === 'object') return refused(mood.refuses);
    const answer = path === 'e2ee/register' ? this.register(fields) : path === 'e2ee/notify' ? this.notify(fields) : {};
    return typeof answer === 'string'
      ? refused(answer)
      : { status: 200, body: { result: 'success', msg: '', ...answer } };
  }

  private register(fields: Readonly<Record<string, string>>): object | string {
    if (fields['bouncer_public_key'] !== this.keys.publicKey.toString('base64')) return 'INVALID_BOUNCER_PUBLIC_KEY';
    try {
      const box = Buffer.from(fields['encrypted_push_registration'] ?? '', 'base64');
      const { token } = JSON.parse(opened(box, this.keys)) as { token: string };
      if (tokenIdOf(token) !== fields['token_id']) return 'INVALID_ENCRYPTED_PUSH_REGISTRATION';
      const device_id = this.tokens.size + 1001;
      this.tokens.set(device_id, token);
      return { device_id };
    } catch {
      return 'INVALID_ENCRYPTED_PUSH_REGISTRATION';
    }
  }

  private notify(fields: Readonly<Record<string, string>>): object {
    const requests = JSON.parse(fields['push_requests'] ?? '[]') as { device_id: number; payload: object }[];
    const tokenOf = ({ device_id }: { device_id: number }) => this.tokens.get(device_id) ?? '';
    const expired = requests.filter((request) => this.expired.has(tokenOf(request)));
    for (const request of requests) {
      const phone = this.phones.get(tokenOf(request));
      if (!phone || expired.includes(request)) continue;
      this.notified.listener({ phone: phone.token, text: read(phone, request.payload), request: { ...request } });
    }
    const counts = {
      android_successfully_sent_count: requests.length - expired.length,
      apple_successfully_sent_count: 0,
    };
    return { ...counts, delete_device_ids: expired.map(({ device_id }) => device_id), realm_push_status: null };
  }
}

/** Decrypts a notification. @throws Error when it was encrypted with another key */
function read(phone: Phone, payload: object): Record<string, unknown> {
  const { push_key_id, encrypted_data } = payload as { push_key_id: unknown; encrypted_data: string };
  const keyId = phone.kind === 'fcm' ? String(phone.keyId) : phone.keyId;
  if (push_key_id !== keyId) throw new Error('locked with another key');
  const blob = Buffer.from(encrypted_data, 'base64');
  const text = xsalsa20poly1305(phone.key.subarray(1), blob.subarray(0, 24)).decrypt(blob.subarray(24));
  return JSON.parse(Buffer.from(text).toString()) as Record<string, unknown>;
}

/** contract/push.md section 2, `token_id` */
export const tokenIdOf = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
