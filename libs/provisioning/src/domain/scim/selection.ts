import type { AttributePath } from './attribute-path';
import { parseAttributePath } from './attribute-path';
import type { JsonObject, JsonValue } from './json';
import { isList, isObject } from './json';
import { reject } from './rejections';
import type { Attribute, ResourceType } from './resource/attribute';
import { named } from './resource/attribute';

/** Which attributes an answer has (RFC 7644 section 3.9). */
export interface AttributeSelection {
  /** Null: those that are returned by default. */
  readonly only: readonly AttributePath[] | null;
  readonly without: readonly AttributePath[];
}

export const EVERYTHING: AttributeSelection = { only: null, without: [] };
const MAX_NAMES = 100;

/**
 * Reads `attributes` and `excludedAttributes`: names with commas, or a list of names.
 *
 * @throws Rejected INVALID_VALUE, INVALID_PATH
 */
export function selectionOf(attributes: JsonValue | undefined, excluded: JsonValue | undefined): AttributeSelection {
  const [only, without] = [namesIn(attributes), namesIn(excluded)];
  return { only: only.length === 0 ? null : only.map(parseAttributePath), without: without.map(parseAttributePath) };
}

function namesIn(value: JsonValue | undefined): string[] {
  if (value === undefined || value === null) return [];
  const texts = isList(value) ? value : [value];
  if (!texts.every((text) => typeof text === 'string')) throw reject.value({ why: 'Names of attributes are texts.' });
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  if (names.length > MAX_NAMES) throw reject.tooMany({ why: `At most ${MAX_NAMES} attributes can be named.` });
  return names.filter((name) => name !== '');
}

/** Whether an answer has the attribute at all. */
export function isSelected({ only, without }: AttributeSelection, type: ResourceType, name: string): boolean {
  const attribute = named(type.all, name);
  if (!attribute || attribute.returned === 'always') return attribute !== undefined;
  if (only) return only.some((path) => names(path, attribute, type));
  return !without.some((path) => path.sub === null && names(path, attribute, type));
}

/** The selected attributes of a resource. Those that are always returned stay. */
export function selected(resource: JsonObject, selection: AttributeSelection, type: ResourceType): JsonObject {
  const entries = Object.entries(resource).flatMap(([name, value]): [string, JsonValue][] => {
    const attribute = named(type.all, name);
    if (!attribute || !isSelected(selection, type, name)) return [];
    return [[name, attribute.returned === 'always' ? value : partsOfSelected(value, attribute, selection, type)]];
  });
  return Object.fromEntries(entries);
}

function partsOfSelected(
  value: JsonValue,
  attribute: Attribute,
  { only, without }: AttributeSelection,
  type: ResourceType,
): JsonValue {
  const subs = (paths: readonly AttributePath[]) =>
    paths.filter((path) => names(path, attribute, type)).map(({ sub }) => sub);
  const [wanted, unwanted] = [subs(only ?? []), subs(without)];
  const isAll = wanted.length === 0 || wanted.includes(null);
  const keeps = (part: string) => (isAll || wanted.includes(part)) && (only !== null || !unwanted.includes(part));
  const cut = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([part]) => keeps(part.toLowerCase())));
  if (isList(value)) return value.map((one) => (isObject(one) ? cut(one) : one));
  return isObject(value) ? cut(value) : value;
}

const names = (path: AttributePath, attribute: Attribute, { schema }: ResourceType): boolean =>
  path.attribute === attribute.name.toLowerCase() && (path.schema === null || path.schema === schema.toLowerCase());
