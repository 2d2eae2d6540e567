import type { UserId } from '@annals/kernel/domain';
import type { Operation } from '../patch/operations';
import { patched } from '../patch/patched';
import { reject } from '../rejections';
import { placeOf } from './attribute';
import { GROUP } from './group-type';
import type { ChangedMembers } from './member-changes';
import { changedMembers } from './member-changes';

/** A group that a directory changes. Its members are all that it has, also bots, and people whom the directory does not see. */
export interface GroupState {
  readonly name: string;
  readonly externalId: string | null;
  readonly members: ReadonlySet<UserId>;
}

/** A group after a request. It may lack members whom the directory does not see: they stay. */
export interface ChangedGroup extends GroupState, ChangedMembers {}

export const NEW_GROUP: GroupState = { name: '', externalId: null, members: new Set() };

/**
 * A group after the operations, one after another.
 *
 * @throws Rejected INVALID_VALUE, INVALID_PATH, NO_TARGET, MUTABILITY, TOO_MANY
 */
export function changedGroup(
  { name, externalId, members }: GroupState,
  operations: readonly Operation[],
): ChangedGroup {
  const isAboutMembers = ({ target }: Operation) => placeOf(GROUP, target.path)?.attribute.name === 'members';
  const present = { ...(name !== '' && { displayName: name }), ...(externalId !== null && { externalId }) };
  const attributes = patched(
    present,
    operations.filter((one) => !isAboutMembers(one)),
    GROUP,
  );
  const { displayName, externalId: id } = attributes;
  if (typeof displayName !== 'string') throw reject.value({ why: 'displayName is the name of the group.' });
  const { members: changed, wanted } = changedMembers(members, operations.filter(isAboutMembers));
  return { name: displayName, externalId: typeof id === 'string' ? id : null, members: changed, wanted };
}

/** A group that a request replaces: it loses the members and the id that the request leaves out. */
export const replacedGroup = ({ name }: GroupState, operations: readonly Operation[]): ChangedGroup =>
  changedGroup({ ...NEW_GROUP, name }, operations);
