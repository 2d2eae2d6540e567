import type { ConditionField, FilterCondition, Operand } from '../../domain/scim/filter/condition';
import type { Comparison } from '../../domain/scim/filter/filter';

/** How a field is read in SQL. */
export interface FieldSql {
  /** Text, `bool` for truth values, and ms since the epoch for times. */
  readonly value: string;
  /** A column with an index for `eq`, and the key of an operand in it. Null if no row has such a key. */
  readonly index?: {
    readonly column: string;
    readonly type: 'text' | 'int8';
    readonly keyOf: (operand: string) => string | null;
  };
}

/** Fields of a type of resources by their names, and its multi-valued attributes. */
export interface ResourceSql {
  readonly fields: Readonly<Record<string, FieldSql>>;
  readonly elements: Readonly<Record<string, ElementSql>>;
}

export interface ElementSql {
  readonly fields: Readonly<Record<string, FieldSql>>;
  /** Whether an element meets a condition over the fields. */
  readonly exists: (condition: string) => string;
}

/** Collects the values of a statement. */
export class SqlValues {
  /** @param values of the statement so far */
  constructor(readonly values: unknown[]) {}

  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** A condition as SQL, which is true or false and never null. Values become parameters. */
export function conditionSql(condition: FilterCondition, of: ResourceSql, values: SqlValues): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `(${condition.terms.map((term) => conditionSql(term, of, values)).join(` ${condition.kind} `)})`;
    case 'not':
      return `NOT ${conditionSql(condition.term, of, values)}`;
    case 'always':
      return 'true';
    case 'never':
      return 'false';
    case 'present':
      return `(${presence(condition.field, fieldIn(of, condition.field))} IS NOT NULL)`;
    case 'compare': {
      const { field, operator, operand } = condition;
      return `coalesce(${comparison(field, fieldIn(of, field), operator, operand, values)}, false)`;
    }
    case 'element': {
      const element = of.elements[condition.attribute];
      if (!element) throw new Error(`no SQL for elements of ${condition.attribute}`);
      return element.exists(conditionSql(condition.condition, { fields: element.fields, elements: {} }, values));
    }
  }
}

/** An expression to sort by. */
export const sortSql = (field: ConditionField, of: ResourceSql): string => {
  const present = presence(field, fieldIn(of, field));
  return isText(field) ? `lower(${present}) COLLATE "C"` : present;
};

function fieldIn({ fields }: Pick<ResourceSql, 'fields'>, { name }: ConditionField): FieldSql {
  const found = fields[name];
  if (!found) throw new Error(`no SQL for ${name}`);
  return found;
}

const isText = ({ type }: ConditionField): boolean => type !== 'boolean' && type !== 'dateTime';

/** An empty text is no value. */
const presence = (field: ConditionField, { value }: FieldSql): string =>
  isText(field) ? `nullif(${value}, '')` : value;

const ORDER = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function comparison(
  field: ConditionField,
  sql: FieldSql,
  operator: Comparison,
  operand: Operand,
  values: SqlValues,
): string {
  const present = presence(field, sql);
  if (operand === null) return `${present} IS ${operator === 'eq' ? '' : 'NOT '}NULL`;
  if (typeof operand !== 'string') return plainComparison(present, operator, values.add(operand, typeOf(operand)));
  if (operator === 'eq' && sql.index) {
    const key = sql.index.keyOf(operand);
    return key === null ? 'false' : `${sql.index.column} = ${values.add(key, sql.index.type)}`;
  }
  const fold = (text: string) => (field.caseExact ? text : `lower(${text})`);
  return textComparison(fold(present), operator, fold(values.add(operand, 'text')));
}

const typeOf = (operand: boolean | number): string => (typeof operand === 'boolean' ? 'bool' : 'int8');

function plainComparison(actual: string, operator: Comparison, expected: string): string {
  if (operator === 'eq') return `${actual} = ${expected}`;
  if (operator === 'ne') return `${actual} IS DISTINCT FROM ${expected}`;
  return operator in ORDER ? `${actual} ${ORDER[operator as keyof typeof ORDER]} ${expected}` : 'false';
}

function textComparison(actual: string, operator: Comparison, expected: string): string {
  switch (operator) {
    case 'co':
      return `strpos(${actual}, ${expected}) > 0`;
    case 'sw':
      return `starts_with(${actual}, ${expected})`;
    case 'ew':
      return `right(${actual}, length(${expected})) = ${expected}`;
    case 'eq':
    case 'ne':
      return plainComparison(actual, operator, expected);
    default:
      return plainComparison(`${actual} COLLATE "C"`, operator, expected);
  }
}
