import type { FactOf, Static, Subject } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, t } from '@annals/kernel/domain';

const linkifierId = t.Integer({ minimum: 1 });
const ofLinkifier = ({ linkifierId: id }: { readonly linkifierId: number }): readonly Subject[] => [
  ['linkifier', id],
  ...aboutRealm(),
];

/** What a linkifier matches, and where its links lead. */
const words = t.Object({
  /** A regular expression in the syntax of RE2. */
  pattern: t.String(),
  /** RFC 6570, with the named groups of the pattern as variables. */
  urlTemplate: t.String(),
  /** A text that the pattern matches. */
  exampleInput: t.Optional(t.String()),
  /** What clients write in place of a pasted URL that fits the template. */
  reverseTemplate: t.Optional(t.String()),
  /** More templates of such URLs. Left out when there are none. */
  alternativeUrlTemplates: t.Optional(t.Array(t.String())),
});
export type LinkifierText = Static<typeof words>;

/** Stream `linkifiers`, like all of these, because their order concerns all. A new linkifier is the last one. */
export const LinkifierAdded = defineEvent('realm.LinkifierAdded', {
  data: t.Object({ linkifierId }),
  sealed: words,
  subjects: ofLinkifier,
});
export type LinkifierAdded = FactOf<typeof LinkifierAdded>;

/** A linkifier has other texts. The event has all of them. */
export const LinkifierChanged = defineEvent('realm.LinkifierChanged', {
  data: t.Object({ linkifierId }),
  sealed: words,
  subjects: ofLinkifier,
});
export type LinkifierChanged = FactOf<typeof LinkifierChanged>;

/** Messages that were written before keep their links. */
export const LinkifierRemoved = defineEvent('realm.LinkifierRemoved', {
  data: t.Object({ linkifierId }),
  sealed: t.Object({ pattern: t.String() }),
  subjects: ofLinkifier,
});
export type LinkifierRemoved = FactOf<typeof LinkifierRemoved>;

/** All linkifiers in a new order. */
export const LinkifiersReordered = defineEvent('realm.LinkifiersReordered', {
  data: t.Object({ order: t.Array(linkifierId) }),
  subjects: aboutRealm,
});
export type LinkifiersReordered = FactOf<typeof LinkifiersReordered>;

export type LinkifierEvent = LinkifierAdded | LinkifierChanged | LinkifierRemoved | LinkifiersReordered;

/** Definitions of `LinkifierEvent`. */
export const LINKIFIER_EVENTS = [LinkifierAdded, LinkifierChanged, LinkifierRemoved, LinkifiersReordered] as const;
