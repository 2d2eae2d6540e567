import type { KeyObject } from 'node:crypto';
import type { Kernel } from '@annals/kernel';
import { LogTree, checkpointText, parseCheckpoint, signNote, splitNote } from '@annals/kernel';
import type { Instant, RealmId } from '@annals/kernel/domain';
import { DAY_MS, HOUR_MS } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { StoredCheckpoint } from '../read/checkpoints';
import { readLatest } from '../read/checkpoints';
import { keyAt, readSigningKeys } from '../read/signing-keys';
import { isKeyOf } from './change-signing-key';

/** Checkpoints of this age have been thinned out already. */
const THINNED_MS = 30 * DAY_MS;
/** Events that one transaction adds to a tree. */
const STEP = 200_000;

/** Why a checkpoint must not be signed. An operator has to act. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

type Deps = Pick<Kernel, 'database' | 'events' | 'clock'>;
type Step = 'more' | 'done';

/**
 * Brings the tree of a log to its head and signs it there. Nothing happens while another process does so. A size has one
 * note for ever, a smaller size never follows a greater one, and nothing is signed that contradicts what was signed
 * before.
 *
 * @throws NotSigned, NoLeaf, MissingTile
 */
export async function signCheckpoint(deps: Deps, realmId: RealmId, key: KeyObject): Promise<void> {
  const step = () => deps.database.transaction('BEGIN', (client) => advance(deps, realmId, key, client));
  while ((await step()) === 'more');
}

async function advance(deps: Deps, realmId: RealmId, key: KeyObject, client: ClientBase): Promise<Step> {
  const tree = new LogTree(client);
  const size = await tree.lock(client, realmId);
  if (size === null) return 'done';
  const head = (await deps.events.heads([realmId], client)).get(realmId) ?? 0;
  const latest = await readLatest(client, realmId);
  const signed = Math.max(latest?.size ?? 0, size);
  if (head < signed) throw new NotSigned(`the log ends at ${head}, but it was signed up to ${signed}`);
  const to = Math.min(head, size + STEP);
  if (to > size) await tree.extend(client, realmId, size, to);
  if (to < head) return 'more';
  const now = deps.clock.now();
  if (latest?.size === head && latest.at > now - HOUR_MS) return 'done';
  if (latest) await ensureConsistent(tree, realmId, latest);
  const note = latest?.size === head ? latest.note : await newNote(deps, tree, { realmId, size: head, key, client });
  await keep(client, realmId, { size: head, at: now, note }, latest);
  return 'done';
}

/** The tree must still begin with what was signed last. */
async function ensureConsistent(tree: LogTree, realmId: RealmId, { size, note }: StoredCheckpoint): Promise<void> {
  const signed = parseCheckpoint(splitNote(note)?.text ?? '');
  if (signed?.size === size && signed.root.equals(await tree.root(realmId, size))) return;
  throw new NotSigned(`the tree up to ${size} is not the one that was signed`);
}

interface NewNote {
  readonly realmId: RealmId;
  readonly size: number;
  readonly key: KeyObject;
  readonly client: ClientBase;
}

async function newNote(deps: Deps, tree: LogTree, { realmId, size, key, client }: NewNote): Promise<string> {
  const period = keyAt(await readSigningKeys(deps, realmId, client), size);
  if (!period || !isKeyOf(period.event.data.verifier, key))
    throw new NotSigned('the key of this process is not the one that the log names');
  const { name } = period.verifier;
  return signNote(checkpointText({ origin: name, size, root: await tree.root(realmId, size) }), name, key);
}

async function keep(
  client: ClientBase,
  realmId: RealmId,
  { size, at, note }: StoredCheckpoint,
  before: StoredCheckpoint | null,
): Promise<void> {
  await client.query(
    'INSERT INTO audit_checkpoints (realm_id, size, at, note) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [realmId, size, at, note],
  );
  if (before && hourOf(before.at) < hourOf(at)) await thin(client, realmId, at);
}

const hourOf = (at: Instant): number => Math.floor(at / HOUR_MS);

/** Of an hour that is more than a day ago, the last checkpoint is kept, for ever. */
async function thin(client: ClientBase, realmId: RealmId, now: Instant): Promise<void> {
  const span = [realmId, now - THINNED_MS, now - DAY_MS];
  await client.query(
    `DELETE FROM audit_checkpoints AS c WHERE c.realm_id = $1 AND c.at >= $2 AND c.at < $3
      AND EXISTS (SELECT FROM audit_checkpoints AS l WHERE l.realm_id = $1 AND l.at > c.at
        AND l.at < (c.at / ${HOUR_MS} + 1) * ${HOUR_MS})`,
    span,
  );
  await client.query(
    `DELETE FROM audit_cosignatures AS s WHERE s.realm_id = $1 AND s.at >= $2 AND s.at < $3
      AND NOT EXISTS (SELECT FROM audit_checkpoints AS c WHERE c.realm_id = $1 AND c.size = s.size)`,
    span,
  );
}
