import type { UserId } from '@annals/kernel/domain';
import type { FilterCondition } from '../filter/condition';
import { elementConditionOf } from '../filter/condition';
import type { Filter } from '../filter/filter';
import { comparisonsIn } from '../filter/filter';
import { matches } from '../filter/matches';
import type { JsonObject, JsonValue } from '../json';
import { isList, isObject } from '../json';
import type { Operation } from '../patch/operations';
import { reject } from '../rejections';
import { named } from './attribute';
import { GROUP } from './group-type';

/** Most members that one request names. */
const MAX_NAMED = 20_000;
/** Most comparisons with members of one request. So many take about 100 ms. */
const MAX_COMPARED = 300_000;
const MAX_ID = 2 ** 31 - 1;
const DECIMAL = /^[1-9]\d{0,9}$/;

/** The members of a group after a change. */
export interface ChangedMembers {
  readonly members: ReadonlySet<UserId>;
  /** Those whom the request says to be members, also if they were. */
  readonly wanted: ReadonlySet<UserId>;
}

/**
 * The members of a group after the operations, one after another. What an operation costs follows from the ids that it names, and
 * not from the number of members.
 *
 * @throws Rejected INVALID_VALUE, MUTABILITY, TOO_MANY
 */
export function changedMembers(members: ReadonlySet<UserId>, operations: readonly Operation[]): ChangedMembers {
  if (operations.length === 0) return { members, wanted: new Set() };
  const changes = new MemberChanges(members);
  for (const operation of operations) changes.apply(operation);
  return changes;
}

class MemberChanges implements ChangedMembers {
  readonly members: Set<UserId>;
  readonly wanted = new Set<UserId>();
  private namedSoFar = 0;
  private comparedSoFar = 0;

  constructor(members: ReadonlySet<UserId>) {
    this.members = new Set(members);
  }

  apply({ kind, target, value }: Operation): void {
    const { condition, path } = target;
    if (path.sub !== null || (condition && kind !== 'remove'))
      throw reject.mutability({ why: 'A member is replaced as a whole: add another one.' });
    if (condition) return this.removeMeeting(condition);
    const isNothing = value === undefined || value === null;
    if (kind === 'replace' || (kind === 'remove' && isNothing)) this.members.clear();
    if (isNothing) return;
    for (const id of this.idsIn(value)) {
      if (kind === 'remove') this.members.delete(id);
      else {
        this.members.add(id);
        this.wanted.add(id);
      }
    }
  }

  private removeMeeting(filter: Filter): void {
    const condition = elementConditionOf(filter, MEMBERS);
    const candidates = this.candidatesOf(condition);
    this.comparedSoFar += candidates.length * comparisonsIn(filter);
    if (this.comparedSoFar > MAX_COMPARED)
      throw reject.tooMany({ why: 'The request compares too many members. Name those to remove by value eq.' });
    for (const id of candidates) if (matches(condition, memberOf(id))) this.members.delete(id);
  }

  /** The members who may meet a condition: those whom it names, or else all of them. */
  private candidatesOf(condition: FilterCondition): UserId[] {
    const values = namedIn(condition);
    if (values === null) return [...this.members];
    const ids = new Set(values.filter((text) => DECIMAL.test(text)).map((text) => Number(text) as UserId));
    return [...ids].filter((id) => this.members.has(id));
  }

  private idsIn(value: JsonValue): UserId[] {
    const list = isList(value) ? value : [value];
    this.namedSoFar += list.length;
    if (this.namedSoFar > MAX_NAMED) throw reject.tooMany({ why: `A request names at most ${MAX_NAMED} members.` });
    return list.map(idOf);
  }
}

const MEMBERS = membersAttribute();

function membersAttribute() {
  const found = named(GROUP.attributes, 'members');
  if (!found) throw new Error('groups have no members');
  return found;
}

const memberOf = (id: UserId): JsonObject => ({ value: String(id), type: 'User' });

/** The values of `value eq "5"` and of several joined by `or`: nobody else meets the condition. Null for any other condition. */
function namedIn(condition: FilterCondition): readonly string[] | null {
  switch (condition.kind) {
    case 'or': {
      const parts = condition.terms.map(namedIn);
      return parts.every((part) => part !== null) ? parts.flat() : null;
    }
    case 'and':
      return condition.terms.map(namedIn).find((part) => part !== null) ?? null;
    case 'never':
      return [];
    case 'compare': {
      const { field, operator, operand } = condition;
      return field.name === 'value' && operator === 'eq' && typeof operand === 'string' ? [operand] : null;
    }
    default:
      return null;
  }
}

/** @throws Rejected INVALID_VALUE */
function idOf(member: JsonValue): UserId {
  const { value, type } = isObject(member) ? member : { value: member, type: undefined };
  if (typeof type === 'string' && type !== '' && type.toLowerCase() !== 'user')
    throw reject.value({ why: 'Members of a group are users. Groups in groups are not supported.' });
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !DECIMAL.test(text) || Number(text) > MAX_ID)
    throw reject.value({ why: 'The value of a member is the id of a user.' });
  return Number(text) as UserId;
}
