import type { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { OwnEmojiFacts } from '../read/own-emoji-facts';
import { AddEmoji, AddEmojiHandler } from './add-emoji';
import type { KeptEmoji } from './kept-emoji';

const by = { realmId: 1, userId: 2 } as Actor;
const GIF = new TextEncoder().encode('GIF89a and more');

/** Adds an emoji while the unit of work ends like this; answers which pictures are kept then. */
async function keptAfter(end: () => Promise<never>): Promise<string[]> {
  const kept = new Set<string>();
  const bytes = {
    keep: async (_: number, file: string) => kept.add(file),
    discard: async (_: number, file: string) => kept.delete(file),
  };
  const handler = new AddEmojiHandler(
    { ids: { next: async () => 7 } } as unknown as Kernel,
    { run: end } as unknown as UnitOfWork,
    bytes as unknown as KeptEmoji,
    {} as OwnEmojiFacts,
  );
  await expect(handler.execute(new AddEmoji(by, 'cake', GIF))).rejects.toThrow('no');
  return [...kept];
}

describe('the picture of an emoji that could not be added', () => {
  it('goes when that was refused', async () => {
    expect(await keptAfter(() => Promise.reject(new Rejected('BAD_REQUEST', 'no')))).toEqual([]);
  });

  it('stays when the connection was lost, for the emoji may have been added', async () => {
    expect(await keptAfter(() => Promise.reject(new Error('no connection')))).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}\.gif$/),
    ]);
  });
});
