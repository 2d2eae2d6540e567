import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TILE_WIDTH } from '@annals/kernel';
import { fact } from '@annals/kernel/domain';
import { Viewed } from '../../../libs/audit/src/domain/events';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { bySystem } from '../../support/server/system';

const SOURCE = join(__dirname, 'foreign');
const folder = mkdtempSync(join(tmpdir(), 'annals-go-'));
const program = join(folder, 'verify');
afterAll(() => rmSync(folder, { recursive: true }));

const go = (...args: string[]) => spawnSync('go', args, { cwd: SOURCE, timeout: 120_000, encoding: 'utf8' });

/** Why this machine cannot build the program. Null if it can. */
function missing(): string | null {
  if (go('version').status !== 0) return 'there is no Go';
  return go('mod', 'download').status === 0 ? null : 'golang.org/x/mod cannot be downloaded';
}

const why = missing();

/** An answer without its envelope. */
type Fields = Readonly<Record<string, unknown>>;

if (why !== null) it.skip(`the reference implementation of Go is not asked: ${why}`, () => undefined);
else
  describe('the reference implementation of Go', () => {
    let server: TestServer;
    let input: Fields & { readonly tiles: Record<string, string>; readonly inclusion: Fields[] };
    beforeAll(async () => {
      const built = go('build', '-o', program, '.');
      expect([built.stderr, built.status]).toEqual(['', 0]);
      server = await startTestServer();
      await lengthen();
      await server.signCheckpoint();
      input = await everything();
    });
    afterAll(() => server.close());

    /** The log has two full tiles and a part of a third. */
    async function lengthen() {
      const view = { endpoint: 'GET /audit/events', parameters: {}, results: 0, words: false };
      await bySystem(server.kernel, (work) => {
        for (let n = 0; n < 2 * TILE_WIDTH; n++) work.append(`filled-${n}`, [fact(Viewed, view)]);
      });
    }

    async function everything() {
      const { owner } = server;
      const note = await (await owner.raw('/audit/checkpoint')).text();
      const size = Number(note.split('\n')[1]);
      const { audit_verifier_key: verifier } = granted(await server.anonymous.get<Fields>('/server_settings'));
      const inclusion: Fields[] = [];
      const consistency: Fields[] = [];
      for (const n of new Set([1, 2, 3, 5, 100, 255, 256, 257, 300, 511, 512, 513, size - 1, size])) {
        for (const of of new Set([n, Math.ceil((n + size) / 2), size]))
          inclusion.push(granted(await owner.get<Fields>('/audit/proofs/inclusion', { position: n, size: of })));
        consistency.push(granted(await owner.get<Fields>('/audit/proofs/consistency', { from: n })));
      }
      return { verifier, note, tiles: await tilesOf(size), inclusion, consistency };
    }
    /** All tiles of the tree, over HTTP. */
    async function tilesOf(size: number): Promise<Record<string, string>> {
      const tiles: Record<string, string> = {};
      for (const path of ['0/000', '0/001', `0/002.p/${size - 2 * TILE_WIDTH}`, '1/000.p/2']) {
        const answer = await server.owner.raw(`/audit/tile/${path}`);
        expect(answer.status).toBe(200);
        tiles[path] = Buffer.from(await answer.arrayBuffer()).toString('base64');
      }
      return tiles;
    }
    const verified = (claim: object) => {
      const { stdout, stderr, status } = spawnSync(program, { input: JSON.stringify(claim), encoding: 'utf8' });
      return status === 0 ? stdout : stderr;
    };

    it('verifies checkpoint, all tiles and all proofs', () => {
      expect(verified(input)).toBe(`verified ${Object.keys(input.tiles).join(' ')}\n`);
    });

    it('refuses what is not so', () => {
      const note = String(input['note']);
      expect(verified({ ...input, note: note.replace(/\n\d+\n/, '\n5\n') })).toContain('invalid signature');
      const [first, ...others] = input.inclusion;
      expect(verified({ ...input, inclusion: [{ ...first, event: 'AAAA' }, ...others] })).toContain(
        'invalid transparency proof',
      );
    });

    it('refuses a changed hash in each tile', () => {
      for (const [path, tile] of Object.entries(input.tiles)) {
        const changed = Buffer.from(tile, 'base64').map((byte, at) => (at === 40 ? byte ^ 1 : byte));
        const tiles = { ...input.tiles, [path]: Buffer.from(changed).toString('base64') };
        expect([path, verified({ ...input, tiles })]).toEqual([path, expect.stringContaining('inconsistent')]);
      }
    });
  });
