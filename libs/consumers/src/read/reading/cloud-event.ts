import { rfc3339 } from '@annals/audit';
import type { Position, RealmId, Recorded } from '@annals/kernel/domain';
import type { LogOffset } from '../offsets';

/** An event as consumers get it: a CloudEvent 1.0 (contract/feed.md section 3). Attributes without a value are left out. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly dataschema: string;
  readonly sequence: string;
  readonly annalsactor?: number;
  readonly annalscorrelation?: string;
  readonly annalscausation?: string;
  readonly annalswords?: 'erased' | 'withheld';
  readonly partitionkey: string;
  readonly data: unknown;
}

/** An event for a consumer. */
export interface ConsumerEvent {
  /** The same in every delivery. */
  readonly id: string;
  readonly offset: LogOffset;
  readonly position: Position;
  /** Events with one key are offered in order. */
  readonly key: string;
  readonly cloudEvent: CloudEvent;
  /** The CloudEvent in structured mode. */
  readonly json: string;
}

/** Digits of a sequence, so that texts are in the order of the log. */
const SEQUENCE_DIGITS = 20;

/** Version of the form of client events, which follows the feature level of the interface and is not changed. */
export const CLIENT_VERSION = 1;

/** The attributes that all events have. @param type without the prefix, such as `messages.MessageSent` */
export function attributesOf(
  { realmId, position, at }: Pick<Recorded, 'realmId' | 'position' | 'at'>,
  { id, type, version, subject, key, schemas }: EventIdentity,
): Omit<CloudEvent, 'data'> {
  return {
    specversion: '1.0',
    id,
    source: sourceOf(realmId),
    type: `annals.${type}.v${version}`,
    ...(subject === undefined ? {} : { subject }),
    time: rfc3339(at),
    datacontenttype: 'application/json',
    dataschema: `${schemas}/${type}.v${version}`,
    sequence: String(position).padStart(SEQUENCE_DIGITS, '0'),
    partitionkey: key,
  };
}

/** What names an event. */
export interface EventIdentity {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly subject: string | undefined;
  readonly key: string;
  /** Where the schemas are. */
  readonly schemas: string;
}

export const sourceOf = (realmId: RealmId): string => `/realms/${realmId}`;

/** The id of the event that caused another one, as `1/411`. The log has it as `1:411`. */
export const causationOf = (causation: string): string => causation.replace(':', '/');

/** @param offset of the event */
export function consumerEvent(offset: LogOffset, position: Position, cloudEvent: CloudEvent): ConsumerEvent {
  const { id, partitionkey: key } = cloudEvent;
  return { id, offset, position, key, cloudEvent, json: JSON.stringify(cloudEvent) };
}
