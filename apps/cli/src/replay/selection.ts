import type { EventRegistry, Kernel, LogSelection } from '@annals/kernel';
import { Moments, isOfType } from '@annals/kernel';
import type { RealmId, Subject } from '@annals/kernel/domain';
import { parseMoment } from '@annals/kernel/domain';

/** A part of a log as an operator names it. */
export interface NamedPart {
  readonly realm?: number | undefined;
  /** Moments: all events after `from`, up to and including `to`. */
  readonly from?: string;
  readonly to?: string;
  readonly types: readonly string[];
  readonly subject: Subject | null;
}

/**
 * The part of the log that an operator names. Without an organization it is that of the only one.
 *
 * @throws Error when there are several organizations, or no such one, and for types and kinds of things that no event has;
 *   Rejected BAD_MOMENT
 */
export async function selectionOf(
  kernel: Kernel,
  { realm, from, to, types, subject }: NamedPart,
): Promise<LogSelection> {
  ensureKnown(kernel.registry, types, subject);
  const heads = await kernel.events.heads();
  const [only, ...others] = heads.keys();
  if (realm === undefined && others.length > 0) throw new Error('There are several organizations: give --realm.');
  const realmId = (realm ?? only) as RealmId | undefined;
  const head = realmId === undefined ? undefined : heads.get(realmId);
  if (realmId === undefined || head === undefined) throw new Error('There is no such organization.');
  const moments = new Moments(kernel);
  const positionOf = async (text: string) => (await moments.resolve(realmId, parseMoment(text))).position;
  const after = from === undefined ? 0 : await positionOf(from);
  return { realmId, after, upTo: to === undefined ? head : await positionOf(to), types, subject };
}

/** A typing error would select nothing, without a word. */
function ensureKnown(registry: EventRegistry, types: readonly string[], subject: Subject | null): void {
  const unknown = types.find((pattern) => !registry.types.some((type) => isOfType(type, pattern)));
  if (unknown !== undefined) throw new Error(`No event has the type ${unknown}.`);
  if (subject && registry.typesAbout(subject[0]).length === 0) throw new Error(`No event is about a ${subject[0]}.`);
}
