import { defineContext } from '../contexts/define-context';
import type { FactOf } from '../domain/index';
import { defineEvent, t } from '../domain/index';
import { Erased } from '../erasure/events';

/**
 * The log was restored from a backup, or by a replica that lagged: it went on from the position before this event, and
 * positions from here on may have been given before, to other events. What was told outside of the first ones is void.
 */
export const Restored = defineEvent('kernel.Restored', { data: t.Object({}) });
export type Restored = FactOf<typeof Restored>;

/** Stream of what happens to a realm's log itself. */
export const LOG_STREAM = 'log';

/** What the kernel itself brings. */
export const kernelContext = defineContext({
  name: 'kernel',
  events: [Restored, Erased],
  // A restored log is another installation.
  transient: ['installation'],
  unheard: {
    'kernel.Restored': 'client queues are gone by then; it is for those who read the history',
    'kernel.Erased': 'what is shown had forgotten the words before; caches and the index of subjects hear of it',
  },
});
