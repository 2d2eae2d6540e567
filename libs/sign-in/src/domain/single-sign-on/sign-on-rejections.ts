import { rejection } from '@annals/kernel/domain';

const failed = (text: string) => rejection('AUTHENTICATION_FAILED', text);

export const reject = {
  methodOff: failed('This way to log in is turned off in this organization.'),
  noSuchProvider: rejection('BAD_REQUEST', 'There is no such way to log in', { notFound: true }),
  badOtp: rejection('BAD_REQUEST', 'Invalid OTP'),
  twoOtps: rejection('BAD_REQUEST', "Can't use both mobile_flow_otp and desktop_flow_otp together."),
  flowEnded: rejection('BAD_REQUEST', 'This login is too old, or was begun in another browser. Please log in again.'),
  refusedThere: failed('The other system did not log you in.'),
  badAnswer: failed('The answer of the other system could not be verified.'),
  unreachable: rejection('BAD_REQUEST', 'The other system cannot be reached. Please try again later.'),
  addressUnverified: failed('The other system did not confirm that the email address is yours.'),
  addressUnusable: failed('The other system named no email address that can be used here.'),
  addressLooksAlike: failed('The email address only looks like that of an account.'),
  otherIdentity: failed('This account belongs to another identity at the other system.'),
  ofBot: failed('This is the address of a bot.'),
  accountDeactivated: rejection('USER_DEACTIVATED', 'Account is deactivated'),
  unknownPerson: failed('Your username or password is incorrect'),
  noSuchIdentity: rejection('BAD_REQUEST', 'Your account is not linked to this provider.'),
  jwtOff: rejection('BAD_REQUEST', 'JWT authentication is not enabled for this organization'),
  jwtMissing: rejection('BAD_REQUEST', 'No JSON web token passed in request'),
  jwtBad: rejection('BAD_REQUEST', 'Bad JSON web token'),
  jwtEndless: rejection('BAD_REQUEST', 'Bad JSON web token: "exp" must be a time in seconds, within ten years'),
  jwtWithoutEmail: rejection('BAD_REQUEST', 'No email specified in JSON web token claims'),
  devOff: rejection('BAD_REQUEST', 'DevAuthBackend not enabled.'),
  devElsewhere: rejection('BAD_REQUEST', 'Logins of developers need an address of this machine, such as localhost.'),
};
