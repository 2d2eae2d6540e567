import type { PropertyChange, EventDescription } from '@annals/kernel';
import { describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { SnippetEdited as Edited, SnippetSaved as Saved } from '../domain/events';
import { SnippetDeleted, SnippetEdited, SnippetSaved } from '../domain/events';

type Written = Recorded<Saved | Edited>;
const titleOf = (event: Written) => wordsOf<{ title: string }, string>(event, ({ title }) => title);
const nameOf = (event: Written) => quoted(titleOf(event), 'of their own');

const textsOf = (event: Written): PropertyChange[] => [
  { property: 'title', after: titleOf(event), isWords: true },
  {
    property: 'content',
    after: wordsOf<{ content: string }, string>(event, ({ content }) => content),
    isWords: true,
  },
];

const saved = describeEvent(SnippetSaved, {
  meaning: 'A user saved a snippet.',
  commands: ['SaveSnippet'],
  sentence: (event) => ['saved the snippet ', nameOf(event)],
  begins: textsOf,
});

const edited = describeEvent(SnippetEdited, {
  meaning: 'A snippet has another title or text. The event has both.',
  commands: ['EditSnippet'],
  sentence: (event) => ['edited the snippet ', nameOf(event)],
  changes: textsOf,
});

const deleted = describeEvent(SnippetDeleted, {
  meaning: 'A user deleted a snippet.',
  commands: ['DeleteSnippet'],
  sentence: ({ data }) => [`deleted snippet ${data.snippetId}`],
});

export const snippetDescriptions: readonly EventDescription[] = [saved, edited, deleted];
