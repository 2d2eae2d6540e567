import type { SystemGroup } from '@annals/kernel/domain';

/** The role that may change a setting. `nobody` for a setting of the operator. */
export type Changer = 'administrators' | 'owners' | 'nobody';

/**
 * The allowed values of a group setting (contract/permissions.md sections 3 and 5). `role:internet` is never allowed.
 */
export interface GroupRule {
  /** Whether `role:everyone` is allowed. If not, guests never have the permission. */
  readonly everyone: boolean;
  readonly nobody: boolean;
  /** Only system groups, or only these. */
  readonly only?: 'system groups' | readonly SystemGroup[];
}

interface Changeable {
  readonly by: Changer;
}
export interface Flag extends Changeable {
  readonly kind: 'flag';
  readonly initial: boolean;
}
export interface Whole extends Changeable {
  readonly kind: 'whole';
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}
export interface OneOf extends Changeable {
  readonly kind: 'one of';
  readonly initial: number;
  readonly numbers: readonly number[];
}
/** Seconds; null is unlimited. */
export interface TimeLimit extends Changeable {
  readonly kind: 'time limit';
  readonly initial: number | null;
}
/** Days; -1 is unlimited. */
export interface Retention extends Changeable {
  readonly kind: 'retention';
  readonly initial: -1;
}
export interface Word<W extends string = string> extends Changeable {
  readonly kind: 'word';
  readonly initial: W;
  readonly words: readonly W[];
}
/** The name of a language of code, or the empty text for none. */
export interface CodeLanguage extends Changeable {
  readonly kind: 'code language';
  readonly initial: '';
}
/** An address of another server, or null, which is `default` in the API. */
export interface Address extends Changeable {
  readonly kind: 'address';
  readonly initial: null;
}
/** Null is none, -1 in the API. */
export interface OneChannel extends Changeable {
  readonly kind: 'channel';
  readonly initial: null;
}
export interface OneGroup extends Changeable {
  readonly kind: 'group';
  readonly initial: SystemGroup;
  readonly rule: GroupRule;
}
export type Setting =
  Flag | Whole | OneOf | TimeLimit | Retention | Word | CodeLanguage | Address | OneChannel | OneGroup;

export const MAX_INT4 = 0x7fff_ffff;
/** Code points. */
export const MAX_CODE_LANGUAGE = 40;
/** Characters. */
export const MAX_ADDRESS = 200;

export const flag = (initial: boolean, by: Changer): Flag => ({ kind: 'flag', initial, by });
export const whole = (initial: number, by: Changer, min = 0, max = MAX_INT4): Whole => ({
  kind: 'whole',
  initial,
  by,
  min,
  max,
});
export const oneOf = (numbers: readonly number[], initial: number, by: Changer): OneOf => ({
  kind: 'one of',
  numbers,
  initial,
  by,
});
export const limit = (initial: number, by: Changer): TimeLimit => ({ kind: 'time limit', initial, by });
export const word = <const W extends string>(words: readonly W[], initial: NoInfer<W>, by: Changer): Word<W> => ({
  kind: 'word',
  words,
  initial,
  by,
});
export const channel = (by: Changer): OneChannel => ({ kind: 'channel', initial: null, by });
export const group = (initial: SystemGroup, rule: GroupRule, by: Changer): OneGroup => ({
  kind: 'group',
  initial,
  rule,
  by,
});
