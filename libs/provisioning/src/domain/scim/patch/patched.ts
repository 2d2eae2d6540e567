import type { FilterCondition } from '../filter/condition';
import { elementConditionOf } from '../filter/condition';
import { matches } from '../filter/matches';
import type { JsonValue, JsonObject } from '../json';
import { isList, isObject } from '../json';
import type { Attribute, AttributePlace, ResourceType } from '../resource/attribute';
import { placeOf } from '../resource/attribute';
import { reject } from '../rejections';
import type { Operation } from './operations';
import { elementsOf, ensureFewElements, partsOf, simpleValueOf, valueOf } from './values';

/**
 * A resource after the operations, one after another (RFC 7644 section 3.5.2). Attributes that this type does not have are
 * ignored.
 *
 * @throws Rejected INVALID_VALUE, INVALID_PATH, NO_TARGET, MUTABILITY, TOO_MANY
 */
export const patched = (resource: JsonObject, operations: readonly Operation[], type: ResourceType): JsonObject =>
  operations.reduce((state, operation) => applied(state, operation, type), resource);

function applied(resource: JsonObject, operation: Operation, type: ResourceType): JsonObject {
  const place = placeOf(type, operation.target.path);
  if (!place || isIgnored(place, operation)) return resource;
  const { attribute } = place;
  const { [attribute.name]: present, ...others } = resource;
  const value = attribute.multiValued
    ? changedElements(isList(present) ? present.filter(isObject) : [], place, operation)
    : changedValue(present, place, operation);
  if (isList(value)) ensureFewElements(attribute, value);
  const isEmpty = value === null || (isList(value) && value.length === 0);
  if (!isEmpty) return { ...others, [attribute.name]: value };
  if (!attribute.required) return others;
  // An object that names many attributes may say of some that it knows no value.
  if (!operation.hasPath) return resource;
  throw reject.mutability({ why: `${attribute.name} cannot be removed.` });
}

/** @throws Rejected MUTABILITY when the path of a request names an attribute that only the server changes */
function isIgnored({ attribute }: AttributePlace, { hasPath }: Operation): boolean {
  if (attribute.mutability !== 'readOnly') return false;
  if (hasPath && !attribute.isDerived) throw reject.mutability({ why: `${attribute.name} cannot be changed.` });
  return true;
}

function changedValue(
  present: JsonValue | undefined,
  { attribute, part }: AttributePlace,
  { kind, target, value }: Operation,
): JsonValue {
  if (target.condition) throw reject.path({ why: `${attribute.name} has no elements.` });
  const isRemoval = kind === 'remove';
  if (attribute.type !== 'complex') return isRemoval ? null : valueOf(attribute, value);
  const wanted = wantedParts(attribute, part, isRemoval ? null : (value ?? null));
  return wanted && withParts(isObject(present) ? present : {}, wanted);
}

/** The parts to set, null for those to remove. Null: all of them. */
function wantedParts(attribute: Attribute, part: Attribute | null, value: JsonValue): JsonObject | null {
  if (part) return { [part.name]: simpleValueOf(part, value) };
  return value === null ? null : partsOf(attribute, value);
}

/** Null if no part is left. */
function withParts(present: JsonObject, wanted: JsonObject): JsonObject | null {
  const kept = Object.entries({ ...present, ...wanted }).filter(([, value]) => value !== null);
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function changedElements(present: readonly JsonObject[], place: AttributePlace, operation: Operation): JsonObject[] {
  const { attribute, part } = place;
  const { kind, target, value } = operation;
  if (!target.condition && !part) {
    if (kind === 'remove') return removedFrom(present, attribute, value);
    const wanted = value === undefined || value === null ? [] : elementsOf(attribute, value);
    return kind === 'replace' ? onePrimary([], wanted) : onePrimary(present, wanted);
  }
  const condition = target.condition && elementConditionOf(target.condition, attribute);
  const isMeant = (one: JsonObject) => !condition || matches(condition, one);
  if (kind === 'remove' && !part) return present.filter((one) => !isMeant(one));
  const wanted = wantedParts(attribute, part, kind === 'remove' ? null : (value ?? null)) ?? {};
  if (kind === 'remove' || present.some(isMeant)) {
    const changed = present.map((one) => (isMeant(one) ? withParts(one, wanted) : one));
    return changed.filter((one) => one !== null);
  }
  if (kind === 'replace' && condition)
    throw reject.noTarget({ why: `No value of ${attribute.name} meets the condition.` });
  return onePrimary(present, [{ ...(condition && impliedBy(condition)), ...wanted }]);
}

/** A removal of the whole attribute, or of the listed values: some directories name them in `value`. */
function removedFrom(present: readonly JsonObject[], attribute: Attribute, value: JsonValue | undefined): JsonObject[] {
  if (value === undefined || value === null) return [];
  const gone = new Set(elementsOf(attribute, value).map((one) => one.value));
  return present.filter((one) => !gone.has(one.value ?? null));
}

/** Adds elements. One with a known `value` changes the element with it, and a new primary one ends the earlier one. */
function onePrimary(present: readonly JsonObject[], added: readonly JsonObject[]): JsonObject[] {
  const list = [...present];
  const places = new Map(list.map((one, place) => [one.value, place] as const).reverse());
  let primary: number | undefined;
  for (const element of added) {
    const place = places.get(element.value) ?? list.length;
    const merged = withParts(list[place] ?? {}, element);
    if (merged === null) continue;
    list[place] = merged;
    places.set(merged.value, place);
    if (element.primary === true) primary = place;
  }
  if (primary === undefined) return list;
  return list.map((one, place) => ('primary' in one && place !== primary ? { ...one, primary: false } : one));
}

/** The parts of an element that a condition names with `eq`, for a new element that meets it. */
function impliedBy(condition: FilterCondition): JsonObject {
  if (condition.kind === 'and') return Object.assign({}, ...condition.terms.map(impliedBy)) as JsonObject;
  if (condition.kind !== 'compare' || condition.operator !== 'eq') return {};
  return { [condition.field.name]: condition.operand };
}
