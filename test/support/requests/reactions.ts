import type { Answer, Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';

export const addReaction = (by: Person, id: number, params: Params): Promise<Answer> =>
  by.post(`/messages/${id}/reactions`, params);

export const removeReaction = (by: Person, id: number, params: Params): Promise<Answer> =>
  by.delete(`/messages/${id}/reactions`, params);

/** A message as a user sees it. */
export const shownMessage = async (by: Person, id: number) =>
  granted(await by.get<{ message: { reactions: object[]; flags: string[] } }>(`/messages/${id}`)).message;
