import type { EventDescription } from '@annals/kernel';
import { counted, describeEvent, possessive, thing } from '@annals/kernel';
import { ApiKeyIssued, ApiKeysRevoked, PasswordSet } from '../domain/events';

const passwordSet = describeEvent(PasswordSet, {
  meaning: 'The password of an account was set. Its hash is stored beside the log.',
  commands: ['CreateUser', 'ChangeOwnSettings', 'setUpOrganization'],
  sentence: (event) => ['set ', ...possessive(event, event.data.userId), ' password'],
});

const issueKey = describeEvent(ApiKeyIssued, {
  meaning: 'An API key of an account is valid from then on. Its digest is stored beside the log.',
  commands: ['LogIn', 'RegenerateKey', 'CreateBot', 'IssueBotKey', 'RenewBotKey', 'setUpOrganization', 'issueKeyFor'],
  sentence: ({ actorId, data: { userId, keyId } }) =>
    actorId === userId ? [`got API key ${keyId}`] : [`issued API key ${keyId} to `, thing.user(userId)],
});

const keysRevoked = describeEvent(ApiKeysRevoked, {
  meaning: 'API keys of an account are not valid any more.',
  commands: ['RegenerateKey', 'RenewBotKey', 'LogIn', 'DeactivateUser', 'DeactivateSelf', 'issueKeyFor'],
  sentence: (event) => {
    const { userId, keyIds } = event.data;
    const ids = keyIds.length > 5 ? counted(keyIds.length, 'API key') : `API key ${keyIds.join(', ')}`;
    return [`revoked ${ids} of `, event.actorId === userId ? 'their account' : thing.user(userId)];
  },
});

export const signInDescriptions: readonly EventDescription[] = [passwordSet, issueKey, keysRevoked];
