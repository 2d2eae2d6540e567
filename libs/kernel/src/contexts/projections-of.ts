import type { Projection } from '../projections/definition/define';
import type { ContextDefinition } from './define-context';
import { subjectIndex } from '../log/subjects/subject-index';

/** The read models of these contexts, and the index of subjects over all their events. */
export const projectionsOf = (contexts: readonly ContextDefinition[]): readonly Projection[] => [
  ...contexts.flatMap((context) => context.projections),
  subjectIndex(contexts.flatMap((context) => context.events)),
];
