import { rejection } from '@annals/kernel/domain';

export const reject = {
  alreadyCreated: rejection('BAD_REQUEST', 'The organization exists already'),
  ownersOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'),
  administratorsOnly: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  notChangeable: rejection<{ setting: string }>('BAD_REQUEST', ({ setting }) => `${setting} cannot be changed`),
  systemGroupRequired: rejection<{ setting_name: string }>(
    'SYSTEM_GROUP_REQUIRED',
    'This setting can only be set to a system user group.',
  ),
  groupNotAllowed: rejection<{ setting: string; group: string }>(
    'BAD_REQUEST',
    ({ setting, group }) => `'${setting}' setting cannot be set to '${group}' group.`,
  ),
  valueMoved: rejection('EXPECTATION_MISMATCH', "'old' value does not match the expected value."),
  noSuchOrganization: rejection('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain'),
};
