import type { FactOf, Subject } from '@annals/kernel/domain';
import { aboutRealm, defineEvent, t } from '@annals/kernel/domain';

const playgroundId = t.Integer({ minimum: 1 });
const ofPlayground = ({ playgroundId: id }: { readonly playgroundId: number }): readonly Subject[] => [
  ['playground', id],
  ...aboutRealm(),
];

/**
 * Stream `playgrounds`, like both of these, because no two have the same name and language. Clients offer to open blocks of
 * code of the language at its URL.
 */
export const PlaygroundAdded = defineEvent('realm.PlaygroundAdded', {
  data: t.Object({ playgroundId }),
  sealed: t.Object({
    name: t.String(),
    language: t.String(),
    /** RFC 6570, with the variable `code`. */
    urlTemplate: t.String(),
  }),
  subjects: ofPlayground,
});
export type PlaygroundAdded = FactOf<typeof PlaygroundAdded>;

/** The organization has one playground less. */
export const PlaygroundRemoved = defineEvent('realm.PlaygroundRemoved', {
  data: t.Object({ playgroundId }),
  sealed: t.Object({ name: t.String(), language: t.String() }),
  subjects: ofPlayground,
});
export type PlaygroundRemoved = FactOf<typeof PlaygroundRemoved>;

export type PlaygroundEvent = PlaygroundAdded | PlaygroundRemoved;

/** Definitions of `PlaygroundEvent`. */
export const PLAYGROUND_EVENTS = [PlaygroundAdded, PlaygroundRemoved] as const;
