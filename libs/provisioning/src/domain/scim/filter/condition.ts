import type { Attribute, ResourceType } from '../resource/attribute';
import { named, placeOf } from '../resource/attribute';
import { reject } from '../rejections';
import type { Comparison, Filter, Literal } from './filter';
import { ORDERINGS } from './filter';

/** The value that an attribute is compared with: a text, a truth value, ms since the epoch, or null for "has no value". */
export type Operand = string | boolean | number | null;

/** A single value of a resource or, within `element`, of an element. */
export interface ConditionField {
  /** `userName`, `name.familyName`; within an element `value`. */
  readonly name: string;
  readonly type: Attribute['type'];
  readonly caseExact: boolean;
}

/** A filter whose names and values were checked against a type of resources. */
export type FilterCondition =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly FilterCondition[] }
  | { readonly kind: 'not'; readonly term: FilterCondition }
  | { readonly kind: 'always' | 'never' }
  | { readonly kind: 'present'; readonly field: ConditionField }
  | {
      readonly kind: 'compare';
      readonly field: ConditionField;
      readonly operator: Comparison;
      readonly operand: Operand;
    }
  | { readonly kind: 'element'; readonly attribute: string; readonly condition: FilterCondition };

const NEVER: FilterCondition = { kind: 'never' };

/**
 * Finds the attributes of a filter. One that this type of resources does not have counts as one without a value.
 *
 * @throws Rejected INVALID_FILTER for a comparison that the type of an attribute does not have
 */
export function conditionOf(filter: Filter, type: ResourceType): FilterCondition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, terms: filter.terms.map((term) => conditionOf(term, type)) };
    case 'not':
      return { kind: 'not', term: conditionOf(filter.term, type) };
    case 'element': {
      const place = placeOf(type, filter.path);
      if (!place) return NEVER;
      if (!place.attribute.multiValued || place.part)
        throw reject.filter({ why: `${filter.path.attribute} has no elements.` });
      return elementOf(place.attribute, elementConditionOf(filter.condition, place.attribute));
    }
    default:
      return leafOf(filter, type);
  }
}

/** The same for elements of a multi-valued attribute. @throws Rejected INVALID_FILTER */
export function elementConditionOf(filter: Filter, attribute: Attribute): FilterCondition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, terms: filter.terms.map((term) => elementConditionOf(term, attribute)) };
    case 'not':
      return { kind: 'not', term: elementConditionOf(filter.term, attribute) };
    case 'element':
      throw reject.filter({ why: 'Brackets [ ] cannot be within brackets [ ].' });
    default: {
      const part = filter.path.sub === null ? named(attribute.parts, filter.path.attribute) : undefined;
      return part ? simple(filter, fieldOf(part.name, part)) : absent(filter);
    }
  }
}

type Leaf = Extract<Filter, { kind: 'present' | 'compare' }>;

function leafOf(filter: Leaf, type: ResourceType): FilterCondition {
  const place = placeOf(type, filter.path);
  if (!place) return absent(filter);
  const { attribute, part } = place;
  if (!attribute.multiValued) return single(filter, attribute, part);
  if (filter.kind === 'present' && !part) return elementOf(attribute, { kind: 'always' });
  const compared = part ?? named(attribute.parts, 'value');
  if (!compared) throw reject.filter({ why: `${attribute.name} cannot be compared.` });
  return elementOf(attribute, simple(filter, fieldOf(compared.name, compared)));
}

function single(filter: Leaf, attribute: Attribute, part: Attribute | null): FilterCondition {
  if (part) return simple(filter, fieldOf(`${attribute.name}.${part.name}`, part));
  if (attribute.type !== 'complex') return simple(filter, fieldOf(attribute.name, attribute));
  if (filter.kind === 'compare')
    throw reject.filter({ why: `Of ${attribute.name} only parts, such as ${attribute.name}.x, can be compared.` });
  const fields = attribute.parts.map((one) => fieldOf(`${attribute.name}.${one.name}`, one));
  return { kind: 'or', terms: fields.map((field): FilterCondition => ({ kind: 'present', field })) };
}

const elementOf = ({ name: attribute }: Attribute, condition: FilterCondition): FilterCondition => ({
  kind: 'element',
  attribute,
  condition,
});

const fieldOf = (name: string, { type, caseExact }: Attribute): ConditionField => ({ name, type, caseExact });

/** An attribute without a value differs from every value. */
const absent = (filter: Leaf): FilterCondition => {
  if (filter.kind === 'present') return NEVER;
  const { operator, value } = filter;
  const holds = value === null ? operator === 'eq' : operator === 'ne';
  return { kind: holds ? 'always' : 'never' };
};

function simple(filter: Leaf, field: ConditionField): FilterCondition {
  if (filter.kind === 'present') return { kind: 'present', field };
  const { operator, value } = filter;
  ensureComparable(operator, field, value);
  return { kind: 'compare', field, operator, operand: operandOf(value, field) };
}

function ensureComparable(operator: Comparison, { type, name }: ConditionField, value: Literal): void {
  const isEquality = operator === 'eq' || operator === 'ne';
  const isOrdering = ORDERINGS.some((one) => one === operator);
  const may = isEquality || (value !== null && (type === 'dateTime' ? isOrdering : type !== 'boolean'));
  if (!may) throw reject.filter({ why: `${name} cannot be compared so with '${operator}'.` });
}

function operandOf(value: Literal, { type, name }: ConditionField): Operand {
  if (value === null) return null;
  if (type === 'boolean') {
    const flag = truthOf(value);
    if (flag === undefined) throw reject.filter({ why: `${name} is compared with true or false.` });
    return flag;
  }
  if (type !== 'dateTime') return String(value);
  const at = typeof value === 'string' ? Date.parse(value) : NaN;
  if (Number.isNaN(at))
    throw reject.filter({ why: `${name} is compared with a time, such as "2026-11-23T09:18:52Z".` });
  return at;
}

/** A truth value. Some directories write `"True"`. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
