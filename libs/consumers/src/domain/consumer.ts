import type { Actor, Position, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact, isOwner } from '@annals/kernel/domain';
import type { ConsumerEvents, ConsumerView } from './events';
import {
  ConsumerChanged,
  ConsumerCreated,
  ConsumerDeleted,
  ConsumerPaused,
  ConsumerResumed,
  ConsumerRewound,
  consumerIdAt,
} from './events';
import { MAX_CONSUMERS, MAX_OWN_CONSUMERS, reject } from './rejections';

/** What a consumer wants of its view. A list that is null is no condition. */
export interface Selection {
  readonly types: readonly string[] | null;
  readonly subjects: readonly string[] | null;
  /** Whether it gets what people wrote. Always, in the view `client`. */
  readonly words: boolean;
}

/** A consumer as rules need it. */
export interface ConsumerState {
  readonly id: number;
  readonly ownerId: UserId;
  readonly view: ConsumerView;
  readonly selection: Selection;
  readonly isPaused: boolean;
}

/** Null before it was created and after it was deleted. */
export const consumerAggregate = defineAggregate<ConsumerState | null, ConsumerEvents>(
  'consumer',
  null,
  (state, event) => {
    switch (event.type) {
      case 'consumers.ConsumerCreated': {
        const { ownerId, view } = event.data;
        const selection = selectionOf(event.data);
        return { id: consumerIdAt(event.position), ownerId, view, selection, isPaused: false };
      }
      case 'consumers.ConsumerChanged':
        return state && { ...state, selection: selectionOf(event.data) };
      case 'consumers.ConsumerPaused':
        return state && { ...state, isPaused: true };
      case 'consumers.ConsumerResumed':
        return state && { ...state, isPaused: false };
      case 'consumers.ConsumerRewound':
        return state;
      case 'consumers.ConsumerDeleted':
        return null;
    }
  },
);

const selectionOf = ({ types, subjects, words }: Selection): Selection => ({ types, subjects, words });

/** How a consumer begins. */
export interface NewConsumer {
  readonly name: string;
  readonly view: ConsumerView;
  readonly types: readonly string[] | null;
  readonly subjects: readonly string[] | null;
  /** Left out: those of the view `client`, and none of the view `domain`. */
  readonly words?: boolean | undefined;
}

/** The consumers of an organization that exist already. The append must guard them. */
export interface ExistingConsumers {
  readonly all: number;
  readonly own: number;
  readonly hasName: boolean;
}

/**
 * contract/feed.md section 2
 *
 * @param from the position after which it begins
 * @throws Rejected CONSUMER_EXISTS, CONSUMER_LIMIT
 */
export function createConsumer(
  { name, view, types, subjects, words = view === 'client' }: NewConsumer,
  ownerId: UserId,
  from: Position,
  existing: ExistingConsumers,
): ConsumerCreated {
  ensureWords(view, words);
  if (existing.hasName) throw reject.nameTaken({ name });
  if (existing.own >= MAX_OWN_CONSUMERS) throw reject.tooManyOwn({ limit: MAX_OWN_CONSUMERS });
  if (existing.all >= MAX_CONSUMERS) throw reject.tooMany({ limit: MAX_CONSUMERS });
  return fact(
    ConsumerCreated,
    { ownerId, view, types: listOf(types), subjects: listOf(subjects), words, from },
    { name },
  );
}

/** The requested changes. What is left out stays. */
export interface ConsumerChange {
  readonly types?: readonly string[] | null | undefined;
  readonly subjects?: readonly string[] | null | undefined;
  readonly words?: boolean | undefined;
  readonly paused?: boolean | undefined;
}

type Manager = Pick<Actor, 'userId' | 'role'>;

/**
 * Equal values give no event (contract/feed.md section 2).
 *
 * @throws Rejected NO_SUCH_CONSUMER for all but its owner and owners of the organization
 */
export function changeConsumer(state: ConsumerState | null, change: ConsumerChange, by: Manager): ConsumerEvents[] {
  const { id: consumerId, ownerId, view, selection, isPaused } = managed(state, by);
  const { types = selection.types, subjects = selection.subjects, words = selection.words, paused = isPaused } = change;
  ensureWords(view, words);
  const isSame = equal(types, selection.types) && equal(subjects, selection.subjects) && words === selection.words;
  const wanted = { consumerId, ownerId, types: listOf(types), subjects: listOf(subjects), words };
  const switched = fact(paused ? ConsumerPaused : ConsumerResumed, { consumerId, ownerId });
  return [...(isSame ? [] : [fact(ConsumerChanged, wanted)]), ...(paused === isPaused ? [] : [switched])];
}

/** @throws Rejected NO_SUCH_CONSUMER for all but its owner and owners of the organization */
export function rewindConsumer(state: ConsumerState | null, to: Position, by: Manager): ConsumerRewound[] {
  const { id: consumerId, ownerId } = managed(state, by);
  return [fact(ConsumerRewound, { consumerId, ownerId, to })];
}

/** @throws Rejected NO_SUCH_CONSUMER for all but its owner and owners of the organization */
export function deleteConsumer(state: ConsumerState | null, by: Manager): ConsumerDeleted[] {
  const { id: consumerId, ownerId } = managed(state, by);
  return [fact(ConsumerDeleted, { consumerId, ownerId })];
}

/** Whether an account may see and change a consumer. To others it does not exist. */
export const manages = ({ userId, role }: Manager, { ownerId }: Pick<ConsumerState, 'ownerId'>): boolean =>
  userId === ownerId || isOwner({ role });

function managed(state: ConsumerState | null, by: Manager): ConsumerState {
  if (!state || !manages(by, state)) throw reject.noSuchConsumer();
  return state;
}

function ensureWords(view: ConsumerView, words: boolean): void {
  if (view === 'client' && !words) throw reject.alwaysWords();
}

const equal = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one === other ||
  (one !== null && other !== null && one.length === other.length && one.every((x, n) => x === other[n]));

const listOf = (list: readonly string[] | null): string[] | null => list && [...list];
