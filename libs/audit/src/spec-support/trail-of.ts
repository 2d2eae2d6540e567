import type { ChannelId, RealmId } from '@annals/kernel/domain';
import { granted } from '../../../../test/support/server/caller';
import type { Person } from '../../../../test/support/server/organization';
import type { TestServer } from '../../../../test/support/server/server';
import { TrailEntries } from '../read/trail/trail-entries';
import type { TrailEntry, TrailRights } from '../read/trail/trail-entry';

export const realm = 1 as RealmId;
export const ALL: TrailRights = { words: 'all', channels: new Set() };
export const NONE: TrailRights = { words: 'none', channels: new Set() };

/** The entries of all events of a server from a position on, of some types. */
export type Trail = (rights: TrailRights, after: number, ...types: string[]) => Promise<TrailEntry[]>;

export function trailOf(server: TestServer): Trail {
  const entries = new TrailEntries(server.kernel);
  return async (rights, after, ...types) => {
    const events = await server.kernel.events.page(realm, after, 1_000);
    return entries.of(
      realm,
      events.filter(({ type }) => types.includes(type)),
      rights,
    );
  };
}

export const headOf = async ({ kernel }: TestServer): Promise<number> =>
  (await kernel.events.heads([realm])).get(realm) ?? 0;

/** Sends a message to a channel. @returns its id */
export const sendTo = async (by: Person, to: ChannelId, topic: string, content = 'hello'): Promise<number> =>
  granted(await by.post<{ id: number }>('/messages', { type: 'channel', to, topic, content })).id;
