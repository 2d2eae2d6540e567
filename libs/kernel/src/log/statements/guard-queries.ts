import type { RealmId } from '../../domain/index';
import type { Append, Guard } from '../append/append';
import type { StatementAnswer } from './pipelined-batch';
import { guardKey } from '../append/append';
import { inRealm } from '../append/batch';

/** One kind of guard, with its uses in a batch. */
export interface GuardQuery {
  readonly guard: Guard;
  readonly realmIds: RealmId[];
  readonly keys: string[];
  /** As `realm name:key`. */
  readonly uses: string[];
}

/** One query per kind of guard, whatever the number of commands that use it. */
export function guardQueries(appends: readonly Append[]): GuardQuery[] {
  const queries = new Map<Guard, GuardQuery>();
  for (const { realmId, guards } of appends) {
    for (const use of guards) {
      const query = queries.get(use.guard) ?? { guard: use.guard, realmIds: [], keys: [], uses: [] };
      query.realmIds.push(realmId);
      query.keys.push(use.key);
      query.uses.push(inRealm(realmId, guardKey(use)));
      queries.set(use.guard, query);
    }
  }
  return [...queries.values()];
}

/** The uses of guards that fail, as `realm name:key`. */
export function failingKeys(guards: readonly GuardQuery[], answers: readonly StatementAnswer['rows'][]): Set<string> {
  const failing = new Set<string>();
  for (const [n, { uses }] of guards.entries()) {
    for (const [ord] of answers[n] ?? []) failing.add(uses[Number(ord) - 1] ?? '');
  }
  return failing;
}
