import type { Answer, Params, WireEvent } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

/** A client that receives moves without a replacement for the empty topic, and deletions as lists. */
export const CAPABLE = { client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } };

let topics = 0;
export const newTopic = (): string => `topic ${++topics}`;

/** Moves a message, without a notice in the new topic unless the parameters order one. */
export const move = async (by: Person, id: number, params: Params): Promise<Answer['body']> =>
  granted(await by.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...params }));

/** The events of these types, `update_message` if none is named, that a user receives of an act. */
export const eventsOf = (who: Person, act: () => Promise<unknown>, ...types: string[]): Promise<readonly WireEvent[]> =>
  who.receive(act, { ...CAPABLE, event_types: types.length > 0 ? types : ['update_message'] });
