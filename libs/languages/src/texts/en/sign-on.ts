/** Pages of logins through another system. */
export const signOn = {
  noAccount: 'You have no account here yet',
  noAccountHint: 'The other system knows you as {{email}}, and no account here has this address.',
  fullName: 'Your name',
  join: 'Join the organization',
  otherAccount: 'Log in with another account',
  toApp: 'Go back to the app',
  toAppHint: 'Copy this text and paste it into the app, within five minutes. Only the app can read it.',
  confirm: 'Log in?',
  confirmHint: 'Another site wants to log you in as {{email}}.',
  continue: 'Continue',
  identities: 'Other systems that log you in',
  noIdentities: 'No other system is linked to your account.',
  unlink: 'Unlink',
} as const;
