/** Pages of login, password, confirmation and the account, and the mails about them. */
export const signIn = {
  logIn: 'Log in',
} as const;
