import type { Verdict } from '@annals/kernel/domain';
import { allowed, refused } from '@annals/kernel/domain';
import { reject } from './rejections';

/** Code points (contract/conventions.md section 7). */
export const MAX_GROUP_NAME_LENGTH = 100;

/** Prefixes that a name may not have, because clients write them before names of other things. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** Whether a group may have this name (contract/groups.md section 3). */
export function isName(name: string): Verdict {
  if (name.trim() === '') return refused(reject.nameBlank());
  if ([...name].length > MAX_GROUP_NAME_LENGTH) return refused(reject.nameTooLong());
  const prefix = RESERVED.find((one) => name.startsWith(one));
  return prefix === undefined ? allowed : refused(reject.nameReserved({ prefix }));
}

/** The name of a group whose texts were erased. */
export const erasedGroupName = (group: number): string => `group ${group}`;
