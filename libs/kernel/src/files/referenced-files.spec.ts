import type { Instant, RealmId } from '../domain/index';
import { Rejected } from '../domain/index';
import type { FileStore } from './file-store';
import type { Database } from '../database/database';
import { ReferencedFiles } from './referenced-files';

const realm = 1 as RealmId;
const KIND = { name: 'toys', storeKey: (realmId: RealmId, key: string) => `toys/${realmId}/${key}`, named: 'false' };

/** Bytes of one kind: which of them are in the store, and which are in the list of unsettled ones. */
function toys({
  put,
  canDelete = true,
}: {
  put?: (kept: Set<string>, key: string) => Promise<number>;
  canDelete?: boolean;
}) {
  const kept = new Set<string>();
  const unsettled = new Set<string>();
  const query = async ({ name, values }: { name: string; values: string[] }) => {
    const key = String(values[2]);
    if (name === 'bytes-unsettle') unsettled.add(key);
    else unsettled.delete(key);
  };
  const store = {
    put: (key: string) => (put ? put(kept, key) : Promise.resolve(kept.add(key).size)),
    delete: async (key: string) => {
      if (!canDelete) throw new Error('no disk');
      kept.delete(key);
    },
  };
  const database = { pool: { query } } as unknown as Database;
  const kernel = { database, clock: { now: () => 0 as Instant } };
  const bytes = new ReferencedFiles(kernel, store as unknown as FileStore, KIND);
  return { bytes, left: () => ({ kept: [...kept], unsettled: [...unsettled] }) };
}

/** The bytes that remain after a failed attempt to store a file. */
async function leftAfter(put: (kept: Set<string>, key: string) => Promise<number>, canDelete = true) {
  const { bytes, left } = toys({ put, canDelete });
  await expect(bytes.keep(realm, 'ab/cd', (async function* () {})())).rejects.toThrow('the disk is full');
  return left();
}

const full = () => Promise.reject(new Error('the disk is full'));
const fullAtTheEnd = (kept: Set<string>, key: string) => {
  kept.add(key);
  return full();
};

describe('bytes that could not be kept', () => {
  it('leave nothing', async () => {
    expect(await leftAfter(full)).toEqual({ kept: [], unsettled: [] });
  });

  it('leave nothing also if they had reached their place', async () => {
    expect(await leftAfter(fullAtTheEnd)).toEqual({ kept: [], unsettled: [] });
  });

  it('are left to the sweep if they cannot be deleted now', async () => {
    const left = await leftAfter(fullAtTheEnd, false);
    expect(left).toEqual({ kept: ['toys/1/ab/cd'], unsettled: ['ab/cd'] });
  });
});

describe('files that an event will reference', () => {
  const files = new Map(['a', 'b'].map((key) => [key, new Uint8Array([1])]));
  const keptFor = async (act: () => Promise<unknown>, canDelete = true) => {
    const { bytes, left } = toys({ canDelete });
    const [done] = await Promise.allSettled([bytes.keptFor(realm, files, act)]);
    return { ...left(), done: done?.status === 'fulfilled' ? done.value : (done?.reason as Error).message };
  };

  it('remain when it is stored', async () => {
    const left = await keptFor(() => Promise.resolve('stored'));
    expect(left).toEqual({ kept: ['toys/1/a', 'toys/1/b'], unsettled: [], done: 'stored' });
  });

  it('are deleted when it is refused', async () => {
    const refuse = () => Promise.reject(new Rejected('BAD_REQUEST', 'no'));
    expect(await keptFor(refuse)).toEqual({ kept: [], unsettled: [], done: 'no' });
    const left = { kept: ['toys/1/a', 'toys/1/b'], unsettled: ['a', 'b'], done: 'no' };
    expect(await keptFor(refuse, false)).toEqual(left);
  });

  it('are left to the sweep when it is unknown whether the event was stored', async () => {
    const left = await keptFor(() => Promise.reject(new Error('no connection')));
    expect(left).toEqual({ kept: ['toys/1/a', 'toys/1/b'], unsettled: ['a', 'b'], done: 'no connection' });
  });
});
