import type { UserId } from '@annals/kernel/domain';
import { elementConditionOf } from '../filter/condition';
import { matches } from '../filter/matches';
import type { JsonObject, JsonValue } from '../json';
import { isList, isObject } from '../json';
import type { Operation } from '../patch/operations';
import { patched } from '../patch/patched';
import { reject } from '../rejections';
import { placeOf } from './attribute';
import { GROUP } from './group-type';

/** A group as a directory sees it. Its members are people. */
export interface GroupState {
  readonly name: string;
  readonly externalId: string | null;
  readonly members: ReadonlySet<UserId>;
}

export const NEW_GROUP: GroupState = { name: '', externalId: null, members: new Set() };

/** Most members in one request. */
const MAX_MEMBERS = 20_000;
const MAX_ID = 2 ** 31 - 1;
const DECIMAL = /^[1-9]\d{0,9}$/;

/**
 * A group after the operations, one after another. Members are a set of ids, so that a change of one of ten thousand costs little.
 *
 * @throws Rejected INVALID_VALUE, INVALID_PATH, NO_TARGET, MUTABILITY
 */
export function changedGroup({ name, externalId, members }: GroupState, operations: readonly Operation[]): GroupState {
  const isAboutMembers = ({ target }: Operation) => placeOf(GROUP, target.path)?.attribute.name === 'members';
  const present = { ...(name !== '' && { displayName: name }), ...(externalId !== null && { externalId }) };
  const after = patched(
    present,
    operations.filter((one) => !isAboutMembers(one)),
    GROUP,
  );
  const { displayName, externalId: id } = after;
  if (typeof displayName !== 'string') throw reject.value({ why: 'displayName is the name of the group.' });
  return {
    name: displayName,
    externalId: typeof id === 'string' ? id : null,
    members: operations.filter(isAboutMembers).reduce(withMembers, members),
  };
}

/** A group that a request replaces: it loses the members and the id that the request leaves out. */
export const replacedGroup = ({ name }: GroupState, operations: readonly Operation[]): GroupState =>
  changedGroup({ ...NEW_GROUP, name }, operations);

function withMembers(members: ReadonlySet<UserId>, { kind, target, value }: Operation): ReadonlySet<UserId> {
  const { condition, path } = target;
  if (path.sub !== null) throw reject.mutability({ why: 'A member is replaced as a whole: add another one.' });
  if (condition) {
    if (kind !== 'remove') throw reject.mutability({ why: 'A member is replaced as a whole: add another one.' });
    const met = elementConditionOf(condition, membersAttribute());
    return new Set([...members].filter((id) => !matches(met, memberOf(id))));
  }
  const named = value === undefined || value === null ? null : idsIn(value);
  if (kind === 'add') return new Set([...members, ...(named ?? [])]);
  if (kind === 'replace') return new Set(named ?? []);
  const gone = new Set(named);
  return new Set(named === null ? [] : [...members].filter((id) => !gone.has(id)));
}

function membersAttribute() {
  const place = placeOf(GROUP, { schema: null, attribute: 'members', sub: null });
  if (!place) throw new Error('groups have no members');
  return place.attribute;
}

const memberOf = (id: UserId): JsonObject => ({ value: String(id), type: 'User' });

function idsIn(value: JsonValue): UserId[] {
  const list = isList(value) ? value : [value];
  if (list.length > MAX_MEMBERS) throw reject.tooMany({ why: `A request has at most ${MAX_MEMBERS} members.` });
  return list.map(idOf);
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
