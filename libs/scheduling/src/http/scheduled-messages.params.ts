import type { Actor } from '@annals/kernel/domain';
import type { Destination } from '@annals/messages';
import { readsWith } from '@annals/messages';
import { BooleanParam, IntegerParam, JsonParam, PathId, TextParam, WordParam, checkText } from '@annals/web';
import { t } from '@annals/kernel/domain';
import { ChangeScheduledMessage } from '../application/change-scheduled-message';
import { ScheduleMessage } from '../application/schedule-message';
import type { ScheduledId } from '../domain/events';
import { reject } from '../domain/rejections';
import { TIME, instantOf } from './times';

const TYPES = ['direct', 'private', 'channel', 'stream'] as const;
type Type = (typeof TYPES)[number];
const isChannel = (type: Type): boolean => type === 'channel' || type === 'stream';

/** Most recipients of one message. */
const MAX_PEOPLE = 1_000;
const id = t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const target = t.Union([id, t.Array(id, { maxItems: MAX_PEOPLE })]);
const ToParam = (optional: boolean): PropertyDecorator =>
  JsonParam(target, { optional, about: 'the id of a channel, or a list of ids of people' });

/** Only for messages to channels its content is checked. */
const TOPIC = { optional: true, aliases: ['subject'] } as const;

/** contract/scheduling.md section 3 */
export class ScheduleMessageParams {
  @WordParam(TYPES, { quoted: true }) type: Type;
  @ToParam(false) to: number | number[];
  @TextParam() content: string;
  @TextParam(TOPIC) topic?: string;
  @IntegerParam(TIME) scheduled_delivery_timestamp: number;
  @BooleanParam({ optional: true }) read_by_sender?: boolean;
}

export class ScheduledMessageParams {
  @PathId() scheduled_message_id: ScheduledId;
}

/** INTERFACE.md 4.4 */
export class ChangeScheduledMessageParams extends ScheduledMessageParams {
  @WordParam(TYPES, { optional: true, quoted: true }) type?: Type;
  @ToParam(true) to?: number | number[];
  @TextParam({ optional: true }) content?: string;
  @TextParam(TOPIC) topic?: string;
  @IntegerParam({ ...TIME, optional: true }) scheduled_delivery_timestamp?: number;
}

export function toScheduling(by: Actor, p: ScheduleMessageParams): ScheduleMessage {
  const to = destinationOf(p);
  const onlyOneself = 'people' in to && to.people.every((one) => one === by.userId);
  const readBySender = p.read_by_sender ?? (readsWith(by.origin.client) && !onlyOneself);
  return new ScheduleMessage(by, to, p.content, instantOf(p.scheduled_delivery_timestamp), readBySender);
}

function destinationOf({ type, to, topic }: ScheduleMessageParams): Destination {
  if (!isChannel(type)) {
    if (typeof to === 'number') throw reject.invalidPeople();
    return { people: to };
  }
  if (typeof to !== 'number') throw reject.invalidChannel();
  if (topic === undefined) throw reject.missingTopic();
  return { channel: to, topic: checkText(topic, 'topic', { trim: true, printable: true }) };
}

export function toChanging(by: Actor, p: ChangeScheduledMessageParams): ChangeScheduledMessage {
  const { type, to, content, topic, scheduled_delivery_timestamp: seconds } = p;
  return new ChangeScheduledMessage(by, p.scheduled_message_id, {
    ...(type !== undefined && { type: isChannel(type) ? 'channel' : 'direct' }),
    ...(to !== undefined && { to }),
    ...(content !== undefined && { content }),
    ...(topic !== undefined && { topic }),
    ...(seconds !== undefined && { dueAt: instantOf(seconds) }),
  });
}
