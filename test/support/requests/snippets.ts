import { SnippetSaved } from '@annals/personal';
import type { Kernel } from '@annals/kernel';
import { fact } from '@annals/kernel/domain';
import type { Person } from '../server/organization';
import { bySystem } from '../server/system';

/** Stores many snippets of a user with one append. */
export async function saveMany(kernel: Kernel, { id: userId }: Pick<Person, 'id'>, count: number): Promise<void> {
  await bySystem(kernel, (work) => {
    for (let n = 1; n <= count; n += 1) {
      work.open('snippet', fact(SnippetSaved, { userId }, { title: `Snippet ${n}`, content: 'much the same' }));
    }
  });
}
