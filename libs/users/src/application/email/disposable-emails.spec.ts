import { isDisposable } from './disposable-emails';

describe('disposable emails', () => {
  it.each(['somebody@mailinator.com', 'Somebody@MAILINATOR.com', 'x@inbox.mailinator.com', 'x@mailinator.com.'])(
    '%s is one',
    (email) => expect(isDisposable(email)).toBe(true),
  );

  it.each([
    'somebody@example.com',
    'mailinator.com@example.com',
    'x@mailinator.com.example.com',
    'x@com',
    'nothing at all',
    '',
  ])('%j is none', (email) => expect(isDisposable(email)).toBe(false));
});
