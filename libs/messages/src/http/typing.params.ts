import type { ChannelId, MessageId } from '@annals/kernel/domain';
import { Rejected, t } from '@annals/kernel/domain';
import { IntegerParam, JsonParam, PathId, TextParam, WordParam, checkText } from '@annals/web';
import type { TypingDestination } from '../application/typing/signal-typing';
import type { TypingOp } from '../domain/typing';

const OPS = ['start', 'stop'] as const satisfies readonly TypingOp[];
const TYPES = ['direct', 'private', 'channel', 'stream'] as const;

const person = t.Integer();

/** Contract/messages.md section 9. */
export class TypingParams {
  @WordParam(OPS) op: TypingOp;
  @WordParam(TYPES, { quoted: true }) type: (typeof TYPES)[number] = 'direct';
  @JsonParam(t.Union([t.Array(person), person]), { optional: true, about: 'ids of people; their own may be left out' })
  to?: number | readonly number[];
  @IntegerParam({ optional: true }) stream_id?: ChannelId;
  @TextParam({ optional: true }) topic?: string;
}

/** INTERFACE.md 4.16 */
export class EditingParams {
  @PathId() message_id: MessageId;
  @WordParam(OPS) op: TypingOp;
}

const missing = (what: string) => new Rejected('BAD_REQUEST', what);

/** @throws Rejected BAD_REQUEST for what is missing (contract/realtime.md section 9) */
export function toTypingDestination({ type, to, stream_id: channelId, topic }: TypingParams): TypingDestination {
  if (type === 'direct' || type === 'private') {
    if (to === undefined) throw missing("Missing 'to' argument");
    const people = typeof to === 'number' ? [to] : to;
    if (people.length === 0) throw missing("Empty 'to' list");
    return { people };
  }
  if (channelId === undefined) throw missing("Missing 'stream_id' argument");
  if (topic === undefined) throw missing('Missing topic');
  return { channelId, topic: checkText(topic, 'topic', { trim: true, printable: true }) };
}
