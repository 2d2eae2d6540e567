import type { Kernel } from '@annals/kernel';
import { fact } from '@annals/kernel/domain';
import { DraftSaved, SnippetSaved } from '@annals/personal';
import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import { bySystem } from '../server/system';

/** A draft on the wire. */
export interface WireDraft {
  readonly id: number;
  readonly type: string;
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  readonly timestamp: number;
}

/** The drafts of a user, the last edited first. */
export const draftsOf = async (by: Person): Promise<WireDraft[]> =>
  granted(await by.get<{ drafts: WireDraft[] }>('/drafts')).drafts;

/** Saves drafts; each is without a destination where it names none. */
export const postDrafts = (by: Person, ...drafts: readonly Params[]) =>
  by.post<{ ids: number[] }>('/drafts', { drafts: drafts.map((draft) => ({ type: '', to: [], topic: '', ...draft })) });

/** Saves one draft. @returns its id */
export async function saveDraft(by: Person, draft: Params = { content: 'not finished' }): Promise<number> {
  return granted(await postDrafts(by, draft)).ids[0] ?? 0;
}

/** Stores many drafts of a user with one append. */
export async function draftMany(kernel: Kernel, { id: userId }: Pick<Person, 'id'>, count: number): Promise<void> {
  await bySystem(kernel, (work) => {
    for (let n = 1; n <= count; n += 1) {
      const words = { content: `Draft ${n}`, topic: '' };
      work.open('draft', fact(DraftSaved, { userId, target: null, editedAt: n }, words));
    }
  });
}

/** Stores many snippets of a user with one append. */
export async function saveMany(kernel: Kernel, { id: userId }: Pick<Person, 'id'>, count: number): Promise<void> {
  await bySystem(kernel, (work) => {
    for (let n = 1; n <= count; n += 1) {
      work.open('snippet', fact(SnippetSaved, { userId }, { title: `Snippet ${n}`, content: 'much the same' }));
    }
  });
}
