import type { FactOf, Position } from '@annals/kernel/domain';
import { count, defineEvent, nullable, t, userId, words } from '@annals/kernel/domain';
import { ofConsumer, subjectsOf } from './of-consumer';

/** A consumer sees the client events that its owner would get, or the events of the log themselves. */
export const VIEWS = ['client', 'domain'] as const;
export type ConsumerView = (typeof VIEWS)[number];

/** What a consumer wants. A list that is null is no condition. */
const selection = {
  /** Names of types, and of contexts: `messages.*`. */
  types: nullable(t.Array(t.String())),
  /** `realm`, or a kind and an id: `message:412`. An event is about at least one of them. */
  subjects: nullable(t.Array(t.String())),
  /** Whether it gets what people wrote. */
  words: t.Boolean(),
};

/** Stream `consumer-{position}`, like all others: a program may follow the log. */
export const ConsumerCreated = defineEvent('consumers.ConsumerCreated', {
  data: t.Object({
    ownerId: userId,
    view: words(...VIEWS),
    ...selection,
    /** The position after which it begins. */
    from: count,
  }),
  sealed: t.Object({ name: t.String() }),
  subjects: (data, position) => [
    ['consumer', position],
    ['user', data.ownerId],
  ],
});
export type ConsumerCreated = FactOf<typeof ConsumerCreated>;

/** What it wants from now on. */
export const ConsumerChanged = defineEvent('consumers.ConsumerChanged', {
  data: t.Object({ ...ofConsumer, ...selection }),
  subjects: subjectsOf,
});
export type ConsumerChanged = FactOf<typeof ConsumerChanged>;

/** Nothing is offered to it until it is resumed. Its position stays. */
export const ConsumerPaused = defineEvent('consumers.ConsumerPaused', {
  data: t.Object(ofConsumer),
  subjects: subjectsOf,
});
export type ConsumerPaused = FactOf<typeof ConsumerPaused>;

export const ConsumerResumed = defineEvent('consumers.ConsumerResumed', {
  data: t.Object(ofConsumer),
  subjects: subjectsOf,
});
export type ConsumerResumed = FactOf<typeof ConsumerResumed>;

/** It continues after another position, and forgets what it had acknowledged, been offered and parked. */
export const ConsumerRewound = defineEvent('consumers.ConsumerRewound', {
  data: t.Object({ ...ofConsumer, to: count }),
  subjects: subjectsOf,
});
export type ConsumerRewound = FactOf<typeof ConsumerRewound>;

/** Its name is free again. */
export const ConsumerDeleted = defineEvent('consumers.ConsumerDeleted', {
  data: t.Object(ofConsumer),
  subjects: subjectsOf,
});
export type ConsumerDeleted = FactOf<typeof ConsumerDeleted>;

export type ConsumerEvents =
  ConsumerCreated | ConsumerChanged | ConsumerPaused | ConsumerResumed | ConsumerRewound | ConsumerDeleted;

/** The id of a consumer is the position of its first event. */
export const consumerIdAt = (position: Position): number => position;
