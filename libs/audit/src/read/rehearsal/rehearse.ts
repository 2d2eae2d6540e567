import type { Kernel } from '@annals/kernel';
import { selectedPages } from '@annals/kernel';
import type { Instant, Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { DECISIONS } from './decisions';
import type { RehearsedDecision } from './decisions';
import type { ProposedRule } from './proposed-rule';
import { RehearsalFacts } from './rehearsal-facts';

/** Refused decisions that are shown. */
const SAMPLES = 10;

/** A decision that would have been refused. */
export interface RefusedDecision {
  readonly position: Position;
  readonly at: Instant;
  readonly type: string;
  readonly userId: UserId;
}

/** The effects that a proposed rule would have had on decisions of the past. */
export interface Rehearsal {
  /** Decisions that depend on the setting. */
  readonly decisions: number;
  readonly refused: number;
  /** Refused decisions by user. */
  readonly users: ReadonlyMap<UserId, number>;
  readonly samples: readonly RefusedDecision[];
}

interface Part {
  readonly realmId: RealmId;
  readonly after: number;
  readonly upTo: number;
}

/**
 * Takes the decisions in a part of the log again, with one setting changed and everything else as it was (contract/audit.md
 * section 7). A decision counts as refused if the rules at that time allow it, and the proposed one does not. Nothing is
 * written.
 *
 * @param onProgress the position up to which the log was read
 */
export async function rehearse(
  kernel: Kernel,
  part: Part,
  { setting, value }: ProposedRule,
  onProgress: (position: number) => void = () => undefined,
): Promise<Rehearsal> {
  const facts = new RehearsalFacts(kernel, part.realmId);
  const users = new Map<UserId, number>();
  const samples: RefusedDecision[] = [];
  let [decisions, refused] = [0, 0];
  const concerned = [...DECISIONS.values()].filter(({ settings }) => settings.includes(setting));
  for await (const { events, position } of selectedPages(kernel.events, { ...part, types: [], subject: null })) {
    const page = events.map((event) => kernel.registry.decodeKnown(event));
    await prepare(facts, page, concerned);
    for (const event of page) {
      const decision = concerned.find(({ type }) => type === event.type);
      const outcome = decision && (await retake(facts, event, decision, (now) => ({ ...now, [setting]: value })));
      facts.passed(event);
      if (outcome === undefined || outcome === 'none' || event.actorId === null) continue;
      decisions += 1;
      if (outcome === 'allowed') continue;
      refused += 1;
      users.set(event.actorId, (users.get(event.actorId) ?? 0) + 1);
      const { at, type, actorId: userId } = event;
      if (samples.length < SAMPLES) samples.push({ position: event.position, at, type, userId });
    }
    onProgress(position);
  }
  return { decisions, refused, users, samples };
}

async function prepare(facts: RehearsalFacts, page: readonly Recorded[], concerned: readonly RehearsedDecision[]) {
  const each = page.flatMap((event) => {
    const decision = concerned.find(({ type }) => type === event.type);
    return decision ? [{ event, decision }] : [];
  });
  await facts.prepare(
    each.flatMap(({ event, decision }) => decision.messages?.(event) ?? []),
    each.flatMap(({ event, decision }) => decision.channels?.(event) ?? []),
  );
}

/** @returns `none` for an event that no person decided */
async function retake(
  facts: RehearsalFacts,
  event: Recorded,
  { decide }: RehearsedDecision,
  proposed: (settings: RealmSettings) => RealmSettings,
): Promise<'none' | 'allowed' | 'refused'> {
  const realm = await facts.realmBefore(event.position);
  const actor = realm && (await facts.actorBefore(event));
  if (!realm || !actor) return 'none';
  const taken = { event, actor, facts, systemGroups: realm.systemGroups };
  if (!decide(taken, realm.settings).allowed) return 'allowed';
  return decide(taken, proposed(realm.settings)).allowed ? 'allowed' : 'refused';
}
