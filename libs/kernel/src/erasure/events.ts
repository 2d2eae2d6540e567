import type { FactOf } from '../domain/index';
import { defineAggregate, defineEvent, t } from '../domain/index';

/**
 * Stream `erasure-{order}`: the sealed parts that the event at `order` wanted to be erased are deleted from the log for
 * good. That event removed them from every read model before. Caches of folded streams drop them now.
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

/** Whether an order was carried out. If two workers do so, one of them records it. */
export const erasureAggregate = defineAggregate<boolean, Erased>('erasure', false, () => true);
