export { chosenLanguage } from './chosen-language';
export type { Direction } from './direction';
export { directionOf } from './direction';
export type { Translate } from './translator';
export { refusalText } from './refusal-text';
export { translator } from './translator';
export type { TextKey, Texts } from './texts/english';
export { missingTexts, strangeTexts } from './coverage';
