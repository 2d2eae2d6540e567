import type { Fact } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import fc from 'fast-check';
import { encodeIds } from '../domain/flags/encoded-ids';
import {
  AllMarkedRead,
  EDITABLE_FLAGS,
  FLAG_OPERATIONS,
  FlagsChanged,
  readingStream,
} from '../domain/flags/flag-events';
import type { Model } from './visibility-model';
import { PEOPLE } from './visibility-model';

const person = fc.constantFrom(...PEOPLE);

/** An act of a user on their own flags: on some messages, or on all. */
export const flagAct = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('flag' as const),
      person,
      flag: fc.constantFrom('read' as const, ...EDITABLE_FLAGS),
      op: fc.constantFrom(...FLAG_OPERATIONS),
      picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    }),
  },
  fc.record({ do: fc.constant('mark all' as const), person }),
);
export type FlagAct = typeof flagAct extends fc.Arbitrary<infer T> ? T : never;

/** The event of the act, with its stream; none where it changes nothing. */
export function flagFacts(act: FlagAct, model: Model): (readonly [string, Fact])[] {
  const { person: userId } = act;
  if (act.do === 'mark all') {
    model.next();
    model.unreadBy.get(userId)?.clear();
    return [[readingStream(userId), fact(AllMarkedRead, { userId })]];
  }
  const picked = new Set(act.picks.map((pick) => model.messages[pick % (model.messages.length || 1)]?.id));
  const ids = model.messages.flatMap(({ id }) => (picked.has(id) && model.changesFlag(userId, id, act) ? [id] : []));
  if (ids.length === 0) return [];
  model.next();
  for (const id of ids) model.setsFlag(userId, id, act);
  const { flag, op } = act;
  return [[readingStream(userId), fact(FlagsChanged, { userId, flag, op, ids: encodeIds(ids) })]];
}
