import type { CloudEvent } from '../../../read/reading/cloud-event';

/** The attributes of a CloudEvent in their canonical string form, without `data`. */
export function attributesOf({ data: _, ...attributes }: CloudEvent): [name: string, value: string][] {
  return Object.entries(attributes).map(([name, value]) => [name, String(value)]);
}
