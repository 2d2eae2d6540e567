/** Pages and mails of people who are invited, or who join. */
export const invitations = {
  join: 'Join {{organization}}',
  joinHint: 'You join with the address {{email}}.',
  name: 'Your name',
  password: 'Choose a password',
  passwordHint: 'At least {{count}} characters.',
  joinButton: 'Join',
  joinWith: 'Join with {{name}}',
  joinElsewhere: 'This organization has no passwords. Log in in another way, with the same address.',
  noWayIn: 'Nobody can log in to this organization at the moment. Ask an administrator.',
  email: 'Your email address',
  emailHint: 'We send you a mail with a link. It shows that the address is yours.',
  continueButton: 'Continue',
  closed: 'Joining requires an invitation',
  closedHint: 'Ask a member of {{organization}} to invite you.',
  haveAccount: 'Do you have an account?',
  logIn: 'Log in',
  checkMail: 'Look for a mail',
  checkMailHint: 'If {{email}} can join, a mail is on its way. Its link can be used for 24 hours.',
  welcome: 'Welcome to {{organization}}',
  welcomeHint: 'Your account is ready, and this browser is logged in.',
  connect: 'Connect an app',
  connectHint:
    'Install a Zulip app on your phone or computer. Enter this address, then your email address and password:',
  yourAccount: 'Your account',

  invitedSubject: '{{inviter}} invites you to {{organization}}',
  invitedText:
    '{{inviter}} ({{email}}) invites you to join {{organization}}, where people write to each other in topics.',
  invitedUntil: 'The invitation can be used until {{time}}.',
  invitedWhy: 'You get this mail because somebody entered your address. If you do not know them, do nothing.',
  reminderSubject: 'The invitation of {{inviter}} to {{organization}} ends soon',
  reminderText: '{{inviter}} ({{email}}) has invited you to join {{organization}}. The invitation ends in two days.',
  joinMailButton: 'Join {{organization}}',

  confirmSubject: 'Join {{organization}}',
  confirmText: 'Confirm that this address is yours, and choose a name and a password.',
  confirmButton: 'Confirm and continue',
  confirmUntil: 'The link can be used for 24 hours.',
  unasked:
    'You get this mail because somebody entered your address on the page of {{organization}}. If it was not you, do nothing.',
  knownSubject: 'You have an account at {{organization}}',
  knownText: 'Somebody, probably you, wanted to join {{organization}} with this address. It has an account already.',
  knownButton: 'Log in',
  deactivatedText:
    'Somebody, probably you, wanted to join {{organization}} with this address. Its account was deactivated. An administrator can reactivate it.',

  welcomeSubject: 'Welcome to {{organization}}',
  welcomeText: 'Your account at {{organization}} is ready.',
  welcomeAddress: 'Address of the organization: {{url}}',
  welcomeEmail: 'Your email address: {{email}}',
  welcomeApps: 'To use an app on your phone or computer, install Zulip and enter this address.',
  welcomeButton: 'Go to {{organization}}',

  leftSubject: 'Your account at {{organization}} was deactivated',
  leftText: 'An administrator of {{organization}} has deactivated your account. You cannot log in any more.',
  leftComment: 'The administrator writes:',
} as const;
