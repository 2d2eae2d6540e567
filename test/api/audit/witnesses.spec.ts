import { HOUR_MS } from '@annals/kernel/domain';
import { once } from 'node:events';
import type { KeyObject } from 'node:crypto';
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RFC9162 } from '@transmute/rfc9162';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { granted } from '../../support/server/caller';

const NAME = 'witness.example/w1';
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** A witness as C2SP tlog-witness describes it, written from the specification alone. */
class Witness {
  readonly key = generateKeyPairSync('ed25519').privateKey;
  size = 0;
  root = Buffer.alloc(0);
  /** Verifier key of the log. Null: it does not know the log. */
  log: string | null = null;
  answers: number[] = [];
  /** Answers with this instead, if it is set. */
  instead: { status: number; body: string } | null = null;
  constructor(private readonly server: Server) {}

  static async start(): Promise<Witness> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void witness.answer(request.url ?? '', Buffer.concat(chunks).toString()).then(({ status, body }) => {
          witness.answers.push(status);
          response.writeHead(status).end(body);
        });
      });
    });
    const witness = new Witness(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return witness;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private get rawKey(): Buffer {
    return createPublicKey(this.key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
  }

  private get id(): Buffer {
    return createHash('sha256')
      .update(Buffer.concat([Buffer.from(`${NAME}\n`), Buffer.of(4), this.rawKey]))
      .digest()
      .subarray(0, 4);
  }

  get verifier(): string {
    return `${NAME}+${this.id.toString('hex')}+${Buffer.concat([Buffer.of(4), this.rawKey]).toString('base64')}`;
  }

  async answer(url: string, body: string): Promise<{ status: number; body: string }> {
    if (this.instead) return this.instead;
    const [, old, proofLines = '', note = ''] = /^old (0|[1-9]\d*)\n((?:[^\n]+\n)*)\n([^]*)$/.exec(body) ?? [];
    if (url !== '/add-checkpoint' || old === undefined) return { status: 400, body: '' };
    const end = note.lastIndexOf('\n\n');
    const text = note.slice(0, end + 1);
    const [origin, size = '', root = ''] = text.split('\n');
    if (this.log === null || !this.log.startsWith(`${origin}+`)) return { status: 404, body: '' };
    if (!isSigned(text, note.slice(end + 2), this.log)) return { status: 403, body: '' };
    if (Number(old) > Number(size)) return { status: 400, body: '' };
    if (Number(old) !== this.size) return { status: 409, body: `${this.size}\n` };
    const proof = proofLines
      .split('\n')
      .filter(Boolean)
      .map((line) => Buffer.from(line, 'base64'));
    const grown = await this.hasGrown(Number(size), Buffer.from(root, 'base64'), proof);
    if (!grown) return { status: 422, body: '' };
    [this.size, this.root] = [Number(size), Buffer.from(root, 'base64')];
    return { status: 200, body: this.cosign(text, 1_767_000_000n + BigInt(this.answers.length)) };
  }

  cosign(text: string, time: bigint, key: KeyObject = this.key): string {
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key);
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(time);
    return `— ${NAME} ${Buffer.concat([this.id, stamp, signature]).toString('base64')}\n`;
  }

  private async hasGrown(size: number, root: Buffer, proof: Buffer[]): Promise<boolean> {
    if (this.size === 0) return proof.length === 0;
    if (this.size === size) return proof.length === 0 && root.equals(this.root);
    const isPower = Number.isInteger(Math.log2(this.size));
    const path = isPower ? [this.root, ...proof] : proof;
    const claim = { log_id: '', tree_size_1: this.size, tree_size_2: size, consistency_path: path };
    return RFC9162.verifyConsistencyProof(this.root, root, claim);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function isSigned(text: string, lines: string, verifier: string): boolean {
  const key = Buffer.from(verifier.slice(verifier.lastIndexOf('+', verifier.length - 45) + 1), 'base64').subarray(1);
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' });
  const signature = Buffer.from(lines.split('\n')[0]?.split(' ')[2] ?? '', 'base64').subarray(4);
  return verify(null, Buffer.from(text), publicKey, signature);
}

let witness: Witness;
let away: Witness;
let server: TestServer;
beforeAll(async () => {
  witness = await Witness.start();
  away = await Witness.start();
  const entries = [`${witness.url} ${witness.verifier}`, `${away.url}/ ${away.verifier}`];
  server = await startTestServer({ env: { ANNALS_AUDIT_WITNESSES: entries.join(', ') } });
  away.stop();
});
afterAll(async () => {
  await server.close();
  witness.stop();
});
beforeEach(() => void (witness.answers = []));

const note = async () => (await server.owner.raw('/audit/checkpoint')).text();
const lines = (text: string) => text.slice(text.lastIndexOf('\n\n') + 2).match(/^—.*$/gm) ?? [];
const post = async () =>
  granted(await server.owner.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'x' }));
const pass = () => server.clock.advance(700_000);

describe('a witness', () => {
  it('that does not know the log is asked again later, and the checkpoint is shown without it', async () => {
    await server.signCheckpoint();
    await server.askWitnesses();
    await server.askWitnesses();
    expect(witness.answers).toEqual([404]);
    expect(lines(await note())).toHaveLength(1);
    witness.log = granted(
      await server.anonymous.get<{ audit_verifier_key: string }>('/server_settings'),
    ).audit_verifier_key;
    pass();
    await server.askWitnesses();
    expect(witness.answers).toEqual([404, 200]);
  });

  it('has its true line under the checkpoint', async () => {
    const text = await note();
    const [own, cosignature, ...more] = lines(text);
    expect([own?.split(' ')[1], more]).toEqual([text.split('\n')[0], []]);
    expect(`${cosignature}\n`).toBe(witness.cosign(text.slice(0, text.lastIndexOf('\n\n') + 1), 1_767_000_001n));
    const { checkpoints } = granted(await server.owner.get<{ checkpoints: { note: string }[] }>('/audit/checkpoints'));
    expect(checkpoints.at(-1)?.note).toBe(text);
  });

  it('gets a proof that the log has only grown, for each new checkpoint once', async () => {
    for (let n = 0; n < 5; n++) {
      await post();
      await server.signCheckpoint();
      await server.askWitnesses();
      await server.askWitnesses();
    }
    expect(witness.answers).toEqual([200, 200, 200, 200, 200]);
    expect(lines(await note())).toHaveLength(2);
  });

  it('that knows another size says so, and is asked from there', async () => {
    const { size, root } = witness;
    await post();
    await server.signCheckpoint();
    await server.askWitnesses();
    [witness.size, witness.root, witness.answers] = [size, root, []];
    await post();
    await server.signCheckpoint();
    await server.askWitnesses();
    expect(witness.answers).toEqual([409, 200]);
    [witness.size, witness.answers] = [0, []];
    await post();
    await server.signCheckpoint();
    await server.askWitnesses();
    expect(witness.answers).toEqual([409, 200]);
  });

  it('cosigns anew each hour in which nothing happened', async () => {
    const [signature, cosignature] = lines(await note());
    server.clock.advance(HOUR_MS);
    await server.signCheckpoint();
    await server.askWitnesses();
    expect(witness.answers).toEqual([200]);
    expect(lines(await note())).toHaveLength(2);
    expect(lines(await note())).not.toContain(cosignature);
    expect(lines(await note())).toContain(signature);
  });

  it.each([
    ['knows more than the log has', { status: 409, body: '99999\n' }],
    ['names no size', { status: 409, body: 'another\n' }],
    ['refuses', { status: 422, body: '' }],
    ['is broken', { status: 500, body: '' }],
    ['answers without end', { status: 200, body: 'a'.repeat(100_000) }],
    ['answers what is no signature', { status: 200, body: '<h1>hello</h1>\n' }],
    ['sends elsewhere', { status: 302, body: '' }],
  ])('that %s adds nothing', async (_, instead) => {
    witness.instead = instead;
    await post();
    await server.signCheckpoint();
    await server.askWitnesses();
    witness.instead = null;
    pass();
    expect(lines(await note())).toHaveLength(1);
  });

  it('whose signature is not true, or of another key, adds nothing', async () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    await post();
    await server.signCheckpoint();
    const text = await note();
    witness.instead = { status: 200, body: witness.cosign(text.slice(0, text.lastIndexOf('\n\n') + 1), 5n, other) };
    await server.askWitnesses();
    witness.instead = null;
    pass();
    expect(lines(await note())).toHaveLength(1);
    await server.askWitnesses();
    expect(lines(await note())).toHaveLength(2);
  });
});
