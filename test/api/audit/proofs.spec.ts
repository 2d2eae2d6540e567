import { createPublicKey } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { RFC9162 } from '@transmute/rfc9162';
import type { RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import { bundleLeaves, leafOf, treeHash } from '../../support/requests/tiles';
import { granted } from '../../support/server/caller';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

const realm = 1 as RealmId;
const fromBase64 = (texts: readonly string[]) => texts.map((text) => Buffer.from(text, 'base64'));

let users: ServerWithUsers;
beforeAll(async () => void (users = await startWithUsers()));
afterAll(() => users.server.close());

const post = async (content: string) =>
  granted(await users.owner.post<{ id: number }>('/messages', { type: 'channel', to: 'general', topic: 't', content }))
    .id;
const raw = (path: string, who = users.owner) => who.raw(`/audit/${path}`);
const note = async () => (await raw('checkpoint')).text();
const sizeOf = (text: string) => Number(text.split('\n')[1]);
const rootOf = (text: string) => Buffer.from(text.split('\n')[2] ?? '', 'base64');
const head = async () => (await users.server.kernel.events.heads([realm])).get(realm);
const verifier = async () =>
  granted(await users.server.anonymous.get<{ audit_verifier_key: string }>('/server_settings')).audit_verifier_key;
interface Listed {
  checkpoints: { size: number; at: string; note: string }[];
}
const listed = async (params = {}) => granted(await users.owner.get<Listed>('/audit/checkpoints', params)).checkpoints;
interface Inclusion {
  leaf_index: number;
  size: number;
  hashes: string[];
  event: string;
}
const inclusion = async (params: object) =>
  granted(await users.owner.get<Inclusion>('/audit/proofs/inclusion', { ...params }));
const consistency = async (params: object) =>
  granted(
    await users.owner.get<{ from: number; to: number; hashes: string[] }>('/audit/proofs/consistency', { ...params }),
  );

describe('before the first checkpoint', () => {
  it('there is nothing to prove', async () => {
    expect(await verifier()).toBeNull();
    expect((await raw('checkpoint')).status).toBe(404);
    expect((await raw('tile/0/000.p/1')).status).toBe(404);
    expect(await listed()).toEqual([]);
    expect(await users.owner.get('/audit/proofs/inclusion', { position: 1 })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'There is no checkpoint yet' },
    });
  });
});

describe('a checkpoint', () => {
  it('covers the head, and is the same for its size for ever', async () => {
    await users.server.signCheckpoint();
    const first = await note();
    expect(sizeOf(first)).toBe(await head());
    const response = await raw('checkpoint');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('no-store');
    await users.server.signCheckpoint();
    expect(await note()).toBe(first);
    users.server.clock.advance(HOUR_MS);
    await users.server.signCheckpoint();
    expect(await note()).toBe(first);
    const [one, two, ...more] = await listed();
    expect([one?.note, two?.note, more.length]).toEqual([first, first, 0]);
    expect(Date.parse(two?.at ?? '') - Date.parse(one?.at ?? '')).toBe(HOUR_MS);
  });

  it('follows each event', async () => {
    const before = await note();
    await post('signed soon');
    expect(await note()).toBe(before);
    await users.server.signCheckpoint();
    expect(sizeOf(await note())).toBe(await head());
  });

  it('is one of many of a day, and of earlier days the last one of each hour is kept', async () => {
    const from = new Date(users.server.clock.now()).toISOString();
    const sizes: number[] = [];
    for (const minutes of [5, 5, 5, 60, 5]) {
      users.server.clock.advance(minutes * 60_000);
      sizes.push(await post('one of many'));
      await users.server.signCheckpoint();
    }
    const kept = async () => (await listed({ from })).map(({ size }) => size);
    expect(await kept()).toEqual(sizes);
    users.server.clock.advance(DAY_MS + HOUR_MS);
    await users.server.signCheckpoint();
    const hours = new Map((await listed({ from })).map(({ at, size }) => [at.slice(0, 13), size]));
    expect(await kept()).toEqual([...hours.values()]);
    expect((await kept()).length).toBeLessThan(sizes.length);
  });

  it('is listed by position and by time', async () => {
    const all = await listed();
    const middle = all[2] as Listed['checkpoints'][number];
    expect(await listed({ from: `p${middle.size}` })).toEqual(all.filter(({ size }) => size > middle.size));
    expect(await listed({ to: middle.size })).toEqual(all.filter(({ size }) => size <= middle.size));
    expect(await listed({ from: middle.at })).toEqual(all.filter(({ at }) => at > middle.at));
    for (const to of ['p99999', '2100-01-01T00:00:00Z', 'tomorrow'])
      expect(await users.owner.get('/audit/checkpoints', { to })).toMatchObject({
        status: 400,
        body: { code: 'BAD_MOMENT' },
      });
  });
});

describe('what other implementations say', () => {
  let text: string;
  let size: number;
  beforeAll(async () => {
    for (let n = 0; n < 5; n++) await post(`proved ${n}`);
    await users.server.signCheckpoint();
    text = await note();
    size = sizeOf(text);
  });

  /** The key in the verifier string, as Sigstore takes keys of logs. */
  const authority = async () => {
    const [name = '', id = '', key = ''] = (await verifier()).split(/\+(.*?)\+(.*)/s);
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(key, 'base64').subarray(1),
    ]);
    return {
      logID: Buffer.from(id, 'hex'),
      publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }),
      baseURL: name,
      validFor: { start: new Date(0), end: new Date(8e15) },
    };
  };
  type Entry = Parameters<typeof verifyMerkleInclusion>[0];
  const entryOf = (proof: Inclusion, envelope = text) =>
    ({
      canonicalizedBody: Buffer.from(proof.event, 'base64'),
      inclusionProof: {
        logIndex: String(proof.leaf_index),
        treeSize: String(proof.size),
        rootHash: rootOf(envelope),
        hashes: fromBase64(proof.hashes),
        checkpoint: { envelope },
      },
    }) as unknown as Entry;

  it('Sigstore verifies the signature of the checkpoint, and no other text', async () => {
    const tlog = await authority();
    const proof = await inclusion({ position: 1 });
    expect(verifyCheckpoint(entryOf(proof), [tlog])).toMatchObject({
      origin: text.split('\n')[0],
      logSize: BigInt(size),
      logHash: rootOf(text),
    });
    expect(text.split('\n')[0]).toBe(tlog.baseURL);
    const forged = text.replace(`\n${size}\n`, `\n${size + 1}\n`);
    expect(() => verifyCheckpoint(entryOf(proof, forged), [tlog])).toThrow('invalid checkpoint signature');
  });

  it('Sigstore verifies that each event is in it', async () => {
    const checkpoint = verifyCheckpoint(entryOf(await inclusion({ position: 1 })), [await authority()]);
    for (let position = 1; position <= size; position++) {
      const proof = await inclusion({ position });
      expect([proof.leaf_index, proof.size]).toEqual([position - 1, size]);
      verifyMerkleInclusion(entryOf(proof), checkpoint);
      const other = { ...proof, event: Buffer.from('another event').toString('base64') };
      expect(() => verifyMerkleInclusion(entryOf(other), checkpoint)).toThrow('does not match');
    }
  });

  it('RFC 9162 of Transmute verifies that each earlier size is a part of it', async () => {
    const leaves = await bundleLeaves(users.owner, `000.p/${size}`);
    for (let from = 1; from < size; from++) {
      const proof = await consistency({ from });
      expect([proof.from, proof.to]).toEqual([from, size]);
      const earlier = treeHash(leaves.slice(0, from));
      const hashes = fromBase64(proof.hashes);
      // Step 2 of RFC 9162 section 2.1.4.2 is left to the caller of this implementation.
      const path = Number.isInteger(Math.log2(from)) ? [earlier, ...hashes] : hashes;
      const claim = { log_id: '', tree_size_1: from, tree_size_2: size, consistency_path: path };
      expect(await RFC9162.verifyConsistencyProof(earlier, rootOf(text), claim)).toBe(true);
      expect(await RFC9162.verifyConsistencyProof(leafOf(Buffer.from('x')), rootOf(text), claim)).toBe(false);
    }
    expect((await consistency({ from: size })).hashes).toEqual([]);
    expect(await consistency({ from: 3, to: 5 })).toMatchObject({ from: 3, to: 5 });
  });

  it('tiles and bundles have the same leaves, and lead to the signed root', async () => {
    const leaves = await bundleLeaves(users.owner, `000.p/${size}`);
    const response = await raw(`tile/0/000.p/${size}`);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat(leaves));
    expect(treeHash(leaves)).toEqual(rootOf(text));
    const some = await raw('tile/0/000.p/3');
    expect(Buffer.from(await some.arrayBuffer())).toEqual(Buffer.concat(leaves.slice(0, 3)));
  });

  it('no proof, tile or bundle has words of people', async () => {
    const { event } = await inclusion({ position: size });
    expect(Buffer.from(event, 'base64').toString()).not.toContain('proved');
    const bundle = Buffer.from(await (await raw(`tile/entries/000.p/${size}`)).arrayBuffer()).toString();
    expect(bundle).toContain('messages.MessageSent');
    expect(bundle).not.toContain('proved');
  });

  it.each([
    ['proofs/inclusion', {}],
    ['proofs/inclusion', { position: 0 }],
    ['proofs/inclusion', { position: -1 }],
    ['proofs/inclusion', { position: 'one' }],
    ['proofs/inclusion', { position: 99_999 }],
    ['proofs/inclusion', { position: 5, size: 4 }],
    ['proofs/inclusion', { position: 1, size: 99_999 }],
    ['proofs/inclusion', { position: 1, size: 0 }],
    ['proofs/consistency', {}],
    ['proofs/consistency', { from: 0 }],
    ['proofs/consistency', { from: 99_999 }],
    ['proofs/consistency', { from: 5, to: 4 }],
    ['proofs/consistency', { from: 1, to: 99_999 }],
  ])('%s with %j is refused', async (path, params) => {
    const { status, body } = await users.owner.get(`/audit/${path}`, params);
    expect(status).toBe(400);
    expect(['BAD_REQUEST', 'REQUEST_VARIABLE_MISSING']).toContain(body.code);
  });

  it.each([
    'tile/0/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/255',
    'tile/0/001.p/1',
    'tile/0/0',
    'tile/0/x000/000.p/1',
    'tile/00/000.p/1',
    'tile/1/000.p/1',
    'tile/64/000.p/1',
    'tile/0/x999/x999/x999/x999/999',
    'tile/entries/000',
    'tile/entries/001.p/1',
    'tile/words/000.p/1',
    'tile/0/000.p/1/',
    'tile/',
  ])('%s is 404', async (path) => {
    expect((await raw(path)).status).toBe(404);
  });

  it('what is beyond the newest checkpoint is not there yet', async () => {
    await post('not signed yet');
    expect((await raw(`tile/0/000.p/${size + 1}`)).status).toBe(404);
    expect((await raw(`tile/entries/000.p/${size + 1}`)).status).toBe(404);
    expect((await users.owner.get('/audit/proofs/inclusion', { position: size + 1 })).status).toBe(400);
  });
});
