import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

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
    let input: Fields & { readonly leaves: string[]; readonly inclusion: Fields[] };
    beforeAll(async () => {
      const built = go('build', '-o', program, '.');
      expect([built.stderr, built.status]).toEqual(['', 0]);
      server = await startTestServer();
      await server.signCheckpoint();
      input = await everything();
    }, 180_000);
    afterAll(() => server.close());

    async function everything() {
      const { owner } = server;
      const note = await (await owner.raw('/audit/checkpoint')).text();
      const size = Number(note.split('\n')[1]);
      const tile = Buffer.from(await (await owner.raw(`/audit/tile/0/000.p/${size}`)).arrayBuffer());
      const leaves = Array.from({ length: size }, (_, n) => tile.subarray(n * 32, (n + 1) * 32).toString('base64'));
      const { audit_verifier_key: verifier } = granted(await server.stranger.get<Fields>('/server_settings'));
      const inclusion: Fields[] = [];
      const consistency: Fields[] = [];
      for (let n = 1; n <= size; n++) {
        for (const of of new Set([n, Math.ceil((n + size) / 2), size]))
          inclusion.push(granted(await owner.get<Fields>('/audit/proofs/inclusion', { position: n, size: of })));
        consistency.push(granted(await owner.get<Fields>('/audit/proofs/consistency', { from: n })));
      }
      return { verifier, note, leaves, inclusion, consistency };
    }
    const verified = (claim: object) => {
      const { stdout, stderr, status } = spawnSync(program, { input: JSON.stringify(claim), encoding: 'utf8' });
      return status === 0 ? stdout : stderr;
    };

    it('verifies checkpoint, tile, and all proofs', () => {
      expect(verified(input)).toBe('verified\n');
    });

    it('refuses what is not so', () => {
      const note = String(input['note']);
      expect(verified({ ...input, note: note.replace(/\n\d+\n/, '\n5\n') })).toContain('invalid signature');
      expect(verified({ ...input, leaves: input.leaves.toReversed() })).toContain('another root');
      const [first, ...others] = input.inclusion;
      expect(verified({ ...input, inclusion: [{ ...first, event: 'AAAA' }, ...others] })).toContain(
        'invalid transparency proof',
      );
    });
  });
