import type { FactOf } from '../domain/index';
import { defineAggregate, defineEvent, t } from '../domain/index';

/**
 * Stream `erasure-{order}`: the words that the event at `order` wanted to be forgotten are gone for good from the log.
 * That event has taken them out of every read model before; whoever remembers folded streams forgets them now.
 */
export const Erased = defineEvent('kernel.Erased', {
  data: t.Object({
    /** Position of the event that ordered it. */
    order: t.Integer({ minimum: 1 }),
    /** How many events lost their sealed part. */
    events: t.Integer({ minimum: 0 }),
  }),
});
export type Erased = FactOf<typeof Erased>;

/** Whether an order was carried out: of two workers that do so one says it. */
export const erasureAggregate = defineAggregate<boolean, Erased>('erasure', false, () => true);
