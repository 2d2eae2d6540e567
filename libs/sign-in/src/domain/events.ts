export type { IdentityEvent, IdentityLinked, IdentityUnlinked, SignedOn } from './single-sign-on/identity-events';
