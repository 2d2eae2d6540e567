import { defineContext } from '@annals/kernel';
import { directoryDescriptions } from './audit/directory.audit';
import { scimDescriptions } from './audit/scim.audit';
import { tokenDescriptions } from './audit/token.audit';
import { DirectorySynchronized } from './domain/ldap/events';
import { GroupIdentified, GroupRemoved, UserDescribed, UserRemoved } from './domain/scim/scim-events';
import { TokenEnded, TokenIssued } from './domain/tokens/token-events';
import { directoryMigrations } from './ldap-schema';
import { scimView } from './read/scim/scim.view';
import { provisioningTokensView } from './read/tokens/provisioning-tokens.view';

export const provisioningContext = defineContext({
  name: 'provisioning',
  events: [TokenIssued, TokenEnded, UserDescribed, UserRemoved, GroupIdentified, GroupRemoved, DirectorySynchronized],
  projections: [provisioningTokensView, scimView],
  descriptions: [...tokenDescriptions, ...scimDescriptions, ...directoryDescriptions],
  unhandled: { 'provisioning.DirectorySynchronized': 'the runs are recorded beside the log too' },
  migrations: directoryMigrations,
});
