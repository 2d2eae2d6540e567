import { defineContext } from '@annals/kernel';
import { scimDescriptions } from './audit/scim.audit';
import { tokenDescriptions } from './audit/token.audit';
import { GroupIdentified, GroupRemoved, UserDescribed, UserRemoved } from './domain/scim/scim-events';
import { TokenEnded, TokenIssued } from './domain/tokens/token-events';
import { scimView } from './read/scim/scim.view';
import { provisioningTokensView } from './read/tokens/provisioning-tokens.view';

export const provisioningContext = defineContext({
  name: 'provisioning',
  events: [TokenIssued, TokenEnded, UserDescribed, UserRemoved, GroupIdentified, GroupRemoved],
  projections: [provisioningTokensView, scimView],
  descriptions: [...tokenDescriptions, ...scimDescriptions],
});
