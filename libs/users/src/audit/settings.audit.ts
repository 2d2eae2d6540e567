import type { PropertyChange, EventDescription } from '@annals/kernel';
import { counted, describeEvent, possessive, wordsOf } from '@annals/kernel';
import { DefaultSettingsChanged, OwnSettingsChanged } from '../domain/events';
import { OPENING_COMMANDS } from './account-commands';

type Values = Readonly<Record<string, unknown>>;

const changesOf = (settings: Values, previous: Values): PropertyChange[] =>
  Object.entries(settings).map(([property, after]) => ({ property, before: previous[property], after }));

/** How many settings a sentence names. */
const MOST_NAMED = 5;
const namesOf = (names: readonly string[]): string =>
  names.length > MOST_NAMED ? counted(names.length, 'property', 'properties') : names.join(', ');

const ownChanged = describeEvent(OwnSettingsChanged, {
  meaning: 'Personal settings of an account changed.',
  commands: [
    'ChangeOwnSettings',
    'ChangeSettingsOfUsers',
    'ChangeStatus',
    ...OPENING_COMMANDS,
    'ChangeScimUser',
    'importUsers',
    'CreateBot',
  ],
  sentence: (event) => {
    const { userId, settings, timezone } = event.data;
    const names = [...Object.keys(settings), ...(timezone ? ['timezone'] : [])];
    return ['changed ', ...possessive(event, userId), ` settings: ${namesOf(names)}`];
  },
  changes: (event) => {
    const { settings, previous, timezone: isTimezone } = event.data;
    const zone = wordsOf(event, ({ timezone }) => timezone);
    const moved: PropertyChange = {
      property: 'timezone',
      before: zone?.from ?? null,
      after: zone?.to ?? null,
      isWords: true,
    };
    return [...changesOf(settings, previous), ...(isTimezone ? [moved] : [])];
  },
});

const defaultsChanged = describeEvent(DefaultSettingsChanged, {
  meaning: 'Accounts that are created from then on begin with other settings.',
  commands: ['ChangeDefaultSettings'],
  sentence: ({ data: { settings } }) => [`changed the settings of new users: ${namesOf(Object.keys(settings))}`],
  changes: ({ data: { settings, previous } }) => changesOf(settings, previous),
});

export const settingsDescriptions: readonly EventDescription[] = [ownChanged, defaultsChanged];
