import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { ServerOptions } from '../server/server';

/** A channel on the wire. */
export type Channel = Record<string, unknown> & { readonly stream_id: number; readonly name: string };

/** A server that permits web-public channels. */
export const WEB_PUBLIC: ServerOptions = { env: { ANNALS_WEB_PUBLIC_CHANNELS: 'on' } };

export const createChannel = (by: Person, request: Params) =>
  by.post<{ id: number }>('/channels/create', { subscribers: [], ...request });

export const changeChannel = (by: Person, id: number, params: Params) => by.patch(`/streams/${id}`, params);

export const channelSeen = async (by: Person, id: number) =>
  (await by.get<{ stream: Channel }>(`/streams/${id}`)).body.stream;

/** Of those that the list of all has. */
export const channelsListed = async (by: Person) =>
  (await by.get<{ streams: Channel[] }>('/streams', { include_all: true })).body.streams;

export const channelListed = async (by: Person, id: number) =>
  (await channelsListed(by)).find(({ stream_id }) => stream_id === id);

/** The channel events of an act for a user, without ids. */
export async function channelEvents(by: Person, act: () => Promise<unknown>, params: Params = {}) {
  const types = ['stream', 'subscription', 'default_streams', 'realm'];
  const events = await by.receive(act, { event_types: types, ...params });
  return events.map(({ id: _, ...event }) => event);
}

/** New users share no channel with anybody. */
export async function withoutDefaultChannels(owner: Person): Promise<void> {
  const { realm_default_streams: ids } = await owner.register({ fetch_event_types: ['default_streams'] });
  for (const stream_id of ids as number[]) granted(await owner.delete('/default_streams', { stream_id }));
}
