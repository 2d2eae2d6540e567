import type { EventDescription } from '@annals/kernel';
import { describeEvent, thing, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { GroupIdentified as OfGroup, UserDescribed as OfUser } from '../domain/scim/scim-events';
import { GroupIdentified, GroupRemoved, UserDescribed, UserRemoved } from '../domain/scim/scim-events';

type Description = Exclude<Recorded<OfUser>['sealed'], 'erased'>;
const said = (event: Recorded<OfUser>, name: keyof Description) => ({
  property: name,
  after: wordsOf<Description, string | null>(event, (words) => words[name]),
});

const userDescribed = describeEvent(UserDescribed, {
  meaning: 'A directory says something of a person beside the account itself.',
  commands: ['CreateScimUser', 'ChangeScimUser'],
  sentence: ({ data }) => [
    'noted what the directory of SCIM token ',
    `${data.tokenId} says of `,
    thing.user(data.userId),
  ],
  changes: (event) => [
    said(event, 'externalId'),
    said(event, 'givenName'),
    said(event, 'familyName'),
    said(event, 'locale'),
    said(event, 'timezone'),
  ],
});

const userRemoved = describeEvent(UserRemoved, {
  meaning: 'A directory deleted a person. The account is deactivated, and the directory sees it no more.',
  commands: ['RemoveScimUser'],
  sentence: ({ data }) => [`noted that the directory of SCIM token ${data.tokenId} deleted `, thing.user(data.userId)],
});

const groupDescribed = describeEvent(GroupIdentified, {
  meaning: 'A directory says which of its groups a user group is.',
  commands: ['CreateScimGroup', 'ChangeScimGroup'],
  sentence: ({ data }) => [
    `noted what the directory of SCIM token ${data.tokenId} says of `,
    thing.group(data.groupId),
  ],
  changes: (event) => [
    {
      property: 'externalId',
      after: wordsOf<Exclude<Recorded<OfGroup>['sealed'], 'erased'>, string | null>(event, (words) => words.externalId),
    },
  ],
});

const groupRemoved = describeEvent(GroupRemoved, {
  meaning: 'A directory deleted a user group, which is deactivated.',
  commands: ['RemoveScimGroup'],
  sentence: ({ data }) => [
    `noted that the directory of SCIM token ${data.tokenId} deleted `,
    thing.group(data.groupId),
  ],
});

export const scimDescriptions: readonly EventDescription[] = [userDescribed, userRemoved, groupDescribed, groupRemoved];
