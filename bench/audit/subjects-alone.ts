import type { Projection } from '@annals/kernel';
import { defineProjection, kernelContext, on } from '@annals/kernel';
import type { EventDefinition, Recorded } from '@annals/kernel/domain';
import { contexts } from '../../apps/shared/src/contexts';
import { blockOf } from '../../libs/kernel/src/log/subjects/subject-index';

/**
 * The index of subjects with the same tables, without rows that only the audit trail reads. Erasures are missing too:
 * nothing is erased in the measurement.
 */
export function subjectsAlone(index: Projection): Projection {
  const events: readonly EventDefinition[] = [kernelContext, ...contexts].flatMap((context) => context.events);
  return defineProjection({
    ...index,
    handlers: events.map((definition) =>
      on<EventDefinition<string, unknown, unknown>>(
        definition,
        ({ data, position }: Pick<Recorded, 'position'> & { readonly data: unknown }, rows) => {
          const block = blockOf(position);
          for (const [kind, id] of definition.subjects(data, position))
            if (id !== position) rows.insert('subject_blocks', { kind, subject_id: id, block });
        },
      ),
    ),
  });
}
