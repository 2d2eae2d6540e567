export { PresenceJobsModule, PresenceModule } from './presence.module';
export { presenceContext } from './presence.context';
export { PresenceLists } from './application/presence-lists';
