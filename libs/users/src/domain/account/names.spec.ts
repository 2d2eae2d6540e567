import { botEmail, checkedFullName, emailKey, isSameEmail, personKey, placeholderId } from './names';

describe('a full name', () => {
  it.each(['Iago', 'Zoë 💡', '  Ann Smith  ', 'O’Neil, J.-P. (she/her)', 'a|b', '|1a', '漢字', 'x'.repeat(100)])(
    'may be %j',
    (name) => {
      expect(checkedFullName(name)).toBe(name.trim());
    },
  );

  it.each(['', ' ', 'A', ' A ', '💡'])('is too short as %j', (name) => {
    expect(() => checkedFullName(name)).toThrow('Name too short!');
  });

  it('counts characters, not bytes', () => {
    expect(checkedFullName('💡'.repeat(100))).toHaveLength(200);
    expect(() => checkedFullName('💡'.repeat(101))).toThrow('Name too long!');
  });

  it.each(['a*b', 'a`b', 'a\\b', 'a>b', 'a"b', 'a@b', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\ufffeb', 'a\ud800b'])(
    'is refused as %j',
    (name) => {
      expect(() => checkedFullName(name)).toThrow('Invalid characters in name!');
    },
  );

  it('cannot look like a mention of somebody else', () => {
    for (const name of ['Ann|7', 'Ann|12345', 'a|b|0']) expect(() => checkedFullName(name)).toThrow('Invalid format!');
  });

  it('is equal to another one in any letter case and width', () => {
    expect(personKey('ＡＮＮ Smith')).toBe(personKey('ann SMITH'));
    expect(personKey('Ann')).not.toBe(personKey('Anne'));
  });
});

describe('an email', () => {
  it('is found in any letter case', () => {
    expect(emailKey(' Iago@Zulip.COM ')).toBe('iago@zulip.com');
  });

  it('is that of one owner in other case of Latin letters', () => {
    expect(isSameEmail('ANN@Example.com', 'ann@example.COM ')).toBe(true);
  });

  it.each([
    ['kate@example.com', '\u212Aate@example.com'],
    ['ann@example.com', 'аnn@example.com'],
    ['ida@example.com', 'ıda@example.com'],
    ['ida@example.com', 'İda@example.com'],
    ['strasse@example.com', 'straße@example.com'],
    ['é@example.com', 'e\u0301@example.com'],
    ['Ünal@example.com', 'ünal@example.com'],
  ])('is not that of one owner: %s and %s', (a, b) => expect(isSameEmail(a, b)).toBe(false));

  it('of a bot contains its short name', () => {
    expect(botEmail(' reminder ', 'example.com')).toBe('reminder-bot@example.com');
    expect(botEmail('a.b_c-1', 'example.com')).toBe('a.b_c-1-bot@example.com');
  });

  it.each(['', ' ', 'two words', 'a@b', 'a..b', '.a', 'a.', 'é', 'x'.repeat(51), 'a\nb'])(
    'of a bot cannot be made of %j',
    (shortName) => {
      expect(() => botEmail(shortName, 'example.com')).toThrow('Bad name or username');
    },
  );

  it('can be the placeholder of an account', () => {
    expect(placeholderId('user42@example.com', 'example.com')).toBe(42);
    expect(placeholderId('User42@Example.com', 'example.com')).toBe(42);
    for (const other of ['user42@example.org', 'user@example.com', 'user4x@example.com', 'xuser4@example.com']) {
      expect(placeholderId(other, 'example.com')).toBeUndefined();
    }
  });
});
