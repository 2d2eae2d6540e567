import type { Params } from './caller';
import { granted } from './caller';
import type { Person } from './organization';

/** A message on the wire. */
export type Message = Record<string, unknown> & { readonly id: number; readonly flags: readonly string[] };

/** Sends to a channel, unless wished otherwise. */
export const send = (by: Person, params: Params, headers: Record<string, string> = {}) =>
  by.post<{ id: number }>('/messages', { type: 'channel', topic: 'lunch', content: 'hello', ...params }, { headers });

export const sendDirect = (by: Person, to: unknown, params: Params = {}) =>
  by.post<{ id: number }>('/messages', { type: 'direct', to, content: 'hello', ...params });

/** @throws Error when it was refused */
export const idOf = async (sending: ReturnType<typeof send>) => granted(await sending).id;

export const messageSeen = async (by: Person, id: number, params: Params = {}) =>
  (await by.get<{ message: Message }>(`/messages/${id}`, params)).body.message;
