import type { EventDescription, EventRegistry } from '@annals/kernel';
import type { TSchema } from '@annals/kernel/domain';

/** A type of event, as `GET /audit/types` shows it. */
export interface DescribedType {
  readonly type: string;
  readonly version: number;
  readonly data_schema: object;
  readonly words_schema: object | null;
  /** Kinds of things that its events may be about. */
  readonly subjects: readonly string[];
  readonly meaning: string;
  readonly commands: readonly string[];
}

/** The version of JSON Schema in which types are described. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Every type of event that this release knows, by name. */
export function describedTypes(
  registry: EventRegistry,
  descriptions: ReadonlyMap<string, EventDescription>,
): DescribedType[] {
  return [...registry.types].sort().map((type) => {
    const { v, data, sealed } = registry.definition(type);
    const description = descriptions.get(type);
    return {
      type,
      version: v,
      data_schema: jsonSchemaOf(data),
      words_schema: sealed && jsonSchemaOf(sealed),
      subjects: registry.kindsOf(type),
      meaning: description?.meaning ?? '',
      commands: description?.commands ?? [],
    };
  });
}

const jsonSchemaOf = (schema: TSchema): object => ({ $schema: DIALECT, ...plainSchema(schema) });

/** A schema as JSON, without what only this program needs of it. */
export const plainSchema = (schema: TSchema): object => JSON.parse(JSON.stringify(schema)) as object;
