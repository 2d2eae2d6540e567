import type { RegisterBlock } from '@annals/kernel';
import { readRealm } from '@annals/realm';
import { configurationOf } from './languages';

/** The stop words of PostgreSQL's configuration `english`, which searches leave out. */
export const ENGLISH_STOP_WORDS: readonly string[] = (
  'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its ' +
  'itself they them their theirs themselves what which who whom this that these those am is are was were be been being have ' +
  'has had having do does did doing a an the and but if or because as until while of at by for with about against between ' +
  'into through during before after above below to from up down in out on off over under again further then once here there ' +
  'when where why how all any both each few more most other some such no nor not only own same so than too very s t can will ' +
  'just don should now'
).split(' ');

/**
 * Words that clients do not highlight in matches (contract/boot.md section 4.1). PostgreSQL lists those of no other
 * language.
 */
export const stopWordsRegisterBlock: RegisterBlock = {
  keys: ['stop_words'],
  async read({ client, realmId }) {
    const realm = await readRealm(client, realmId);
    const isEnglish = configurationOf(realm?.settings.default_language) === 'english';
    return { stop_words: isEnglish ? ENGLISH_STOP_WORDS : [] };
  },
};
