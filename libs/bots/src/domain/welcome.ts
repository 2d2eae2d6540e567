import type { Role, UserId } from '@annals/kernel/domain';
import { defineAggregate, fact, isAdministrator } from '@annals/kernel/domain';
import type { UserWelcomed as Welcomed, WelcomeBotChosen as Chosen } from './events';
import { UserWelcomed, WelcomeBotChosen } from './events';

/** The system bot that writes to newcomers; null before the first one. There is one for an organization. */
export const welcomeBotAggregate = defineAggregate<UserId | null, Chosen, 'realm'>(
  'welcome-bot',
  null,
  (_, { data }) => data.botId,
);

/** Makes an account the welcome bot, unless there is one. */
export const chooseWelcomeBot = (present: UserId | null, botId: UserId): Chosen[] =>
  present === null ? [fact(WelcomeBotChosen, { botId })] : [];

/** Whether the welcome bot has written to a user. */
export const welcomeAggregate = defineAggregate<boolean, Welcomed, UserId>('welcome', false, () => true);

export const welcomed = (userId: UserId): Welcomed[] => [fact(UserWelcomed, { userId })];

const GREETING = [
  'Hello, and welcome! 👋 I am the welcome bot.',
  [
    '- Messages are in **channels**. [See all channels](#channels/all), and subscribe to those that you want to read.',
    '- Each conversation in a channel has a **topic**, so that others find it later.',
    '- You can also write **direct messages** to one or more people.',
    '- Your name, your picture and your notifications are in [your settings](#settings/profile).',
  ].join('\n'),
];

const FOR_ADMINISTRATORS =
  'You are an administrator: you can change [the settings of the organization](#organization/organization-settings).';

/** The first message to a newcomer. */
export const greetingFor = (newcomer: { readonly role: Role }): string =>
  [...GREETING, ...(isAdministrator(newcomer) ? [FOR_ADMINISTRATORS] : [])].join('\n\n');

/** The second message: what the administrators wrote for newcomers. @param quoted their text, quoted */
export const textOfAdministrators = (quoted: string): string =>
  `The administrators of this organization wrote for new members:\n\n${quoted}`;
