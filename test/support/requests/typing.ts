import { openQueue } from '../events/client-queues';
import type { Answer, Params } from '../server/caller';
import type { Person } from '../server/organization';

/** A client with support for typing notifications of channels. */
export const TYPING_CLIENT = { client_capabilities: { stream_typing_notifications: true, empty_topic_name: true } };

export const type = (by: Person, params: Params): Promise<Answer> => by.post('/typing', { op: 'start', ...params });

/** A person as typing notifications name them. */
export const personOf = ({ id, email }: Person) => ({ user_id: id, email });

/** The clients of users with support for typing notifications of channels. */
export const clientsOf = (...people: Person[]) => Promise.all(people.map((person) => openQueue(person, TYPING_CLIENT)));
