import type { Instant, RealmId } from '../domain/index';
import type { FileStore } from './file-store';
import type { Database } from '../database/database';
import { KeptBytes } from './kept-bytes';

const realm = 1 as RealmId;
const KIND = { name: 'toys', place: (realmId: RealmId, key: string) => `toys/${realmId}/${key}`, named: 'false' };

/** What is left of bytes that could not be kept: in the store, and in the list of what the sweep is to look after. */
async function leftAfter(put: (kept: Set<string>, key: string) => Promise<number>, canDelete = true) {
  const kept = new Set<string>();
  const unsettled = new Set<string>();
  const query = async ({ name, values }: { name: string; values: string[] }) => {
    const key = String(values[2]);
    if (name === 'bytes-unsettle') unsettled.add(key);
    else unsettled.delete(key);
  };
  const store = {
    put: (key: string) => put(kept, key),
    delete: async (key: string) => {
      if (!canDelete) throw new Error('no disk');
      kept.delete(key);
    },
  };
  const database = { pool: { query } } as unknown as Database;
  const kernel = { database, clock: { now: () => 0 as Instant } };
  const bytes = new KeptBytes(kernel, store as unknown as FileStore, KIND);
  await expect(bytes.keep(realm, 'ab/cd', (async function* () {})())).rejects.toThrow('the disk is full');
  return { kept: [...kept], unsettled: [...unsettled] };
}

const full = () => Promise.reject(new Error('the disk is full'));
const fullAtTheEnd = (kept: Set<string>, key: string) => {
  kept.add(key);
  return full();
};

describe('bytes that could not be kept', () => {
  it('are nowhere', async () => {
    expect(await leftAfter(full)).toEqual({ kept: [], unsettled: [] });
  });

  it('are nowhere either when they had come to their place', async () => {
    expect(await leftAfter(fullAtTheEnd)).toEqual({ kept: [], unsettled: [] });
  });

  it('are for the sweep when they cannot be deleted now', async () => {
    const left = await leftAfter(fullAtTheEnd, false);
    expect(left).toEqual({ kept: ['toys/1/ab/cd'], unsettled: ['ab/cd'] });
  });
});
