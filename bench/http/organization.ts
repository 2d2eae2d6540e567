import type { Kernel } from '@annals/kernel';
import type { ChannelId, MessageId, UserId } from '@annals/kernel/domain';
import { crowd } from '../../libs/users/src/spec-support/crowd';
import type { Bench } from '../harness';
import { followed } from './beside';
import type { ApiClient } from './client';
import { sendPast } from './past';
import { worst } from './worst-texts';

const PEOPLE = 20_000;
const CHANNELS = 1_000;
/** People in each channel, channels of one request. */
const IN_EACH = 200;
const AT_ONCE = 50;
const MESSAGES = 20_000;
const WORST_MESSAGES = 400;
const EDITS = 1_000;
const GROUPS = 500;

/** The users, channels and messages that requests name in a large organization. */
export interface LargeOrganization {
  readonly people: readonly UserId[];
  /** A channel with everybody in it. */
  readonly everybody: ChannelId;
  /** A channel with many short messages, nearly all of them in one topic. */
  readonly talk: ChannelId;
  /** All short messages of `talk`, ascending. */
  readonly talkIds: readonly MessageId[];
  /** A message of the longest texts that was edited a thousand times. */
  readonly edited: MessageId;
  /** Groups in each other, the innermost first; all people are in that one. */
  readonly groups: readonly number[];
  /** A queue with all that happened meanwhile. */
  readonly queue: string;
}

/** Fills an organization with much of everything that one request may be about. */
export async function fillOrganization(bench: Bench, kernel: Kernel, owner: ApiClient): Promise<LargeOrganization> {
  bench.say('opening accounts');
  const people = await crowd(kernel, PEOPLE);
  await followed(kernel);
  const everybody = await channelWith(owner, 'everybody', people);
  for (let from = 0; from < CHANNELS; from += AT_ONCE) {
    bench.say('making channels', `${from} of ${CHANNELS}`);
    const names = Array.from({ length: AT_ONCE }, (_, n) => `channel ${from + n}`);
    await subscribe(owner, names, people.slice(from, from + IN_EACH));
  }
  const talk = await channelWith(owner, 'talk', []);
  const progress = (done: number) => bench.say('storing messages', `${done} of ${MESSAGES}`);
  const past = await sendPast(kernel, {
    channels: [talk],
    senders: people.slice(0, IN_EACH),
    count: MESSAGES,
    progress,
  });
  await intoOneTopic(bench, owner, talk);
  const groups = await nested(bench, owner, people);
  const { queue_id } = await owner.post('/register', { fetch_event_types: '["realm"]', apply_markdown: 'true' });
  const edited = await writeWorst(bench, owner);
  await followed(kernel);
  return {
    people,
    everybody,
    talk,
    talkIds: past.moved.messageIds as MessageId[],
    edited,
    groups,
    queue: String(queue_id),
  };
}

async function channelWith(owner: ApiClient, name: string, people: readonly UserId[]): Promise<ChannelId> {
  await subscribe(owner, [name], people);
  const { stream_id } = await owner.get('/get_stream_id', { stream: name });
  return stream_id as ChannelId;
}

async function subscribe(owner: ApiClient, names: readonly string[], people: readonly UserId[]): Promise<void> {
  const { user_id } = await owner.get('/users/me');
  await owner.post('/users/me/subscriptions', {
    subscriptions: JSON.stringify(names.map((name) => ({ name }))),
    principals: JSON.stringify([user_id, ...people]),
    send_new_subscription_messages: 'false',
  });
}

async function intoOneTopic(bench: Bench, owner: ApiClient, channelId: ChannelId): Promise<void> {
  const { topics } = await owner.get(`/users/me/${channelId}/topics`);
  for (const [n, { max_id }] of (topics as { max_id: MessageId }[]).entries()) {
    bench.say('moving topics', `${n}`);
    await owner.patch(`/messages/${max_id}`, {
      topic: 'everything',
      propagate_mode: 'change_all',
      send_notification_to_old_thread: 'false',
      send_notification_to_new_thread: 'false',
    });
  }
}

async function nested(bench: Bench, owner: ApiClient, people: readonly UserId[]): Promise<number[]> {
  const groups: number[] = [];
  for (let n = 0; n < GROUPS; n++) {
    bench.say('making groups', `${n} of ${GROUPS}`);
    const { group_id } = await owner.post('/user_groups/create', {
      name: `group ${n}`,
      description: '',
      members: JSON.stringify(n === 0 ? people : people.slice(n, n + 10)),
      subgroups: JSON.stringify(groups.slice(-1)),
    });
    groups.push(Number(group_id));
  }
  return groups;
}

async function writeWorst(bench: Bench, owner: ApiClient): Promise<MessageId> {
  let edited = 0;
  for (let n = 0; n < WORST_MESSAGES; n++) {
    bench.say('writing long messages', `${n} of ${WORST_MESSAGES}`);
    const { id } = await owner.post('/messages', { type: 'channel', to: 'general', topic: 'worst', content: worst(n) });
    edited = Number(id);
  }
  for (let n = 0; n < EDITS; n++) {
    bench.say('editing', `${n} of ${EDITS}`);
    await owner.patch(`/messages/${edited}`, { content: worst(n) });
  }
  return edited as MessageId;
}
