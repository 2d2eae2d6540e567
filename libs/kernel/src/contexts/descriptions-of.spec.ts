import { Noted, Raised } from '../spec-support/toy-context';
import { checkDescriptions } from './descriptions-of';
import type { ContextDefinition } from './define-context';
import { defineContext } from './define-context';
import { describeEvent } from './event-description';

const about = { meaning: 'It happened.', commands: ['Raise'], sentence: () => ['raised a counter'] };
const raised = describeEvent(Raised, about);
const noted = describeEvent(Noted, about);

const toy = (descriptions: ContextDefinition['descriptions']): ContextDefinition =>
  defineContext({ name: 'toy', events: [Raised, Noted], descriptions });

describe('descriptions of events', () => {
  it('exist once for each event type', () => {
    expect(() => checkDescriptions([toy([raised, noted])])).not.toThrow();
  });

  it('are missed at the start', () => {
    expect(() => checkDescriptions([toy([raised])])).toThrow('event toy.Noted has no description');
  });

  it('are in the context of their event', () => {
    const other = defineContext({ name: 'other', descriptions: [noted] });
    expect(() => checkDescriptions([toy([raised, noted]), other])).toThrow(
      'other describes event toy.Noted, which it does not have',
    );
  });

  it('are not declared twice', () => {
    expect(() => checkDescriptions([toy([raised, noted, raised])])).toThrow('event toy.Raised has two descriptions');
  });
});
