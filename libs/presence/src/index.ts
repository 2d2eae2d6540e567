export { PresenceJobsModule, PresenceModule } from './presence.module';
export { presenceContext } from './presence.context';
export { PresenceLists } from './application/presence-lists';
export { OFFLINE_MS } from './domain/presence';
export { readActiveSince, readLastActive } from './read/presence-rows';
