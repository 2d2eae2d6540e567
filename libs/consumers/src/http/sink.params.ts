import { t } from '@annals/kernel/domain';
import { JsonParam, TextParam, WordParam } from '@annals/web';
import { reject } from '../domain/rejections';
import type { SinkKind, SinkTarget } from '../domain/sink/sink-target';
import { SINK_KINDS, hasCredentials, isStreamName, isSubjectPrefix, sinkServer } from '../domain/sink/sink-target';
import { ConsumerParams } from './consumers.params';

const LONGEST_ADDRESS = 500;
const LONGEST_NAME = 500;
const MOST_SERVERS = 16;
const addresses = t.Array(t.String({ minLength: 1, maxLength: LONGEST_ADDRESS }), {
  minItems: 1,
  maxItems: MOST_SERVERS,
});

export class SinkParams extends ConsumerParams {
  @WordParam(SINK_KINDS, { quoted: true, about: 'The engine.' }) kind: SinkKind;
  @JsonParam(addresses, { optional: true, about: 'Of NATS: URLs such as `nats://10.1.2.3:4222` or `tls://…`.' })
  servers?: string[];
  @JsonParam(addresses, { optional: true, about: 'Of Kafka: the first brokers, such as `10.1.2.3:9092`.' })
  brokers?: string[];
  @TextParam({
    ...{ optional: true, quoted: true, min: 1, max: LONGEST_ADDRESS },
    about: 'Of Redis: such as `redis://10.1.2.3:6379/0` or `rediss://…`.',
  })
  url?: string;
  @TextParam({
    ...{ optional: true, quoted: true, min: 1, max: LONGEST_NAME },
    about: 'Of NATS: the stream of JetStream, which must exist. Of Redis: the key of the stream.',
  })
  stream?: string;
  @TextParam({
    optional: true,
    quoted: true,
    min: 1,
    max: LONGEST_NAME,
    about: 'Of Kafka: the topic, which must exist.',
  })
  topic?: string;
  @TextParam({
    ...{ optional: true, quoted: true, max: LONGEST_NAME },
    about: 'Of NATS: what subjects have before the type of the event. Empty, or with a dot at the end.',
  })
  subject_prefix?: string;
  @TextParam({
    ...{ optional: true, quoted: true, min: 1, max: LONGEST_NAME },
    about: 'Name of credentials in the settings of the server.',
  })
  credentials?: string;
}

type Part = 'servers' | 'brokers' | 'url' | 'stream' | 'topic' | 'subject_prefix';

/** What an engine needs, and what it may have. */
const PARTS: Readonly<
  Record<SinkKind, { readonly servers: Part; readonly stream: Part; readonly more: readonly Part[] }>
> = {
  nats: { servers: 'servers', stream: 'stream', more: ['subject_prefix'] },
  kafka: { servers: 'brokers', stream: 'topic', more: [] },
  redis: { servers: 'url', stream: 'stream', more: [] },
};
const ALL: readonly Part[] = ['servers', 'brokers', 'url', 'stream', 'topic', 'subject_prefix'];

/** @throws Rejected BAD_REQUEST for a parameter that the engine does not have, that is missing, or that is not in its form */
export function sinkTargetOf(p: SinkParams): SinkTarget {
  const { kind, subject_prefix: subjectPrefix = '', credentials = null } = p;
  const { servers: at, stream: into, more } = PARTS[kind];
  const known = [at, into, ...more];
  const alien = ALL.find((part) => p[part] !== undefined && !known.includes(part));
  if (alien) throw reject.alienPart({ part: alien, kind });
  const missing = [at, into].find((part) => p[part] === undefined);
  if (missing) throw reject.missingPart({ part: missing, kind });
  const servers = [p[at] ?? []].flat();
  const stream = String(p[into]);
  if (servers.some(hasCredentials)) throw reject.credentialsInAddress({ part: at });
  if (!servers.every((server) => sinkServer(kind, server))) throw reject.badPart({ part: at });
  if (!isStreamName(kind, stream)) throw reject.badPart({ part: into });
  if (!isSubjectPrefix(subjectPrefix)) throw reject.badPart({ part: 'subject_prefix' });
  return { kind, servers, stream, subjectPrefix, credentials };
}

/** The same as the API has it. */
export function presentSink({ kind, servers, stream, subjectPrefix, credentials }: SinkTarget) {
  const { servers: at, stream: into } = PARTS[kind];
  const address = at === 'url' ? (servers[0] ?? '') : servers;
  const prefix = kind === 'nats' ? { subject_prefix: subjectPrefix } : {};
  return { kind, [at]: address, [into]: stream, ...prefix, ...(credentials === null ? {} : { credentials }) };
}
