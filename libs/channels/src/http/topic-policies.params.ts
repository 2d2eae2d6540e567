import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { IntegerParam, TextParam, WordParam } from '@annals/web';
import { SetTopicPolicy } from '../application/topic-policies/set-topic-policy';
import { POLICIES } from '../domain/topic-policies/topic-policies';
import type { TopicPolicy } from '../domain/topic-policies/topic-policy-events';

/** Code points. Here a longer topic is refused, not truncated (contract/messages.md section 1). */
const MAX_TOPIC_LENGTH = 60;
const TOPIC = { trim: true, printable: true, max: MAX_TOPIC_LENGTH };

/** contract/messages.md section 10 */
export class SetTopicPolicyParams {
  @IntegerParam({ min: 0 }) stream_id: number;
  @TextParam({ ...TOPIC, about: 'It need not have messages.' }) topic: string;
  @IntegerParam({ min: 0, max: 3, about: '0 as the channel, 1 muted, 2 unmuted, 3 followed.' })
  visibility_policy: TopicPolicy;
}

export const toPolicy = (by: Actor, p: SetTopicPolicyParams): SetTopicPolicy =>
  new SetTopicPolicy(by, p.stream_id, p.topic, p.visibility_policy, false);

/** INTERFACE.md 4.7 */
export class MuteTopicParams {
  @IntegerParam({ min: 0, optional: true, about: 'Either this or `stream`.' }) stream_id?: number;
  @TextParam({ trim: true, optional: true, about: 'Name of the channel.' }) stream?: string;
  @TextParam({ ...TOPIC, about: 'It need not have messages.' }) topic: string;
  @WordParam(['add', 'remove'], { quoted: true }) op: 'add' | 'remove';
}

/** @throws Rejected BAD_REQUEST unless the channel is named in exactly one way */
export function toMuting(by: Actor, { stream_id, stream, topic, op }: MuteTopicParams): SetTopicPolicy {
  if (stream_id !== undefined && stream !== undefined) {
    throw new Rejected('BAD_REQUEST', 'Name the channel by one parameter only', { parameters: 'stream_id, stream' });
  }
  const channel = stream_id ?? stream;
  if (channel === undefined) throw new Rejected('BAD_REQUEST', "Missing 'stream_id' argument");
  return new SetTopicPolicy(by, channel, topic, op === 'add' ? POLICIES.muted : POLICIES.inherit, true);
}
