import type { RefusalName } from '@annals/kernel/domain';
import { rejection } from '@annals/kernel/domain';

const failed = (text: string, onPages: RefusalName) => rejection('AUTHENTICATION_FAILED', text, { onPages });
const bad = (text: string, onPages?: RefusalName) => rejection('BAD_REQUEST', text, { onPages });

export const reject = {
  methodOff: failed('This way to log in is turned off in this organization.', 'methodOff'),
  noSuchProvider: rejection('BAD_REQUEST', 'There is no such way to log in', { notFound: true }),
  badOtp: bad('Invalid OTP', 'badValue'),
  twoOtps: bad("Can't use both mobile_flow_otp and desktop_flow_otp together.", 'badValue'),
  flowEnded: bad('This login is too old, or was begun in another browser. Please log in again.', 'staleLogin'),
  refusedThere: failed('The other system did not log you in.', 'refusedThere'),
  badAnswer: failed('The answer of the other system could not be verified.', 'badAnswer'),
  unreachable: bad('The other system cannot be reached. Please try again later.', 'systemAway'),
  addressUnverified: failed('The other system did not confirm that the email address is yours.', 'unverifiedAddress'),
  addressUnusable: failed('The other system named no email address that can be used here.', 'unusableAddress'),
  addressLooksAlike: failed('The email address only looks like that of an account.', 'lookalikeAddress'),
  otherIdentity: failed('This account belongs to another identity at the other system.', 'otherIdentity'),
  ofBot: failed('This is the address of a bot.', 'addressOfBot'),
  accountDeactivated: rejection('USER_DEACTIVATED', 'Account is deactivated', { onPages: 'deactivated' }),
  unknownPerson: failed('Your username or password is incorrect', 'wrongLogin'),
  noSuchIdentity: bad('Your account is not linked to this provider.', 'notLinked'),
  managedLink: bad(
    'A directory of the organization manages this account. Only the directory ends the link.',
    'managedLink',
  ),
  jwtOff: bad('JWT authentication is not enabled for this organization', 'methodOff'),
  jwtMissing: bad('No JSON web token passed in request', 'badAnswer'),
  jwtBad: bad('Bad JSON web token', 'badAnswer'),
  jwtEndless: bad('Bad JSON web token: "exp" must be a time in seconds, within ten years', 'badAnswer'),
  jwtTooLong: bad('Bad JSON web token: "exp" must be a day ahead at most', 'badAnswer'),
  jwtWithoutEnd: bad('Bad JSON web token: it needs "exp", or "iat" of the last day', 'badAnswer'),
  jwtWithoutEmail: bad('No email specified in JSON web token claims', 'badAnswer'),
  devOff: bad('DevAuthBackend not enabled.'),
  devElsewhere: bad('Logins of developers need an address of this machine, such as localhost.'),
};
