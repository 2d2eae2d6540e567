import type { TObject } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { EndpointDeclaration } from '../reference/endpoint-declaration';

/**
 * The whole body of an endpoint's success: the envelope and the declared fields (contract/conventions.md section 1).
 * Objects have no other properties, unless they declare `additionalProperties` themselves.
 */
export function successShape({ returns }: Pick<EndpointDeclaration, 'returns'>): TObject {
  const { properties, additionalProperties, description } = returns ?? {};
  const envelope = {
    result: t.Literal('success'),
    msg: t.Literal(''),
    ignored_parameters_unsupported: t.Optional(
      t.Array(t.String(), { minItems: 1, description: 'Names of parameters of the request that have no effect here.' }),
    ),
  };
  const options = {
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...(description !== undefined && { description }),
  };
  return closed(t.Object({ ...envelope, ...properties }, options)) as TObject;
}

/** The body of every refusal. A code may add further fields. */
export const FAILURE_SHAPE = t.Object(
  { result: t.Literal('error'), msg: t.String({ minLength: 1 }), code: t.String() },
  { $id: 'Failure', additionalProperties: true, description: 'Some codes bring further fields.' },
);

/** A copy of a schema, or of a part of one, in which every object is closed that does not declare otherwise. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  // A spread keeps the symbols by which TypeBox knows its schemas.
  const result: Record<string, unknown> = { ...part };
  for (const [key, value] of Object.entries(part)) result[key] = closed(value);
  if (result['type'] === 'object' && !('additionalProperties' in result)) result['additionalProperties'] = false;
  return result;
}
