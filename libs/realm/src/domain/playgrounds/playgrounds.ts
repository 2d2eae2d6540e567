import type { Actor, Aggregate, Recorded } from '@annals/kernel/domain';
import { fact, fold } from '@annals/kernel/domain';
import { reject } from '../rejections';
import { ensureAdministrator } from '../administrators';
import { ensureTemplate } from '../linkifiers/linkifier-rules';
import type { PatternEngine } from '../linkifiers/pattern-engine';
import type { PlaygroundEvent } from './playground-events';
import { PlaygroundAdded, PlaygroundRemoved } from './playground-events';

/** A page on which code of a language can be tried. */
export interface Playground {
  readonly id: number;
  readonly name: string;
  /** As `data-code-language` of blocks of code has it. */
  readonly language: string;
  readonly urlTemplate: string;
}

/** Key and name of the one stream of an organization's playgrounds. */
export const PLAYGROUNDS = 'playgrounds';

/** All playgrounds, the oldest first. One whose texts were erased is left out. */
export const playgroundsAggregate: Aggregate<readonly Playground[], PlaygroundEvent, typeof PLAYGROUNDS> = {
  stream: (key) => key,
  initial: [],
  evolve(state, { type, data, sealed }) {
    switch (type) {
      case 'realm.PlaygroundAdded':
        return sealed === 'erased' ? state : [...state, { id: data.playgroundId, ...sealed }];
      case 'realm.PlaygroundRemoved':
        return state.filter(({ id }) => id !== data.playgroundId);
    }
  },
};

/** The playgrounds right after the event at a position. @param events of their stream */
export const playgroundsAt = (events: readonly Recorded[], position: number): readonly Playground[] =>
  fold(
    playgroundsAggregate,
    events.filter((event) => event.position <= position) as readonly Recorded<PlaygroundEvent>[],
  );

/** Most playgrounds of one organization: clients load all of them at the start. */
export const MAX_PLAYGROUNDS = 200;

/** @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an invalid playground, a duplicate or one too many */
export function addPlayground(
  state: readonly Playground[],
  { id, ...input }: Playground,
  by: Pick<Actor, 'role'>,
  engine: Pick<PatternEngine, 'variables'>,
): PlaygroundAdded[] {
  ensureAdministrator(by);
  const text = { name: input.name.trim(), language: input.language.trim(), urlTemplate: input.urlTemplate.trim() };
  if (Object.values(text).includes('')) throw reject.blankField();
  if (!/^[ \w+,\-./#]*$/.test(text.language)) throw reject.badLanguage();
  const variables = ensureTemplate(text.urlTemplate, engine);
  if (!variables.includes('code')) throw reject.codeMissing();
  if (variables.length > 1) throw reject.codeOnly();
  if (state.some(({ name, language }) => name === text.name && language === text.language)) {
    throw reject.playgroundExists();
  }
  if (state.length >= MAX_PLAYGROUNDS) throw reject.tooManyPlaygrounds({ limit: MAX_PLAYGROUNDS });
  return [fact(PlaygroundAdded, { playgroundId: id }, text)];
}

/** @throws Rejected UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an unknown playground */
export function removePlayground(
  state: readonly Playground[],
  id: number,
  by: Pick<Actor, 'role'>,
): PlaygroundRemoved[] {
  ensureAdministrator(by);
  const one = state.find((playground) => playground.id === id);
  if (!one) throw reject.noSuchPlayground();
  return [fact(PlaygroundRemoved, { playgroundId: id }, { name: one.name, language: one.language })];
}
