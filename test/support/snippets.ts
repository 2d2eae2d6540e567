import { SnippetSaved } from '@annals/personal';
import type { Kernel, SystemActor } from '@annals/kernel';
import { fact } from '@annals/kernel/domain';
import type { Person } from './organization';

/** Gives somebody so many saved snippets with one append. */
export async function saveMany(kernel: Kernel, { id: userId }: Pick<Person, 'id'>, count: number): Promise<void> {
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  await kernel.work.run({ realmId: 1, userId: null, origin } as SystemActor, async (work) => {
    for (let n = 1; n <= count; n += 1) {
      work.open('snippet', fact(SnippetSaved, { userId }, { title: `Snippet ${n}`, content: 'much the same' }));
    }
  });
}
