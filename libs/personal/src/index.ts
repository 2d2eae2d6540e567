export { personalContext } from './personal.context';
export { SnippetSaved } from './domain/events';
