import type { JsonValue, JsonObject } from '../json';
import { isList, isObject } from '../json';
import type { Comparison } from './filter';
import type { FilterCondition, ConditionField, Operand } from './condition';

/** Whether a resource, or an element of a multi-valued attribute, meets a condition. */
export function matches(condition: FilterCondition, resource: JsonObject): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.terms.every((term) => matches(term, resource));
    case 'or':
      return condition.terms.some((term) => matches(term, resource));
    case 'not':
      return !matches(condition.term, resource);
    case 'always':
      return true;
    case 'never':
      return false;
    case 'present':
      return hasValue(valueAt(resource, condition.field));
    case 'compare':
      return compares(valueAt(resource, condition.field), condition);
    case 'element': {
      const elements = resource[condition.attribute];
      return isList(elements) && elements.some((one) => isObject(one) && matches(condition.condition, one));
    }
  }
}

function valueAt(resource: JsonObject, { name }: ConditionField): JsonValue | undefined {
  return name
    .split('.')
    .reduce<JsonValue | undefined>((value, part) => (isObject(value) ? value[part] : undefined), resource);
}

const hasValue = (value: JsonValue | undefined): boolean => value !== undefined && value !== null && value !== '';

function compares(
  value: JsonValue | undefined,
  {
    field,
    operator,
    operand,
  }: { readonly field: ConditionField; readonly operator: Comparison; readonly operand: Operand },
): boolean {
  const actual = hasValue(value) ? comparable(value, field) : null;
  const expected = typeof operand === 'string' ? folded(operand, field) : operand;
  if (operator === 'eq') return actual === expected;
  if (operator === 'ne') return actual !== expected;
  return actual !== null && expected !== null && holds(operator, actual, expected);
}

/** The value in the form of operands. */
function comparable(value: JsonValue | undefined, field: ConditionField): Operand {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  return field.type === 'dateTime' ? Date.parse(value) : folded(value, field);
}

const folded = (text: string, { caseExact }: ConditionField): string => (caseExact ? text : text.toLowerCase());

function holds(operator: Comparison, actual: string | boolean | number, expected: string | boolean | number): boolean {
  switch (operator) {
    case 'gt':
      return actual > expected;
    case 'ge':
      return actual >= expected;
    case 'lt':
      return actual < expected;
    case 'le':
      return actual <= expected;
    case 'co':
      return String(actual).includes(String(expected));
    case 'sw':
      return String(actual).startsWith(String(expected));
    case 'ew':
      return String(actual).endsWith(String(expected));
    default:
      return false;
  }
}
