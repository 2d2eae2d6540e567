import { ActorReader } from '@annals/groups';
import type { Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { ChannelId, RealmId } from '@annals/kernel/domain';
import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';

/** A message as notices are looked at. */
export interface Notice {
  readonly id: number;
  readonly sender_id: number;
  readonly client: string;
  readonly subject: string;
  readonly content: string;
  readonly flags: readonly string[];
  readonly display_recipient: unknown;
}

/** The newest messages of a narrow, by default as raw text. */
export const read = async (by: Person, narrow: readonly Params[], apply_markdown = false) =>
  granted(
    await by.get<{ messages: Notice[] }>('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow,
      apply_markdown,
      allow_empty_topic_name: true,
    }),
  ).messages;

export const inChannel = (by: Person, channel: ChannelId, topic?: string) =>
  read(by, [
    { operator: 'channel', operand: channel },
    ...(topic === undefined ? [] : [{ operator: 'topic', operand: topic }]),
  ]);

export const texts = (messages: readonly Notice[]) => messages.map(({ content }) => content);

export const subscribe = (by: Person, names: readonly string[], principals: readonly Person[], more: Params = {}) =>
  by.post<{ new_subscription_messages_sent?: boolean }>('/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    principals: principals.map(({ id }) => id),
    ...more,
  });

/** The implementation of a port that the api provides. */
export function provided<T>(server: TestServer, port: { readonly prototype: T }): T {
  const [api] = server.apis;
  if (!api) throw new Error('no api was started');
  return api.app.get<T>(port as never, { strict: false });
}

/** An act of a user with a notice, for acts without an endpoint. */
export async function actAs(server: TestServer, by: Person, say: (work: Work) => Promise<void>): Promise<void> {
  const realmId = 1 as RealmId;
  const origin = { client: 'website', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  const kernel = provided(server, Kernel);
  await kernel.fence.reach(realmId);
  await kernel.work.run(await provided(server, ActorReader).actor(realmId, by.id, origin), say);
}
