import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import type { Answer, Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import { bySystem } from '../server/system';

/** A message on the wire. */
export type Message = Record<string, unknown> & { readonly id: number; readonly flags: readonly string[] };

/** Sends to a channel by default. */
export const send = (by: Person, params: Params, headers: Record<string, string> = {}) =>
  by.post<{ id: number }>('/messages', { type: 'channel', topic: 'lunch', content: 'hello', ...params }, { headers });

export const sendDirect = (by: Person, to: unknown, params: Params = {}) =>
  by.post<{ id: number }>('/messages', { type: 'direct', to, content: 'hello', ...params });

/** @throws Error when it was refused */
export const idOf = async (sending: ReturnType<typeof send>) => granted(await sending).id;

export const messageSeen = async (by: Person, id: number, params: Params = {}) =>
  (await by.get<{ message: Message }>(`/messages/${id}`, params)).body.message;

const AT_ONCE = 1_000;

/** Sends so many more messages like one that was really sent, in a few appends. */
export async function copied(kernel: Kernel, id: number, count: number): Promise<void> {
  const [sent] = await kernel.events.at(1 as RealmId, [id]);
  if (!sent) throw new Error('the message is not in the log');
  const { type, data, sealed } = sent;
  for (let left = count; left > 0; left -= AT_ONCE) {
    await bySystem(kernel, (work) => {
      for (let n = 0; n < Math.min(left, AT_ONCE); n++) work.open('message', { type, data, sealed });
    });
  }
}

/** A submessage on the wire. */
export interface Submessage {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  /** JSON. */
  readonly content: string;
}

/** Changes the poll or the to-do list of a message. @param change as JSON, or a text that is not */
export const changeWidget = (
  by: Person,
  message_id: number,
  change: object | string,
  more: Params = {},
): Promise<Answer> =>
  by.post('/submessage', {
    message_id,
    msg_type: 'widget',
    content: typeof change === 'string' ? change : JSON.stringify(change),
    ...more,
  });

/** The submessages of a message as a user sees it. */
export const submessagesOf = async (by: Person, id: number, params: Params = {}): Promise<readonly Submessage[]> =>
  granted(await by.get<{ message: { submessages: Submessage[] } }>(`/messages/${id}`, params)).message.submessages;

export const vote = (key: string, vote: 1 | -1 = 1) => ({ type: 'vote', key, vote });
