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

/**
 * Creates what reduces resources of a type to the selected attributes. Those that are always returned stay. The names are compared
 * once, and not for each resource.
 */
export function selector(selection: AttributeSelection, type: ResourceType): (resource: JsonObject) => JsonObject {
  const cuts = new Map(
    type.all
      .filter(({ name }) => isSelected(selection, type, name))
      .map((attribute) => [attribute.name, cutOf(attribute, selection, type)] as const),
  );
  return (resource) => {
    const entries = Object.entries(resource).flatMap(([name, value]): [string, JsonValue][] => {
      const cut = cuts.get(name);
      return cut ? [[name, cut(value)]] : [];
    });
    return Object.fromEntries(entries);
  };
}

type Cut = (value: JsonValue) => JsonValue;
const WHOLE: Cut = (value) => value;
const NO_PARTS: ReadonlySet<string | null> = new Set();

/** What keeps the selected parts of an attribute. */
function cutOf(attribute: Attribute, { only, without }: AttributeSelection, type: ResourceType): Cut {
  if (attribute.returned === 'always') return WHOLE;
  const partsIn = (paths: readonly AttributePath[]): ReadonlySet<string | null> =>
    new Set(paths.filter((path) => names(path, attribute, type)).map(({ sub }) => sub));
  const [wanted, unwanted] = [partsIn(only ?? []), only === null ? partsIn(without) : NO_PARTS];
  const isAll = wanted.size === 0 || wanted.has(null);
  if (isAll && unwanted.size === 0) return WHOLE;
  const keeps = (part: string) => (isAll || wanted.has(part)) && !unwanted.has(part);
  const cut = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).filter(([part]) => keeps(part.toLowerCase())));
  return (value) => {
    if (isList(value)) return value.map((one) => (isObject(one) ? cut(one) : one));
    return isObject(value) ? cut(value) : value;
  };
}

const names = (path: AttributePath, attribute: Attribute, { schema }: ResourceType): boolean =>
  path.attribute === attribute.name.toLowerCase() && (path.schema === null || path.schema === schema.toLowerCase());
