/** The engines that a consumer can deliver to. */
export const SINK_KINDS = ['nats', 'kafka', 'redis'] as const;
export type SinkKind = (typeof SINK_KINDS)[number];

/** Where the events of a consumer go. */
export interface SinkTarget {
  readonly kind: SinkKind;
  /** URLs of NATS servers, `host:port` of Kafka brokers, or the one URL of a Redis. Without credentials. */
  readonly servers: readonly string[];
  /** The JetStream stream, the topic of Kafka or the key of the Redis stream. */
  readonly stream: string;
  /** What is put in front of the type of an event to make its NATS subject. Empty for others. */
  readonly subjectPrefix: string;
  /** Name of the credentials in the settings of the server. Null without any. */
  readonly credentials: string | null;
}

/** A server of an engine. */
export interface SinkServer {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  /** Number of the database of a Redis. */
  readonly database: number;
}

interface Scheme {
  readonly port: number;
  readonly isEncrypted: boolean;
}

const SCHEMES: Readonly<Record<SinkKind, Readonly<Record<string, Scheme>>>> = {
  nats: { 'nats:': { port: 4_222, isEncrypted: false }, 'tls:': { port: 4_222, isEncrypted: true } },
  redis: { 'redis:': { port: 6_379, isEncrypted: false }, 'rediss:': { port: 6_379, isEncrypted: true } },
  kafka: { 'kafka:': { port: 9_092, isEncrypted: false } },
};
const DATABASE = /^\/?(\d{0,5})$/;
/** What no host, port or path has, and what parsers of URLs read in different ways. */
const UNUSUAL = /[\s\\@%]/;

/** A server in the form of its kind. Null for what is none, or has credentials in it. */
export function sinkServer(kind: SinkKind, written: string): SinkServer | null {
  const text = kind === 'kafka' ? `kafka://${written}` : written;
  if (UNUSUAL.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const scheme = SCHEMES[kind][url.protocol];
  const [, database] = DATABASE.exec(url.pathname) ?? [];
  if (!scheme || url.hostname === '' || url.port === '0' || url.search !== '' || url.hash !== '') return null;
  if (database === undefined || (kind !== 'redis' && url.pathname.replace('/', '') !== '')) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return { host, port: Number(url.port || scheme.port), isEncrypted: scheme.isEncrypted, database: Number(database) };
}

/** Whether an address has a user or a password in it. */
export const hasCredentials = (written: string): boolean => written.includes('@');

/** `host:port`, as credentials name the servers that they are for. */
export const addressOf = ({ host, port }: Pick<SinkServer, 'host' | 'port'>): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

const NAMES: Readonly<Record<SinkKind, RegExp>> = {
  nats: /^[^\s.*>/\\\p{Cc}]{1,255}$/u,
  kafka: /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/,
  redis: /^[^\s\p{Cc}]{1,500}$/u,
};

/** Whether an engine can have a stream or topic of this name. */
export const isStreamName = (kind: SinkKind, name: string): boolean => NAMES[kind].test(name);

/** Whether it makes a NATS subject of a type: nothing, or words that end with a dot. */
export const isSubjectPrefix = (prefix: string): boolean => prefix.length <= 200 && /^([\w-]+\.)*$/.test(prefix);
