export { PersonalModule } from './personal.module';
export { personalContext } from './personal.context';
export { DraftSaved, SnippetSaved } from './domain/events';
