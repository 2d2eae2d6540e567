/**
 * Commands that open and end accounts of people. Each of them stores events of several types, so descriptions of all
 * contexts name them by these lists.
 */

/** By these, people open an account of their own. */
export const JOINING_COMMANDS: readonly string[] = ['Join', 'FinishSignOn', 'JoinBySignOn', 'DirectoryJoining'];

/** By these, an account of one person is opened. */
export const OPENING_COMMANDS: readonly string[] = ['CreateUser', ...JOINING_COMMANDS, 'CreateScimUser'];

/** By these, directories deactivate an account and revoke its keys. */
export const DIRECTORY_ENDING_COMMANDS: readonly string[] = ['ChangeScimUser', 'RemoveScimUser', 'DirectorySync'];

/** By these, an account that was in use is deactivated. */
export const DEACTIVATING_COMMANDS: readonly string[] = [
  'DeactivateUser',
  'DeactivateSelf',
  ...DIRECTORY_ENDING_COMMANDS,
];

/** By these, a deactivated account is reactivated. */
export const REACTIVATING_COMMANDS: readonly string[] = [
  'ReactivateUser',
  'UndoAct',
  'CreateScimUser',
  'ChangeScimUser',
  'DirectorySync',
];
