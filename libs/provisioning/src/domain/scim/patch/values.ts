import type { JsonValue, JsonObject } from '../json';
import { isList, isObject } from '../json';
import type { Attribute } from '../resource/attribute';
import { named } from '../resource/attribute';
import { truthOf } from '../filter/condition';
import { reject } from '../rejections';

/** Longest text of an attribute, in UTF-16 units. */
const MAX_TEXT = 1_000;
/** Most elements of a multi-valued attribute, in a request and after it. */
const MAX_ELEMENTS = 100;

/**
 * The value of an attribute in its type. Null for "no value".
 *
 * @throws Rejected INVALID_VALUE, TOO_MANY
 */
export function valueOf(attribute: Attribute, value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  if (attribute.multiValued) return elementsOf(attribute, value);
  return attribute.type === 'complex' ? partsOf(attribute, value) : simpleValueOf(attribute, unwrapped(value));
}

/** Elements of a multi-valued attribute: a list, or one element. A text is the `value` of an element. */
export function elementsOf(attribute: Attribute, value: JsonValue): JsonObject[] {
  const list = isList(value) ? value : [value];
  ensureFewElements(attribute, list);
  return list.map((one) => partsOf(attribute, isObject(one) ? one : { value: one }));
}

/** @throws Rejected TOO_MANY */
export function ensureFewElements({ name }: Attribute, elements: readonly unknown[]): void {
  if (elements.length > MAX_ELEMENTS) throw reject.tooMany({ why: `${name} has at most ${MAX_ELEMENTS} values.` });
}

/** The known parts of a complex value. Unknown ones are left out. */
export function partsOf(attribute: Attribute, value: JsonValue): JsonObject {
  if (!isObject(value)) throw reject.value({ why: `${attribute.name} is an object.` });
  const parts = Object.entries(value).flatMap(([name, part]): [string, JsonValue][] => {
    const known = named(attribute.parts, name);
    return known ? [[known.name, simpleValueOf(known, part)]] : [];
  });
  return Object.fromEntries(parts);
}

/** Some directories send `[{"value": "x"}]` for an attribute with one value. */
function unwrapped(value: JsonValue): JsonValue {
  const [only, ...others] = isList(value) ? value : [];
  return isObject(only) && others.length === 0 && only.value !== undefined ? only.value : value;
}

/** An empty text is no value. */
export function simpleValueOf({ name, type }: Attribute, value: JsonValue): JsonValue {
  if (value === null || value === '') return null;
  if (type === 'boolean') {
    const flag = truthOf(value);
    if (flag === undefined) throw reject.value({ why: `${name} is true or false.` });
    return flag;
  }
  if (typeof value !== 'string') throw reject.value({ why: `${name} is a text.` });
  if (value.length > MAX_TEXT) throw reject.value({ why: `${name} has at most ${MAX_TEXT} characters.` });
  return value;
}
