import type { RealmId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { Viewed } from '../../../libs/audit/src/domain/events';
import { bundleLeaves, leafOf, tileOf, treeHash } from '../../support/requests/tiles';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { bySystem } from '../../support/server/system';

const realm = 1 as RealmId;

describe('a log of more than one tile', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    // The first checkpoint adds the event of its key.
    await server.signCheckpoint();
  });
  afterAll(() => server.close());

  /** The most bytes of an entry of a bundle, whose length has two bytes. */
  const MAX_ENTRY = 65_535;
  let size = 0;

  /** Events of the system, each with so many bytes. */
  async function append(count: number, bytes: number): Promise<void> {
    const view = (endpoint: string) => fact(Viewed, { endpoint, parameters: {}, results: 0, words: false });
    await bySystem(server.kernel, (work) => {
      for (let n = 0; n < count; n++) work.append(`of-${bytes}-bytes`, [view('x'.repeat(bytes))]);
    });
    size = (await server.kernel.events.heads([realm])).get(realm) ?? 0;
  }
  /** One event of which the canonical form has exactly so many bytes. */
  async function appendExactly(bytes: number): Promise<void> {
    await append(1, bytes - 1_000);
    const [like] = await server.kernel.events.canonicalPage(realm, size - 1, 1);
    await append(1, 2 * bytes - 1_000 - (like?.length ?? 0));
    const [event] = await server.kernel.events.canonicalPage(realm, size - 1, 1);
    expect(event?.length).toBe(bytes);
  }

  async function signedRoot(): Promise<Buffer> {
    const note = await (await server.owner.raw('/audit/checkpoint')).text();
    return Buffer.from(note.split('\n')[2] ?? '', 'base64');
  }

  it('has full tiles, whose hashes are those of the next level', async () => {
    await append(300, 5);
    await server.signCheckpoint();
    const leaves = await bundleLeaves(server.owner, '000');
    expect([leaves.length, await tileOf(server.owner, '0/000')]).toEqual([256, Buffer.concat(leaves)]);
    expect(await tileOf(server.owner, '1/000.p/1')).toEqual(treeHash(leaves));
    const others = await bundleLeaves(server.owner, `001.p/${size - 256}`);
    expect(treeHash([...leaves, ...others])).toEqual(await signedRoot());
    expect((await server.owner.raw('/audit/tile/1/000')).status).toBe(404);
  });

  it('has bundles with the longest event that the format can hold, and none with a longer one', async () => {
    await appendExactly(MAX_ENTRY);
    const fits = size;
    await appendExactly(MAX_ENTRY + 1);
    await server.signCheckpoint();
    const path = `001.p/${fits - 256}`;
    expect(Buffer.concat(await bundleLeaves(server.owner, path))).toEqual(await tileOf(server.owner, `0/${path}`));
    const tooLong = await server.owner.raw(`/audit/tile/entries/001.p/${size - 256}`);
    expect([tooLong.status, await tooLong.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
    // It is proved all the same.
    const proof = granted(await server.owner.get<{ event: string }>('/audit/proofs/inclusion', { position: size }));
    expect(Buffer.from(proof.event, 'base64').length).toBe(MAX_ENTRY + 1);
    expect((await tileOf(server.owner, `0/001.p/${size - 256}`)).subarray(-32)).toEqual(
      leafOf(Buffer.from(proof.event, 'base64')),
    );
  });
});
