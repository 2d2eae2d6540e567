import type { UserId } from '@annals/kernel/domain';
import type { Operation } from '../patch/operations';
import { patched } from '../patch/patched';
import { reject } from '../rejections';
import { placeOf } from './attribute';
import { GROUP } from './group-type';
import { changedMembers } from './member-changes';

/** A group as a directory sees it. Its members are people. */
export interface GroupState {
  readonly name: string;
  readonly externalId: string | null;
  readonly members: ReadonlySet<UserId>;
}

export const NEW_GROUP: GroupState = { name: '', externalId: null, members: new Set() };

/**
 * A group after the operations, one after another.
 *
 * @throws Rejected INVALID_VALUE, INVALID_PATH, NO_TARGET, MUTABILITY, TOO_MANY
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
    members: changedMembers(members, operations.filter(isAboutMembers)),
  };
}

/** A group that a request replaces: it loses the members and the id that the request leaves out. */
export const replacedGroup = ({ name }: GroupState, operations: readonly Operation[]): GroupState =>
  changedGroup({ ...NEW_GROUP, name }, operations);
