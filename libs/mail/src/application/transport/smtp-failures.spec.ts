import { failureOf } from './smtp-failures';

const said = (error: object) => {
  const { trouble, reason, concernsServer } = failureOf(error);
  return [trouble, reason, concernsServer];
};

describe('what a failure means', () => {
  it.each([
    ['a refused recipient', { code: 'EENVELOPE', responseCode: 550, response: '550 5.1.1 nobody here' }, 'refused'],
    ['a refused text', { code: 'EMESSAGE', responseCode: 554, response: '554 5.7.1 spam' }, 'refused'],
    ['a greylisted sender', { code: 'EENVELOPE', responseCode: 450, response: '450 4.2.0 later' }, 'deferred'],
    ['a full disk', { code: 'EMESSAGE', responseCode: 452, response: '452 4.3.1 no space' }, 'deferred'],
    ['a server that ends', { code: 'EENVELOPE', responseCode: 421, response: '421 going down' }, 'away'],
    ['a server that greets with an error', { code: 'EPROTOCOL', responseCode: 554, response: '554 no' }, 'away'],
    ['a connection that broke', { code: 'ECONNECTION' }, 'away'],
    ['a wrong password', { code: 'EAUTH', responseCode: 535, response: '535 wrong' }, 'login'],
    ['a sender that must log in', { code: 'EENVELOPE', responseCode: 530, response: '530 log in' }, 'login'],
    ['no TLS', { code: 'ETLS', responseCode: 454, response: '454 no TLS' }, 'login'],
  ])('%s', (_, error, trouble) => {
    expect(failureOf(error).trouble).toBe(trouble);
  });

  it('is told without addresses and in one line', () => {
    const response = '550-5.1.1 <ann@example.com>:\r\n550 Recipient address ann@example.com rejected';
    expect(said({ code: 'EENVELOPE', responseCode: 550, response })).toEqual([
      'refused',
      '550-5.1.1 … 550 Recipient address … rejected',
      false,
    ]);
    expect(said({ code: 'ETIMEDOUT' })).toEqual(['away', 'ETIMEDOUT', true]);
    expect(said({})).toEqual(['away', 'unknown', true]);
  });
});
