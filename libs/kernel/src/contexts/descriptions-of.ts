import { kernelContext } from '../restore/events';
import type { ContextDefinition } from './define-context';
import type { EventDescription } from './event-description';

/** What the audit trail says about each event type of these contexts and of the kernel. */
export const descriptionsOf = (contexts: readonly ContextDefinition[]): ReadonlyMap<string, EventDescription> =>
  new Map(allOf(contexts).map((description) => [description.type, description]));

/**
 * Checks that each event type has one description, in its context. Applications do so at their start. The small
 * contexts of specs have no descriptions.
 *
 * @throws Error naming the first violation
 */
export function checkDescriptions(contexts: readonly ContextDefinition[]): void {
  for (const { name, events, descriptions } of [kernelContext, ...contexts]) {
    const described = descriptions.map(({ type }) => type);
    const types = events.map(({ type }) => type);
    const missing = types.find((type) => !described.includes(type));
    if (missing !== undefined) throw new Error(`event ${missing} has no description`);
    const unknown = described.find((type) => !types.includes(type));
    if (unknown !== undefined) throw new Error(`${name} describes event ${unknown}, which it does not have`);
    const twice = described.find((type, n) => described.indexOf(type) !== n);
    if (twice !== undefined) throw new Error(`event ${twice} has two descriptions`);
  }
}

const allOf = (contexts: readonly ContextDefinition[]): EventDescription[] =>
  [kernelContext, ...contexts].flatMap(({ descriptions }) => descriptions);
