import { ensureStrong } from './password';

const rules = { minLength: 6, maxLength: 100 };
const personal = ['iago@zulip.com', 'Iago Montague'];
const accept = (password: string) => () => ensureStrong(password, rules, personal);

describe('a password', () => {
  it.each([
    'correct horse',
    'Tr0ub4dor&3',
    'xkcd936',
    'abcd1234',
    'zulip-dev-7',
    'pässwört',
    '💡🔑🌲🎈🦊🚀',
    'a'.repeat(90) + 'qz7!kw',
  ])('may be %j', (password) => {
    expect(accept(password)).not.toThrow();
  });

  it.each(['', 'short', 'x'.repeat(101), '💡💡💡💡💡'])('has the wrong length as %j', (password) => {
    expect(accept(password)).toThrow('too weak');
  });

  it.each(['password', 'PASSWORD', 'letmein', 'qwerty123', '123456', '987654321', 'aaaaaaaa', 'abcdefgh'])(
    'is guessed as %j',
    (password) => {
      expect(accept(password)).toThrow('too weak');
    },
  );

  it.each(['iago@zulip.com', 'Montague', 'IAGO MONTAGUE'])('is easy to guess from the account as %j', (password) => {
    expect(accept(password)).toThrow('too weak');
  });
});
