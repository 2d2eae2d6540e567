/**
 * Refusals that people see on pages. Each of these is the text that the API answers with, so `refusalText` finds the text of another
 * language by it. A refusal that is not here is shown in English.
 */
export const refusals = {
  wrongLogin: 'Your username or password is incorrect',
  wrongCode: 'This code is wrong, or was used already.',
  wrongPassword: 'Wrong password!',
  weakPassword: 'The password is too weak.',
  shortName: 'Name too short!',
  longName: 'Name too long!',
  badName: 'Invalid characters in name!',
  badEmail: 'Invalid email address',
  otherDomain: 'This organization does not allow addresses of this domain',
  endedLink: 'This link is not valid any more.',
  deactivated: 'Account is deactivated',
} as const;
