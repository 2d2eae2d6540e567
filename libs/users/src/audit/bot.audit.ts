import type { PropertyChange, EventDescription } from '@annals/kernel';
import { describeEvent, thing, wordsOf } from '@annals/kernel';
import {
  BotAcquired,
  BotDefaultsChanged,
  BotOwnerChanged,
  BotProgramChosen,
  BotReleased,
  BotWebhookChanged,
} from '../domain/events';

const { user } = thing;

const acquired = describeEvent(BotAcquired, {
  meaning: 'A person got a bot.',
  commands: ['CreateBot', 'ChangeBot'],
  sentence: ({ actorId, data: { userId, botId } }) =>
    actorId === userId ? ['got the bot ', user(botId)] : ['gave the bot ', user(botId), ' to ', user(userId)],
});

const released = describeEvent(BotReleased, {
  meaning: 'The bot of a person got another owner.',
  commands: ['ChangeBot'],
  sentence: ({ actorId, data: { userId, botId } }) =>
    actorId === userId ? ['gave away the bot ', user(botId)] : ['took the bot ', user(botId), ' from ', user(userId)],
});

const ownerChanged = describeEvent(BotOwnerChanged, {
  meaning: 'A bot belongs to another person from then on.',
  commands: ['ChangeBot'],
  sentence: ({ actorId, data: { userId, to } }) => [
    'made ',
    actorId === to ? 'themselves' : user(to),
    ' the owner of the bot ',
    user(userId),
  ],
  changes: ({ data: { from, to } }) => [{ property: 'bot_owner_id', before: from, after: to }],
});

/** The properties of the API, with their values while nothing was chosen. */
const DEFAULTS = {
  sendingChannel: { property: 'default_sending_stream', initially: null },
  eventsChannel: { property: 'default_events_register_stream', initially: null },
  allPublicChannels: { property: 'default_all_public_streams', initially: false },
} as const;
const NAMES = Object.keys(DEFAULTS) as readonly (keyof typeof DEFAULTS)[];

const defaultsChanged = describeEvent(BotDefaultsChanged, {
  meaning: 'The channels changed to which a bot writes, or from which it reads, unless it names others.',
  commands: ['CreateBot', 'ChangeBot'],
  sentence: ({ data: { userId } }) => ['changed the default channels of the bot ', user(userId)],
  changes: ({ data: { defaults } }) =>
    NAMES.flatMap((name): PropertyChange[] => {
      const after = defaults[name];
      return after === undefined ? [] : [{ ...DEFAULTS[name], after }];
    }),
});

const programChosen = describeEvent(BotProgramChosen, {
  meaning: 'The server answers for a bot from then on, with one of its programs.',
  commands: ['CreateBot'],
  sentence: ({ data: { userId, program } }) => [`chose the program ${program} for the bot `, user(userId)],
  begins: ({ data: { program } }) => [{ property: 'program', after: program }],
});

const webhookChanged = describeEvent(BotWebhookChanged, {
  meaning: 'What users ask a bot is sent to a URL from then on.',
  commands: ['CreateBot', 'ChangeBot'],
  sentence: ({ data: { userId } }) => ['chose where messages for the bot ', user(userId), ' are sent'],
  changes: (event) => [
    { property: 'payload_url', after: wordsOf(event, ({ url }) => url), isWords: true },
    { property: 'format', after: event.data.format },
  ],
});

export const botDescriptions: readonly EventDescription[] = [
  acquired,
  released,
  ownerChanged,
  defaultsChanged,
  programChosen,
  webhookChanged,
];
