import type { Position, RealmId } from '../domain/index';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * The subjects of wake-ups: the head of a realm's log, and the checkpoint of its stored client events. Followers of the
 * log have two of their own: the log grew (`log`, once per interval), and a poll waits for what they make of it
 * (`urgent`, at once).
 */
export type WakeUpTopic = 'head' | 'client-events' | 'log' | 'urgent';

/**
 * All realms are divided into so many shares, which the followers of the log divide among themselves. So more processes
 * than that cannot follow.
 */
export const SHARES = 64;
export type Share = `share_${number}`;
export const ALL_SHARES: readonly Share[] = Array.from({ length: SHARES }, (_, n): Share => `share_${n}`);
export const shareOf = (realmId: RealmId): Share => `share_${realmId % SHARES}`;

/** A realm has reached a position in a topic. */
export interface WakeUp {
  readonly kind: 'wake-up';
  readonly topic: WakeUpTopic;
  readonly realmId: RealmId;
  readonly position: Position;
}

/** A small message that nobody wants to replay, named by the context that sends it. */
export interface Signal {
  readonly kind: 'signal';
  readonly name: string;
  readonly realmId: RealmId;
  readonly payload: Json;
  /** For every process that subscribes to signals, not only for those that listen to the realm. */
  readonly toAll: boolean;
}

export type Notice = WakeUp | Signal;

/**
 * The channels that a process can listen to: the growth of the logs of a share of the realms, the signals for every
 * process, and the notices of one realm.
 */
export type NoticeChannel = Share | 'signals' | `realm_${RealmId}`;

/** A text of at most `MAX_NOTICE_BYTES` to be sent, and its channel. */
export interface Letter {
  readonly channel: NoticeChannel;
  readonly text: string;
}

export const realmChannel = (realmId: RealmId): NoticeChannel => `realm_${realmId}`;

export function channelOf(notice: Notice): NoticeChannel {
  if (notice.kind === 'signal') return notice.toAll ? 'signals' : realmChannel(notice.realmId);
  const isForFollowers = notice.topic === 'log' || notice.topic === 'urgent';
  return isForFollowers ? shareOf(notice.realmId) : realmChannel(notice.realmId);
}

/** The limit of PostgreSQL for the payload of one NOTIFY: less than 8,000 bytes. */
export const MAX_NOTICE_BYTES = 7_900;
/** Largest signal as JSON, with its name and realm. This leaves room for the envelope. */
export const MAX_SIGNAL_BYTES = 7_000;
/** Most signals that wait for a send. Beyond it the oldest are dropped, so an outage costs no memory. */
const MAX_WAITING_SIGNALS = 1_000;

/** Notices that wait to be sent or delivered: of each topic and realm the highest position, and all signals. */
export class Pending {
  private readonly wakeUps = new Map<string, WakeUp>();
  private readonly signals: Signal[] = [];

  get isEmpty(): boolean {
    return this.wakeUps.size === 0 && this.signals.length === 0;
  }

  add(notice: Notice): void {
    if (notice.kind === 'signal') {
      this.signals.push(notice);
      if (this.signals.length > MAX_WAITING_SIGNALS) this.signals.shift();
      return;
    }
    const key = `${notice.realmId} ${notice.topic}`;
    const known = this.wakeUps.get(key);
    if (!known || known.position < notice.position) this.wakeUps.set(key, notice);
  }

  /** Empties it. */
  take(): readonly Notice[] {
    const notices = [...this.wakeUps.values(), ...this.signals];
    this.wakeUps.clear();
    this.signals.length = 0;
    return notices;
  }
}

const textOf = (notice: Notice): string =>
  notice.kind === 'signal'
    ? JSON.stringify(['s', notice.name, notice.realmId, notice.payload])
    : JSON.stringify(['w', notice.topic, notice.realmId, notice.position]);

/** Bytes of a notice in its sent form, in UTF-8. */
export const noticeSize = (notice: Notice): number => Buffer.byteLength(textOf(notice));

/** Notices by channel, each channel in as few texts as possible. */
export function letters(from: string, notices: readonly Notice[]): Letter[] {
  const byChannel = new Map<NoticeChannel, Notice[]>();
  for (const notice of notices) {
    const channel = channelOf(notice);
    const known = byChannel.get(channel);
    if (known) known.push(notice);
    else byChannel.set(channel, [notice]);
  }
  return [...byChannel].flatMap(([channel, its]) => pack(from, its).map((text) => ({ channel, text })));
}

/**
 * Writes the notices, in their order, into as few texts as possible, each of at most `MAX_NOTICE_BYTES` and with its
 * sender: `["<process>",["w","head",1,42],["s","typing",1,{…}]]`.
 */
export function pack(from: string, notices: readonly Notice[]): string[] {
  const texts: string[] = [];
  const start = `[${JSON.stringify(from)}`;
  let text = start;
  let bytes = Buffer.byteLength(start) + 1;
  for (const notice of notices) {
    const more = `,${textOf(notice)}`;
    const size = Buffer.byteLength(more);
    if (bytes + size > MAX_NOTICE_BYTES && text !== start) {
      texts.push(`${text}]`);
      text = start;
      bytes = Buffer.byteLength(start) + 1;
    }
    text += more;
    bytes += size;
  }
  if (text !== start) texts.push(`${text}]`);
  return texts;
}

/**
 * The opposite of `pack`. Null for what `pack` never writes. A topic of a newer version is accepted: it has no
 * listeners here.
 */
export function unpack(
  channel: string,
  text: string,
): { readonly from: string; readonly notices: readonly Notice[] } | null {
  const parsed = parse(text);
  if (!Array.isArray(parsed)) return null;
  const [from, ...rest] = parsed as readonly unknown[];
  if (typeof from !== 'string') return null;
  const notices: Notice[] = [];
  for (const each of rest) {
    const notice = read(each, channel === 'signals');
    if (!notice) return null;
    notices.push(notice);
  }
  return { from, notices };
}

function read(value: unknown, toAll: boolean): Notice | null {
  if (!Array.isArray(value)) return null;
  const [kind, name, realm, content] = value as readonly unknown[];
  if (typeof name !== 'string' || typeof realm !== 'number') return null;
  const realmId = realm as RealmId;
  if (kind === 'w' && typeof content === 'number')
    return { kind: 'wake-up', topic: name as WakeUpTopic, realmId, position: content as Position };
  if (kind === 's' && content !== undefined) return { kind: 'signal', name, realmId, payload: content as Json, toAll };
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
