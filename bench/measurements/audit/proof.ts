import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { CheckpointSigner, KeyStore } from '@annals/audit';
import type { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { RealmFacts, ServerAddress } from '@annals/realm';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Figures, Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import type { Annals } from '../../http/annals';
import { startAnnals } from '../../http/annals';
import { followed, openKernel, signed, signedSize } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { startCommand } from '../../audit/command';
import { lengthen } from '../../audit/long-log';
import { sendPast } from '../../http/past';
import { createChannels } from '../server/messages';

const REALM = 1 as RealmId;
/** Authors of the stored messages. */
const PEOPLE = 200;
/** The tree has so many times the events of the log before. */
const TIMES = 5;
/** Proofs that are checked before the rate of proofs counts. */
const CHECKED = 50;

/** `annals verify` and `annals past` of a long log, and proofs of inclusion in a tree that is five times as long. */
export const proof: Measurement = {
  name: 'proof',
  title: 'Verification, a past and proofs of a long log',
  async run(bench) {
    const annals = await startAnnals(bench);
    const kernel = await openKernel(bench, annals.databaseUrl);
    await fill(bench, annals, kernel);
    const stored = await headOf(kernel);
    const verified = await timeOfVerify(bench, annals);
    const past = await timeOfPast(bench, annals, stored);
    await annals.stopWorker();
    await lengthen(kernel, stored * TIMES, (done) => bench.say('lengthening the log', `${done} of ${stored * TIMES}`));
    return {
      'proof.stored': { value: stored, unit: 'events' },
      'proof.verify': { value: verified, unit: 'ms' },
      'proof.past': { value: past, unit: 'ms' },
      ...(await signing(bench, annals, kernel)),
      ...(await proofs(bench, annals, stored * TIMES)),
    };
  },
};

const headOf = async (kernel: Kernel): Promise<number> => (await kernel.events.heads()).get(REALM) ?? 0;

async function fill(bench: Bench, { owner }: Annals, kernel: Kernel): Promise<void> {
  const channels = await createChannels(owner);
  const senders = await crowd(kernel, PEOPLE);
  const progress = (done: number) => bench.say('storing messages', `${done} of ${bench.stored}`);
  await sendPast(kernel, { channels, senders, count: bench.stored, progress });
  bench.say('waiting for the worker');
  await followed(kernel);
  await signed(kernel);
  await kernel.database.pool.query('VACUUM (ANALYZE)');
}

/** The worker runs, but has nothing to do. */
async function timeOfVerify(bench: Bench, annals: Annals): Promise<number> {
  bench.say('annals verify');
  return startCommand(annals, 'verify').ended();
}

/** Until the past answers requests. */
async function timeOfPast(bench: Bench, annals: Annals, position: number): Promise<number> {
  bench.say('annals past');
  const past = startCommand(annals, 'past', '--at', `p${position}`, '--port', '0');
  const built = await past.printed('http://');
  past.child.kill('SIGINT');
  await past.ended();
  return built;
}

/** How fast a tree grows when the signer is far behind, as after an upgrade. */
async function signing(bench: Bench, { address, env }: Annals, kernel: Kernel): Promise<Figures> {
  bench.say('building and signing the tree');
  const before = await signedSize(kernel);
  const keys = new KeyStore({ folder: env['ANNALS_DATA_DIR'] ?? '' });
  const signer = new CheckpointSigner(kernel, keys, new RealmFacts(kernel), new ServerAddress(address));
  const began = performance.now();
  await signer.sweep();
  const seconds = (performance.now() - began) / 1_000;
  return { 'proof.tree': { value: ((await signedSize(kernel)) - before) / seconds, unit: 'events/s' } };
}

/** One request after the other, for positions all over the log. */
async function proofs(bench: Bench, { owner }: Annals, size: number): Promise<Figures> {
  bench.say('proofs');
  const position = () => Math.ceil(Math.random() * size);
  for (let n = 0; n < CHECKED; n++) await check(owner, position(), size);
  const load = await closedLoop({ callers: 1, seconds: bench.seconds }, () =>
    owner.receive('GET', `/audit/proofs/inclusion?position=${position()}&size=${size}`),
  );
  return { 'proof.size': { value: size, unit: 'events' }, ...load.figures('proof.inclusion', 'requests/s') };
}

/** Another implementation verifies the proof. @throws Error if it does not hold */
async function check(owner: ApiClient, position: number, size: number): Promise<void> {
  const { checkpoints } = await owner.get('/audit/checkpoints', { from: `p${size - 1}`, to: `p${size}` });
  const [{ note }] = checkpoints as [{ note: string }];
  const proof = await owner.get('/audit/proofs/inclusion', { position: String(position), size: String(size) });
  const hashes = (proof['hashes'] as string[]).map((hash) => Buffer.from(hash, 'base64'));
  const inclusionProof = { logIndex: String(position - 1), treeSize: String(size), hashes };
  const entry = { canonicalizedBody: Buffer.from(String(proof['event']), 'base64'), inclusionProof };
  const logHash = Buffer.from(note.split('\n')[2] ?? '', 'base64');
  verifyMerkleInclusion(
    entry as Parameters<typeof verifyMerkleInclusion>[0],
    { logSize: BigInt(size), logHash } as Parameters<typeof verifyMerkleInclusion>[1],
  );
}
