export { htmlDiff } from './html-diff';
export { inspect } from './inspect';
export type { ContentFacts } from './inspect';
export { NO_NAMES } from './names';
export type { NameLookup, References, UserReference } from './names';
export { references } from './references';
export { render, renderDescription, renderWords, RENDERER_VERSION } from './render';
export { UNICODE_EMOJI, unicodeEmojiCode } from './unicode-emoji';
