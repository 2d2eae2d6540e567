import type { PropertyChange, EventDescription, PropertyValue } from '@annals/kernel';
import { counted, describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { RealmEvent } from '../domain/events';
import { RealmCreated, RealmSettingsChanged } from '../domain/events';
import { TEXT_NAMES } from '../domain/settings';

/** How many settings a sentence names. */
const MOST_NAMED = 5;

const textsOf = (event: Recorded<RealmEvent>): PropertyValue[] =>
  TEXT_NAMES.flatMap((property) => {
    const after = wordsOf(event, (texts) => texts[property]);
    return after === undefined || after === null ? [] : [{ property, after }];
  });

const created = describeEvent(RealmCreated, {
  meaning: 'An organization was created, with all its settings of that time.',
  commands: ['setUpOrganization'],
  sentence: (event) => [
    'created the organization ',
    quoted(
      wordsOf(event, ({ name }) => name ?? ''),
      'with its settings',
    ),
  ],
  begins: (event) => [
    ...Object.entries(event.data.settings).map(([property, after]) => ({ property, after })),
    ...textsOf(event),
  ],
});

const settingsChanged = describeEvent(RealmSettingsChanged, {
  meaning: 'Settings of the organization changed.',
  commands: ['ChangeSettings', 'ArchiveChannel', 'RemoveDomain'],
  sentence: (event) => {
    const names = [...Object.keys(event.data.settings), ...textsOf(event).map(({ property }) => property)];
    const text = names.length > MOST_NAMED ? counted(names.length, 'property', 'properties') : names.join(', ');
    return [`changed the settings of the organization: ${text}`];
  },
  changes: (event) => {
    const { settings, previous } = event.data;
    const before: Readonly<Record<string, unknown>> = previous;
    return [
      ...Object.entries(settings).map(([property, after]): PropertyChange => ({
        property,
        after,
        ...(property in before && { before: before[property] }),
      })),
      ...textsOf(event).map((text): PropertyChange => ({ ...text, isWords: true })),
    ];
  },
});

export const realmDescriptions: readonly EventDescription[] = [created, settingsChanged];
