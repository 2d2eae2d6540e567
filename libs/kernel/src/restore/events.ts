import { defineContext } from '../contexts/define-context';
import { describeEvent } from '../contexts/event-description';
import { counted } from '../contexts/sentence-parts';
import type { FactOf } from '../domain/index';
import { aboutRealm, defineEvent, t } from '../domain/index';
import { Erased } from '../erasure/events';

/**
 * The log was restored from a backup, or by a replica that lagged. It continued from the position before this event,
 * and positions from here on may have been given before, to other events. What was delivered of those is void.
 */
export const Restored = defineEvent('kernel.Restored', { data: t.Object({}), subjects: aboutRealm });
export type Restored = FactOf<typeof Restored>;

/** The stream of what happens to a realm's log itself. */
export const LOG_STREAM = 'log';

const descriptions = [
  describeEvent(Restored, {
    meaning: 'The log was restored from a copy. Later positions may have been given before, to other events.',
    commands: ['stateRestored'],
    sentence: () => ['continued the log after it was restored from a copy'],
  }),
  describeEvent(Erased, {
    meaning: 'What an earlier event wanted to be erased was deleted from the log for good.',
    commands: ['Eraser'],
    sentence: ({ data: { order, events } }) => [
      `erased the words of ${counted(events, 'event')}, as the event at position ${order} ordered`,
    ],
  }),
];

/** The context of the kernel itself. */
export const kernelContext = defineContext({
  name: 'kernel',
  events: [Restored, Erased],
  descriptions,
  // A restored log is another installation, in tables that nothing was erased from, and is measured again. Its ids go on
  // behind those that were reserved.
  transient: ['installation', 'log_sizes', 'storage_cleanup', 'taken_ids'],
  unhandled: {
    'kernel.Restored': 'client queues are gone by then; it is for those who read the history',
    'kernel.Erased': 'read models deleted the texts before; caches and the index of subjects handle it',
  },
});
