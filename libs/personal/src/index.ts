export { PersonalHttpModule } from './personal.module';
export { personalContext } from './personal.context';
export { SnippetSaved } from './domain/events';
