import type { EventDescription, PropertyValue } from '@annals/kernel';
import { describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { LinkifierText } from '../domain/linkifiers/linkifier-events';
import {
  LinkifierAdded,
  LinkifierChanged,
  LinkifierRemoved,
  LinkifiersReordered,
} from '../domain/linkifiers/linkifier-events';

const patternOf = (event: { readonly sealed: { readonly pattern: string } | 'erased' }) =>
  quoted(
    wordsOf(event, ({ pattern }) => pattern),
    'a pattern',
  );

/** The texts of a linkifier by their names in the API. */
const PROPERTIES: readonly [property: string, name: keyof LinkifierText][] = [
  ['pattern', 'pattern'],
  ['url_template', 'urlTemplate'],
  ['example_input', 'exampleInput'],
  ['reverse_template', 'reverseTemplate'],
  ['alternative_url_templates', 'alternativeUrlTemplates'],
];

const valuesOf = (event: Recorded<LinkifierAdded | LinkifierChanged>): PropertyValue[] =>
  PROPERTIES.map(([property, name]) => ({
    property,
    of: event.data.linkifierId,
    after: wordsOf(event, (text) => text[name] ?? null),
  }));

const added = describeEvent(LinkifierAdded, {
  meaning: 'A linkifier was added: texts that match its pattern are links.',
  commands: ['AddLinkifier'],
  sentence: (event) => ['added a linkifier for ', patternOf(event)],
  begins: valuesOf,
});

const changed = describeEvent(LinkifierChanged, {
  meaning: 'A linkifier was changed. Messages that were written before keep their links.',
  commands: ['ChangeLinkifier'],
  sentence: (event) => ['changed the linkifier for ', patternOf(event)],
  changes: (event) => valuesOf(event).map((value) => ({ ...value, isWords: true })),
});

const removed = describeEvent(LinkifierRemoved, {
  meaning: 'A linkifier was removed. Messages that were written before keep their links.',
  commands: ['RemoveLinkifier'],
  sentence: (event) => ['removed the linkifier for ', patternOf(event)],
});

const reordered = describeEvent(LinkifiersReordered, {
  meaning: 'The linkifiers are tried in another order.',
  commands: ['ReorderLinkifiers'],
  sentence: () => ['changed the order of the linkifiers'],
  changes: ({ data }) => [{ property: 'order', after: data.order }],
});

export const linkifierDescriptions: readonly EventDescription[] = [added, changed, removed, reordered];
