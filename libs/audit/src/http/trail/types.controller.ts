import { Kernel } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { nullable, t } from '@annals/kernel/domain';
import { By, Endpoint } from '@annals/web';
import { Controller } from '@nestjs/common';
import { Auditing } from '../../read/auditing';
import { describedTypes } from '../../read/trail/described-types';
import { TrailEntries } from '../../read/trail/trail-entries';

const jsonSchema = t.Object({}, { additionalProperties: true, description: 'A JSON Schema, version 2020-12.' });

const describedType = t.Object({
  type: t.String(),
  version: t.Integer(),
  data_schema: jsonSchema,
  words_schema: nullable(jsonSchema),
  subjects: t.Array(t.String()),
  meaning: t.String(),
  commands: t.Array(t.String()),
});

@Controller()
export class TypesController {
  constructor(
    private readonly kernel: Kernel,
    private readonly auditing: Auditing,
    private readonly entries: TrailEntries,
  ) {}

  /** contract/audit.md section 2.2 */
  @Endpoint('GET', 'audit/types', {
    audience: 'anyone',
    section: 'audit 2.2',
    summary: 'Every type of event, with the shape of its data',
    returns: t.Object({ types: t.Array(describedType) }),
  })
  async list(@By() by: Actor) {
    await this.auditing.ensure(by);
    return { types: describedTypes(this.kernel.registry, this.entries.descriptions) };
  }
}
