import type { EventDescription } from '@annals/kernel';
import { describeEvent, quoted, wordsOf } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import type { PlaygroundEvent } from '../domain/playgrounds/playground-events';
import { PlaygroundAdded, PlaygroundRemoved } from '../domain/playgrounds/playground-events';

const nameOf = (event: Recorded<PlaygroundEvent>) =>
  quoted(
    wordsOf(event, ({ name }) => name),
    'a page',
  );
const languageOf = (event: Recorded<PlaygroundEvent>) =>
  quoted(
    wordsOf(event, ({ language }) => language),
    'a language',
  );

const added = describeEvent(PlaygroundAdded, {
  meaning: 'Clients offer to open blocks of code of a language on a page.',
  commands: ['AddPlayground'],
  sentence: (event) => ['added ', nameOf(event), ' as a playground for code in ', languageOf(event)],
});

const removed = describeEvent(PlaygroundRemoved, {
  meaning: 'Clients no longer offer to open blocks of code of a language on a page.',
  commands: ['RemovePlayground'],
  sentence: (event) => ['removed ', nameOf(event), ' as a playground for code in ', languageOf(event)],
});

export const playgroundDescriptions: readonly EventDescription[] = [added, removed];
